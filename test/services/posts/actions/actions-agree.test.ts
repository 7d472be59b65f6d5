import { decideAction } from '../../../../src/domain/actions/post-actions.js';
import { enumKeys } from '../../../../src/domain/enums.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import { isPrivateDraft, STORED_STATES } from '../../../../src/domain/posts/states.js';
import { slotsOfMinutes } from '../../../../src/domain/publishing/posting-schedule.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import { ACTION_CALLS } from '../../../fixtures/action-calls.js';
import { actionResults, type TestServices, withServices } from '../../../fixtures/services.js';

const services = withServices();

const EVERY_DAY = {
  timeZone: 'UTC',
  usesWorkspaceTimeZone: false,
  paused: false,
  slots: slotsOfMinutes(Array.from({ length: 7 }, (_, day) => day * 1_440 + 600)),
};
const AT = new Date('2026-12-24T09:00:00Z');
const isRefused = async (outcome: ReturnType<TestServices['act']>): Promise<boolean> =>
  actionResults(await outcome)[0]!.refusals.length > 0;

/** Posts in every state, for accounts that publish and others, queued and not. */
async function generatedPosts(by: Viewer, hasAllAccounts: boolean): Promise<Post[]> {
  const workspaceId = by.workspace.id;
  const accounts = [
    await services.anAccount({ workspaceId, sandbox: true }),
    await services.anAccount({ workspaceId, sandbox: true, needsReauth: true }),
    await services.anAccount({ workspaceId, network: 'threads' }),
  ];
  for (const { id } of accounts) await services.dependencies.postingSchedules.save(id, EVERY_DAY);
  const posts: Post[] = [];
  for (const storedState of enumKeys(STORED_STATES)) {
    const recurring =
      storedState === 'recurring'
        ? { repeat: 'daily' as const, startDate: '2026-12-01T09:00:00Z' }
        : null;
    for (const account of hasAllAccounts ? accounts : accounts.slice(0, 1))
      posts.push(await services.aPost({ by, account, storedState, recurring }));
    posts.push(
      await services.aPost({ by, account: accounts[0]!, storedState, recurring, text: '' }),
    );
    if (storedState.startsWith('draft')) posts.push(await services.aPost({ by, storedState }));
    if (storedState === 'scheduled')
      for (const reminder of [true, false])
        posts.push(
          await services.aPost({
            by,
            account: accounts[0]!,
            storedState,
            reminder,
            details: { reminder },
            queuedAt: services.clock.time,
          }),
        );
  }
  return posts;
}

test('the table, dry runs and calls agree about every action, state and role', async () => {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  const owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const viewers: Viewer[] = [
    owner,
    await services.aViewer({ workspaceId, role: 'admin' }),
    await services.aViewer({ workspaceId, postActions: true }),
    await services.aViewer({ workspaceId }),
    await services.aViewer({ workspaceId, role: 'viewer' }),
  ];
  const disagreements: unknown[] = [];
  let calls = 0;
  /** Other posts for each viewer: the calls change them. */
  async function compare(viewer: Viewer, index: number): Promise<void> {
    const posts = await generatedPosts(owner, index === 0);
    const accountId = posts[0]!.accountId;
    for (const [number, post] of posts.entries()) {
      const read = await services.storedPost(owner, post.id);
      const actions = enumKeys(ACTION_CALLS).map((action) => ({
        action,
        call: ACTION_CALLS[action]({
          at: AT,
          accountId: read.account ? null : accountId,
        }),
        decision: decideAction(action, read, viewer),
      }));
      const changing = actions.filter(({ decision }) => decision.kind === 'allowed');
      // Only one action that changes the post can be tried really.
      const tried = changing[(number + index) % Math.max(changing.length, 1)];
      for (const { action, call, decision } of actions) {
        const isExpected = decision.kind === 'refused';
        const dryRun = await isRefused(services.act(viewer, [post], call, { dryRun: true }));
        const real =
          decision.kind === 'allowed'
            ? isExpected
            : await isRefused(services.act(viewer, [post], call));
        if (dryRun !== isExpected || real !== isExpected)
          disagreements.push([viewer.role, action, read.storedState, decision, dryRun, real]);
        calls++;
      }
      expect((await services.storedPost(owner, post.id)).version).toBe(1);
      if (tried) {
        expect(await isRefused(services.act(viewer, [post], tried.call))).toBe(false);
        const after = await services.storedPost(owner, post.id);
        // A job does the rest.
        const version = tried.action === 'unpublish' ? 1 : 2;
        if (after.version !== version) disagreements.push([tried.action, read.storedState, after]);
      }
      if (isPrivateDraft(post.storedState) && viewer !== owner)
        for (const { decision } of actions)
          expect(decision).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
    }
  }
  await Promise.all(viewers.map(compare));
  expect(disagreements).toEqual([]);
  expect(calls).toBeGreaterThan(2_000);
});
