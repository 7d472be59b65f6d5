import type { Job } from '../../../src/domain/jobs/job.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { createJobStore } from '../../../src/persistence/jobs/job-store.js';
import type {
  ActionInput,
  ActionOutcome,
  ActionRequest,
} from '../../../src/services/posts/actions/action-request.js';
import { withPublishing } from '../../fixtures/publishing.js';
import { actionResults, createdPosts, targetsOf } from '../../fixtures/services.js';
import { forEachTest } from '../../fixtures/lifecycle.js';

const publishing = withPublishing();
beforeEach(async () => {
  publishing.clock.time = new Date();
});
const by = forEachTest(() => publishing.aViewer());
const account = forEachTest(() => publishing.aSandboxAccount(by));

const reread = async (job: Job | null): Promise<Job> =>
  (await createJobStore(publishing.database).find(by.workspace.id, job!.id))!;
/** Publishes what is due, and then lets the job look at it. */
async function work(): Promise<void> {
  await publishing.sweep();
  await publishing.runJobs();
  await publishing.runJobs();
}

describe('the job of posts that are scheduled now, or retried', () => {
  const NOW_MODE = {
    kind: 'schedule',
    mode: 'share_now',
    scheduledAt: null,
    accountId: null,
    visibility: null,
    allowDuplicate: true,
  } as const;
  const jobOf = (outcome: ActionOutcome): Job | null =>
    outcome.kind === 'done' ? outcome.job : null;
  const act = (posts: readonly Post[], action: ActionInput, more: Partial<ActionRequest> = {}) =>
    publishing.act(by, posts, action, more);

  test('ends when each of them is published, and says which are not', async () => {
    const drafts = [
      await publishing.aPost({
        by,
        account,
        storedState: 'draft_dated',
        type: 'status',
        text: 'A',
      }),
      await publishing.aPost({
        by,
        account,
        storedState: 'draft_dated',
        type: 'status',
        text: 'B',
      }),
    ];
    const published = await publishing.aPost({ by, account, storedState: 'published_posted' });
    const posts = [drafts[0]!, published, drafts[1]!];
    expect(jobOf(await act(posts, NOW_MODE, { dryRun: true }))).toBeNull();
    const outcome = await act(posts, NOW_MODE, { idempotencyKey: 'now' });
    const job = jobOf(outcome);
    const refusal = {
      id: published.id,
      code: 'RULE_VIOLATION',
      message: `ids[1]: ${actionResults(outcome)[1]!.refusals[0]!.message}`,
    };
    expect(job).toMatchObject({ kind: 'share', status: 'working', failures: [refusal] });
    expect(jobOf(await act(posts, NOW_MODE, { idempotencyKey: 'now' }))).toEqual(job);
    await publishing.failPublishing(drafts[1]!, 'refuse');
    await publishing.runJobs();
    expect(await reread(job)).toMatchObject({ status: 'working' });
    await work();
    expect(await reread(job)).toMatchObject({
      status: 'completed',
      failures: [
        refusal,
        {
          id: drafts[1]!.id,
          code: 'NETWORK_REFUSED',
          message: 'ids[2]: Sandbox network: the post was rejected.',
        },
      ],
      result: {
        posts: [
          { index: 0, databaseId: drafts[0]!.databaseId },
          { index: 2, databaseId: drafts[1]!.databaseId },
        ],
      },
    });

    const failed = await publishing.storedPost(by, drafts[1]!.id);
    const retry = jobOf(
      await act([failed], { kind: 'retry', confirmNotLive: false, allowDuplicate: true }),
    );
    expect(retry).toMatchObject({ kind: 'share', status: 'working', failures: [] });
    await work();
    expect(await reread(retry)).toMatchObject({ status: 'completed', failures: [] });
    expect(await publishing.storedPost(by, failed.id)).toMatchObject({
      storedState: 'published_posted',
    });
  });

  test('follows a post that was handed over before, and exists only if a post is shared', async () => {
    const [post] = createdPosts(
      await publishing.create(by, {
        mode: 'share_now',
        scheduledAt: null,
        targets: targetsOf(account),
      }),
    );
    await publishing.sweep();
    const job = jobOf(await act([post!], NOW_MODE));
    expect(await publishing.storedPost(by, post!.id)).toMatchObject({ version: 1 });
    await publishing.runJobs();
    await publishing.runJobs();
    expect(await reread(job)).toMatchObject({ status: 'completed', failures: [] });
    expect(jobOf(await act([post!], NOW_MODE))).toBeNull();
    expect(jobOf(await act([post!], { ...NOW_MODE, mode: 'draft' }))).toBeNull();
  });
});
