import { decideAction, type PostAction } from '../../../../src/domain/actions/post-actions.js';
import { enumKeys } from '../../../../src/domain/enums.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import { isPrivateDraft, STORED_STATES } from '../../../../src/domain/posts/states.js';
import type { Viewer } from '../../../../src/domain/access/viewer.js';
import type { ActionInput } from '../../../../src/services/posts/actions/action-request.js';
import { actionResults, testServices, type TestServices } from '../../../fixtures/services.js';

let services: TestServices;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services.database.drop());

/** The call of each action, with an input that the action does not refuse by itself. */
const CALLS: Readonly<Record<Exclude<PostAction, 'edit' | 'delete'>, ActionInput>> = {
  retry: { kind: 'retry', confirmNotLive: true },
  resolve: {
    kind: 'resolve',
    resolution: { kind: 'live', url: 'https://social.example/1', remoteId: null },
  },
  pause: { kind: 'pause' },
  resume: { kind: 'resume' },
};

const isRefused = async (outcome: ReturnType<TestServices['act']>): Promise<boolean> =>
  actionResults(await outcome)[0]!.refusals.length > 0;

/** Posts in every state, for accounts that publish and others, queued and not. */
async function generatedPosts(by: Viewer): Promise<Post[]> {
  const workspaceId = by.workspace.id;
  const accounts = [
    await services.anAccount({ workspaceId, sandbox: true }),
    await services.anAccount({ workspaceId, sandbox: true, needsReauth: true }),
    await services.anAccount({ workspaceId, network: 'threads' }),
  ];
  const posts: Post[] = [];
  for (const storedState of enumKeys(STORED_STATES)) {
    const recurring =
      storedState === 'recurring'
        ? { repeat: 'daily' as const, startDate: '2026-12-01T09:00:00Z' }
        : null;
    for (const account of accounts)
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
  for (const viewer of viewers) {
    // Other posts for each viewer: the calls change them.
    for (const post of await generatedPosts(owner)) {
      for (const action of enumKeys(CALLS)) {
        const read = await services.storedPost(owner, post.id);
        const decision = decideAction(action, read, viewer);
        const dryRun = await isRefused(
          services.act(viewer, [post], CALLS[action], { dryRun: true }),
        );
        const unchanged = await services.storedPost(owner, post.id);
        const real = await isRefused(services.act(viewer, [post], CALLS[action]));
        const after = await services.storedPost(owner, post.id);
        const expected = decision.kind === 'refused';
        const isRight =
          dryRun === expected &&
          real === expected &&
          unchanged.version === read.version &&
          (after.version === read.version) === (decision.kind !== 'allowed');
        if (!isRight)
          disagreements.push([viewer.role, action, read.storedState, decision, dryRun, real]);
        calls++;
        if (isPrivateDraft(post.storedState) && viewer !== owner)
          expect(decision).toMatchObject({ refusal: { code: 'FORBIDDEN' } });
      }
    }
  }
  expect(disagreements).toEqual([]);
  expect(calls).toBeGreaterThan(1_000);
}, 120_000);
