import { writeFileSync } from 'node:fs';
import { boostOf, createOf, outboxOf } from '../../fixtures/small-outbox.js';
import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import { CLI, importScenario } from './import-scenario.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const scenario = forAllTests(() => importScenario(), 'close');

it('prints what it imported and skipped and why, and imports nothing on a second run', async () => {
  writeFileSync(
    scenario.inFolder('small.xml'),
    exportOf(
      itemOf({ id: 1 }),
      itemOf({ id: 2, status: 'draft' }),
      itemOf({ id: 3, type: 'page', title: 'Über\nuns\u001b[31m' }),
      itemOf({ id: 4, status: 'trash', title: 'Weg' }),
    ),
  );
  const args = await scenario.importArguments('small');
  const first = await scenario.run(args);
  expect(first.code).toBe(0);
  expect(first.out.split('\n').map((line) => line.trimEnd())).toEqual([
    'imported            2',
    '  draft_dated       1',
    '  published_posted  1',
    'already imported    0',
    'skipped             2',
    expect.stringMatching(/^ {2}not_a_post {8}1 {2}Pages.*“Über uns \[31m”$/),
    expect.stringMatching(/^ {2}trashed {11}1 {2}The post is in the blog’s trash\. “Weg”$/),
    'failed              0',
    expect.stringMatching(/^\d+\.\d s, job_\w{16}$/),
  ]);
  const again = await scenario.run(['--json', ...args, '--member', 'small@example.com']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({
    importedCount: 0,
    alreadyImported: 2,
    skipped: { trashed: { count: 1, titles: ['Weg'] } },
    failedCount: 0,
    seconds: expect.any(Number),
  });
});

it('exits with 1 for a malformed or missing file, or an account of another network', async () => {
  writeFileSync(
    scenario.inFolder('broken.xml'),
    `${exportOf(itemOf({ id: 1 })).replace('</channel></rss>', '')}<item></oops>`,
  );
  const args = await scenario.importArguments('broken');
  const run = await scenario.run(args);
  expect([run.code, run.out]).toEqual([
    1,
    expect.stringMatching(
      /Cannot read the file past line \d+, column \d+ \(byte \d+\): .+ Everything before this position was imported\./,
    ),
  ]);
  expect(await scenario.count('post WHERE true', args)).toBe(1);
  expect(
    await scenario.run([...args.slice(0, 2), scenario.inFolder('none.xml'), ...args.slice(3)]),
  ).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('none.xml": ENOENT'),
  });
  expect(
    await scenario.run([...args.slice(0, 2), scenario.folder, ...args.slice(3)]),
  ).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not a file'),
  });
  expect(await scenario.run([...args.slice(0, 6), 'acc_none'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /"acc_none" is not a wordpress account of this workspace\. Its wordpress accounts: acc_\w+ \(Blog\)\./,
    ),
  });
});

it('names every skipped item in --json, and the first ones with their whole URL otherwise', async () => {
  const number = (n: number): string => `${n}${'0'.repeat(250)}`;
  const urls = [1, 2, 3, 4, 5, 6, 7].map(
    (n) => `https://other.example/users/bob/statuses/${number(n)}`,
  );
  writeFileSync(
    scenario.inFolder('boosts.json'),
    outboxOf(...[1, 2, 3, 4, 5, 6, 7].map((n) => boostOf(number(n)))),
  );
  const args = await scenario.importArguments('boosts', 'mastodon');
  expect(JSON.parse((await scenario.run(['--json', ...args])).out).skipped).toEqual({
    boost: { count: 7, titles: urls },
  });
  const shown = urls.slice(0, 5).map((url) => `“${url}”`);
  expect((await scenario.run(args)).out).toContain(`Boosts of other posts. ${shown.join(', ')}, …`);
});

it('imports a Mastodon outbox, prints what it skipped, and uses the base URL of the media', async () => {
  writeFileSync(
    scenario.inFolder('outbox.json'),
    outboxOf(
      createOf({
        number: 1,
        attachment: [{ mediaType: 'image/png', url: '/media_attachments/a.png' }],
      }),
      boostOf(2),
      createOf({ number: 3, to: [], cc: [] }),
    ),
  );
  const args = await scenario.importArguments('outbox', 'mastodon');
  expect(await scenario.run([...args, '--media', 'http://files.example'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Must be an https URL without a query or fragment.'),
  });
  const first = await scenario.run([...args, '--media', 'https://files.example']);
  expect([first.code, first.out.split('\n').map((line) => line.trimEnd())]).toEqual([
    0,
    [
      'imported            1',
      '  published_posted  1',
      'already imported    0',
      'skipped             2',
      '  boost             1  Boosts of other posts. “https://other.example/users/bob/statuses/2”',
      expect.stringMatching(
        /^ {2}direct {12}1 {2}Direct messages: .* “https:\/\/m\.example\/users\/ada\/statuses\/3”$/,
      ),
      'failed              0',
      expect.stringMatching(/^\d+\.\d s, job_\w{16}$/),
    ],
  ]);
  expect(
    await scenario.count(`media WHERE url = 'https://files.example/media_attachments/a.png'`, args),
  ).toBe(1);
  expect(JSON.parse((await scenario.run(['--json', ...args])).out)).toMatchObject({
    importedCount: 0,
    alreadyImported: 1,
    skipped: { boost: { count: 1 }, direct: { count: 1 } },
  });
  expect(await scenario.run([...args.slice(0, 2), CLI, ...args.slice(3)])).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /Cannot read the file past line 1, column 0 \(byte 0\): the file is not JSON/,
    ),
  });
});
