import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { IMPORT_INTERRUPTED } from '../../../src/domain/jobs/job.js';
import { createJobQueue } from '../../../src/persistence/jobs/job-queue.js';
import { writeHugeOutbox } from '../../fixtures/huge-outbox.js';
import { writeHugeExport } from '../../fixtures/huge-wxr.js';
import { createOf, outboxOf } from '../../fixtures/small-outbox.js';
import { silentLog } from '../../setup/test-server.js';
import { importScenario, peakMegabytes } from './import-scenario.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

/**
 * Of files of 500 MB: about 100 MB for the process, 50 for the largest article, and garbage, of which
 * Node.js 24 lets more lie.
 */
const MAX_PEAK_MB = 400;
jest.setTimeout(600_000);
const scenario = forAllTests(() => importScenario(), 'close');

it('imports a WordPress export of 500 MB in less than 400 MB of memory, and resumes after an interruption', async () => {
  const { posts, pages, attachments, comments } = await writeHugeExport(
    scenario.inFolder('huge.xml'),
    500,
  );
  const args = await scenario.importArguments('huge');
  const stopped = await scenario.run(args, (interrupt) => interrupt());
  expect([stopped.code, stopped.out]).toEqual([
    1,
    expect.stringContaining('Stopped before the end of the file.'),
  ]);
  expect(stopped.err).toMatch(/ %  \d+ imported, 0 already imported/);
  const before = await scenario.count('post WHERE true', args);

  const complete = await scenario.run(['--json', ...args]);
  expect(JSON.parse(complete.out)).toMatchObject({
    importedCount: posts - before,
    alreadyImported: before,
    failedCount: 0,
    malformed: null,
    stopped: false,
    omittedFiles: 0,
    skipped: {
      too_large: { count: 1 },
      not_a_post: { count: pages },
      attachment: { count: attachments },
    },
  });
  expect(complete.code).toBe(0);
  expect(peakMegabytes(complete)).toBeLessThan(MAX_PEAK_MB);
  expect(await scenario.count('post WHERE true', args)).toBe(posts);
  expect(await scenario.count(`post_media JOIN post ON id = post_id WHERE true`, args)).toBe(
    attachments - 1,
  );
  expect(
    await scenario.count(
      `post JOIN (SELECT post_id, comments FROM post_analytics) metrics ON id = post_id WHERE comments = ${comments}`,
      args,
    ),
  ).toBe(pages - 1);
});

it('marks the job of a killed import as failed, and the next import adds the remaining posts', async () => {
  const POSTS = 800;
  writeFileSync(
    scenario.inFolder('killed.json'),
    outboxOf(...Array.from({ length: POSTS }, (_, n) => createOf({ number: n + 1 }))),
  );
  const args = await scenario.importArguments('killed', 'mastodon');
  const child = scenario.start(args);
  const exit = once(child, 'exit');
  while ((await scenario.count('post WHERE true', args)) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  const before = await scenario.count('post WHERE true', args);
  expect(before).toBeLessThan(POSTS);

  const readJobs = async () =>
    (
      await scenario.database.pool.query(
        'SELECT status, failures FROM job WHERE workspace_id = $1 ORDER BY created_at',
        [args[4]],
      )
    ).rows;
  const queue = createJobQueue(scenario.database, silentLog);
  await queue.maintain();
  expect(await readJobs()).toEqual([{ status: 'working', failures: [] }]);
  await scenario.database.pool.query(
    "UPDATE job SET leased_until = now() - interval '1 second' WHERE workspace_id = $1",
    [args[4]],
  );
  await queue.maintain();
  const interruptedJob = {
    status: 'failed',
    failures: [
      {
        id: expect.stringMatching(/^job_/),
        code: 'INTERNAL_SERVER_ERROR',
        message: IMPORT_INTERRUPTED,
      },
    ],
  };
  expect(await readJobs()).toEqual([interruptedJob]);

  expect(JSON.parse((await scenario.run(['--json', ...args])).out)).toMatchObject({
    importedCount: POSTS - before,
    alreadyImported: before,
    failedCount: 0,
  });
  expect([await scenario.count('post WHERE true', args), await readJobs()]).toEqual([
    POSTS,
    [interruptedJob, { status: 'completed', failures: [] }],
  ]);
});

it('imports a Mastodon outbox of 500 MB in less than 400 MB of memory', async () => {
  const { posts, boosts, media } = await writeHugeOutbox(scenario.inFolder('large.json'), 500);
  const args = await scenario.importArguments('large', 'mastodon');
  const run = await scenario.run(['--json', ...args]);
  expect(JSON.parse(run.out)).toMatchObject({
    importedCount: posts,
    failedCount: 0,
    malformed: null,
    stopped: false,
    skipped: { boost: { count: boosts }, too_large: { count: 1 } },
  });
  expect([
    run.code,
    await scenario.count('post WHERE true', args),
    await scenario.count('media WHERE true', args),
  ]).toEqual([0, posts, media]);
  expect(peakMegabytes(run)).toBeLessThan(MAX_PEAK_MB);
});
