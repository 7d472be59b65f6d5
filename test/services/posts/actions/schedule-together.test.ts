import type { Post } from '../../../../src/domain/posts/post.js';
import type { ScheduleInput } from '../../../../src/services/posts/actions/action-request.js';
import { slotsOfMinutes } from '../../../../src/domain/publishing/posting-schedule.js';
import { actionRefusals, actionResults, withServices } from '../../../fixtures/services.js';
import { forEachTest } from '../../../fixtures/lifecycle.js';

const services = withServices();
const by = forEachTest(() => services.aViewer());
const account = forEachTest(() =>
  services.anAccount({ workspaceId: by.workspace.id, sandbox: true }),
);

const AT = new Date('2026-12-01T09:00:00Z');
const input = (given: Partial<ScheduleInput> = {}): ScheduleInput => ({
  kind: 'schedule',
  mode: 'schedule',
  scheduledAt: AT,
  accountId: null,
  visibility: null,
  allowDuplicate: false,
  ...given,
});
const schedule = (posts: readonly Post[], given: Partial<ScheduleInput> = {}, viewer = by) =>
  services.act(viewer, posts, input(given));

test('duplicates are refused, unless they are allowed', async () => {
  const text = 'The same';
  await services.aPost({ by, account, text, scheduledAt: AT });
  const drafts = [
    await services.aPost({ by, account, text, storedState: 'draft_undated' }),
    await services.aPost({ by, account, text: 'Other', storedState: 'draft_undated' }),
    await services.aPost({ by, account, text: 'Other', storedState: 'draft_undated' }),
  ];
  const results = actionResults(await schedule(drafts));
  expect(results.map(({ refusals }) => refusals[0]?.code)).toEqual([
    'DUPLICATE_CONTENT',
    undefined,
    'DUPLICATE_CONTENT',
  ]);
  // A post is no duplicate of itself.
  const moved = new Date(AT.getTime() + 60_000);
  expect(actionRefusals(await schedule([drafts[1]!], { scheduledAt: moved }))).toEqual([]);
  expect(actionRefusals(await schedule([drafts[0]!], { allowDuplicate: true }))).toEqual([]);
});

test('posts of members who cannot approve wait for approval', async () => {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  const editor = await services.aViewer({ workspaceId });
  const own = await services.anAccount({ workspaceId, sandbox: true });
  const posts = [
    await services.aPost({ by: editor, account: own, storedState: 'draft_undated', text: '1' }),
    await services.aPost({
      by: editor,
      account: own,
      storedState: 'scheduled_approved',
      text: '2',
    }),
    await services.aPost({
      by: editor,
      account: own,
      storedState: 'scheduled_declined',
      text: '3',
    }),
  ];
  const results = actionResults(await schedule(posts, {}, editor));
  expect(results.map(({ post }) => post!.storedState)).toEqual(
    posts.map(() => 'scheduled_pending'),
  );
  expect(
    await services.sql(
      'SELECT user_id AS user, message FROM notification WHERE workspace_id = $1',
      workspaceId,
    ),
  ).toEqual([{ user: ownerId, message: 'Ada asks for your approval of 3 posts.' }]);
});

test('posts are added to the queue of their account, each at its own free time', async () => {
  await services.dependencies.postingSchedules.save(account.id, {
    timeZone: 'UTC',
    usesWorkspaceTimeZone: false,
    paused: false,
    slots: slotsOfMinutes(Array.from({ length: 7 }, (_, day) => day * 1_440 + 600)),
  });
  const drafts = await Promise.all(
    ['1', '2', '3'].map((text) =>
      services.aPost({ by, account, storedState: 'draft_undated', text }),
    ),
  );
  const given = { mode: 'add_to_queue', scheduledAt: null } as const;
  await Promise.all(drafts.map((draft) => schedule([draft], given)));
  const times = await Promise.all(
    drafts.map(async ({ id }) => {
      const { auto, scheduledAt } = await services.storedPost(by, id);
      expect(auto).toBe(true);
      return scheduledAt!.toISOString();
    }),
  );
  expect(times.toSorted()).toEqual([21, 22, 23].map((day) => `2026-11-${day}T10:00:00.000Z`));
  const [moved] = actionResults(await schedule([drafts[0]!]));
  expect(moved!.post).toMatchObject({ auto: false, scheduledAt: AT });
});
