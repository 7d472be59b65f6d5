import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeHugeExport } from '../fixtures/huge-wxr.js';

/** Reads in a process of its own, so that the figure is the reader's and not the test runner's. */
const READ = `
import { createReadStream } from 'node:fs';
const { readWordpressExport } = await import(process.argv[1]);
const found = { posts: 0, media: 0, tooLarge: 0, malformed: 0 };
for await (const record of readWordpressExport(() => createReadStream(process.argv[2]), { now: new Date() })) {
  if (record.kind === 'post') { found.posts += 1; found.media += record.post.media.length; }
  else if (record.kind === 'malformed') found.malformed += 1;
  else if (record.reason === 'too_large') found.tooLarge += 1;
}
console.log(JSON.stringify({ ...found, megabytes: process.resourceUsage().maxRSS / 1024 }));
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wxr-'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  [500, 20, 1],
  [40, 7, 0],
])('reads %i MB with one body of %i MB in less than 300 MB of memory', async (megabytes, largestBodyMegabytes, tooLarge) => {
  const path = join(folder, `${megabytes}.xml`);
  const { posts, attachments } = await writeHugeExport(path, { megabytes, largestBodyMegabytes });
  const reader = join(__dirname, '../../dist/importers/wordpress-wxr.js');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', READ, reader, path]);
  const { megabytes: peak, ...found } = JSON.parse(stdout) as Record<string, number>;
  expect(found).toEqual({ posts: posts - tooLarge, media: attachments, tooLarge, malformed: 0 });
  expect(peak).toBeLessThan(300);
}, 240_000);
