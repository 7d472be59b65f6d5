import type { Job } from '../../../src/domain/jobs/job.js';
import type { Account } from '../../../src/domain/posts/post.js';
import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import type {
  CreateOutcome,
  CreateRequest,
  CreationItem,
} from '../../../src/services/posts/creation/creation-request.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { createdPosts, targetsOf } from '../../fixtures/services.js';
import { withPublishing } from '../../fixtures/publishing.js';

let by: KeyedViewer;
let account: Account;
const publishing = withPublishing();
beforeEach(async () => {
  publishing.clock.time = new Date();
  by = await publishing.aViewer();
  account = await publishing.aSandboxAccount(by);
});

const shareNow = (
  more: Partial<CreationItem> = {},
  request: Partial<CreateRequest> = {},
): Promise<CreateOutcome> =>
  publishing.create(
    by,
    { mode: 'share_now', scheduledAt: null, targets: targetsOf(account), ...more },
    request,
  );
const jobIn = (outcome: CreateOutcome): Job | null =>
  outcome.kind === 'done' ? outcome.job : null;
const reread = async (job: Job | null): Promise<Job> =>
  (await createJobStore(publishing.database).find(by.workspace.id, job!.id))!;
/** Publishes what is due, and then lets the job look at it. */
async function work(): Promise<void> {
  await publishing.sweep();
  await publishing.runJobs();
  await publishing.runJobs();
}

describe('the job of posts that are shared now', () => {
  test('ends when each of them is published', async () => {
    const job = jobIn(await shareNow({ targets: targetsOf(account, account) }));
    expect(job).toMatchObject({ kind: 'create', status: 'working', finishedAt: null });
    await publishing.runJobs();
    expect(await reread(job)).toMatchObject({ status: 'working' });
    await work();
    expect(await reread(job)).toMatchObject({
      status: 'completed',
      progress: 1,
      failures: [],
      finishedAt: expect.any(Date),
    });
    const events = await publishing.sql(
      "SELECT type FROM event WHERE record_id = $1 AND type = 'job.finished'",
      job!.id,
    );
    expect(events).toHaveLength(1);
  });

  test('says which were refused by a rule, and which by their network', async () => {
    const outcome = await shareNow({
      targets: [
        ...targetsOf(account, account),
        { accountId: account.id, scheduledAt: null, post: { text: 'a'.repeat(501) } },
      ],
    });
    const job = jobIn(outcome);
    const [, second] = outcome.kind === 'done' ? outcome.results : [];
    await publishing.failPublishing(second!.post!, 'refuse');
    await work();
    expect(await reread(job)).toMatchObject({
      status: 'completed',
      failures: [
        {
          id: account.id,
          code: 'RULE_VIOLATION',
          message: 'targets[2]: text may have at most 500 characters on mastodon; it has 501.',
        },
        {
          id: account.id,
          code: 'NETWORK_REFUSED',
          message: 'targets[1]: Sandbox network: the post was rejected.',
        },
      ],
    });
  });

  test('fails if none of them is published', async () => {
    const outcome = await shareNow();
    await publishing.failPublishing(createdPosts(outcome)[0]!, 'refuse');
    await work();
    expect(await reread(jobIn(outcome))).toMatchObject({
      status: 'failed',
      failures: [{ id: account.id, code: 'NETWORK_REFUSED' }],
    });
  });

  test('does not wait for a person, for a later time, or for deleted posts', async () => {
    const { id: approvalWorkspace } = await publishing.aWorkspace({ requiresApproval: true });
    const [approval, reminder, moved, deleted] = [
      await publishing.aViewer({ workspaceId: approvalWorkspace, role: 'editor' }),
      await publishing.aViewer(),
      await publishing.aViewer(),
      await publishing.aViewer(),
    ];
    const jobs: Job[] = [];
    for (const viewer of [approval, reminder, moved, deleted]) {
      by = viewer;
      account = await publishing.aSandboxAccount(viewer);
      const outcome = await shareNow(
        viewer === reminder
          ? { post: { type: 'status', text: 'Hi', details: { reminder: true } } }
          : {},
      );
      jobs.push(jobIn(outcome)!);
      const [post] = createdPosts(outcome);
      if (viewer === moved)
        await publishing.update(viewer, post!, {
          scheduledAt: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000),
        });
      if (viewer === deleted) await publishing.remove(viewer, [post!.id]);
    }
    await work();
    for (const [index, viewer] of [approval, reminder, moved, deleted].entries()) {
      by = viewer;
      expect(await reread(jobs[index]!)).toMatchObject({ status: 'completed', failures: [] });
    }
  });

  test('is ended by another worker if one is killed', async () => {
    const job = jobIn(await shareNow());
    const run = (await publishing.claim()).find(({ id }) => id === job!.id);
    await publishing.sweep();
    await publishing.runJobs();
    expect(await reread(job)).toMatchObject({ status: 'working' });
    await publishing.expireLease(run!);
    await work();
    expect(await reread(job)).toMatchObject({ status: 'completed' });
    // The outcome of the killed attempt is not recorded any more.
    expect(await publishing.queue.settle(run!, { kind: 'failed', failures: [] })).toBe(false);
  });
});

test('the job of posts for later is finished at once; without a created post it has failed', async () => {
  const always = { job: 'always' } as const;
  const scheduled = {
    mode: 'schedule',
    scheduledAt: new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000),
  } as const;
  const job = jobIn(await shareNow(scheduled, always));
  expect(await reread(job)).toEqual({ ...job, status: 'completed', progress: 1 });
  const post = { type: 'status', text: '' } as const;
  const failed = jobIn(await shareNow({ ...scheduled, post }, always));
  expect(await reread(failed)).toMatchObject({
    status: 'failed',
    failures: [{ id: account.id, code: 'RULE_VIOLATION', message: 'posts[0]: text is required.' }],
  });
  expect(jobIn(await shareNow(scheduled))).toBeNull();
  expect(jobIn(await shareNow(scheduled, { ...always, dryRun: true }))).toBeNull();
});

test('the end of a job of private drafts is an event for their creator only', async () => {
  const draft = { mode: 'draft', visibility: 'private', scheduledAt: null } as const;
  const job = jobIn(await shareNow(draft, { job: 'always' }));
  const events = await publishing.sql<{ visible_to: string | null }>(
    "SELECT visible_to FROM event WHERE record_id = $1 AND type = 'job.finished'",
    job!.id,
  );
  expect(events).toEqual([{ visible_to: by.user.id }]);
});
