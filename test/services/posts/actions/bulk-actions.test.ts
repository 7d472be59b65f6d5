import {
  actionRefusals,
  actionResults,
  type TestServices,
  withServices,
} from '../../../fixtures/services.js';
import { forEachTest } from '../../../fixtures/lifecycle.js';

const services = withServices();
const by = forEachTest(() => services.aViewer());
const account = forEachTest(() =>
  services.anAccount({ workspaceId: by.workspace.id, sandbox: true }),
);

const PAUSE = { kind: 'pause' } as const;
const RESUME = { kind: 'resume' } as const;
const recycling = (given: Partial<Parameters<TestServices['aPost']>[0]> = {}) =>
  services.aPost({
    by,
    account,
    storedState: 'recycling_active',
    recycling: { gap: 2, gapFreq: 'days' },
    ...given,
  });
const statesOf = (ids: readonly { id: string }[]) =>
  Promise.all(ids.map(async ({ id }) => (await services.storedPost(by, id)).storedState));

test('pauses and resumes; what already is so is done without a new version', async () => {
  const [active, paused] = [
    await recycling(),
    await recycling({ storedState: 'recycling_paused' }),
  ];
  const results = actionResults(await services.act(by, [active, paused], PAUSE));
  expect(results.map(({ post, refusals }) => [post!.storedState, post!.version, refusals])).toEqual(
    [
      ['recycling_paused', 2, []],
      ['recycling_paused', 1, []],
    ],
  );
  await services.act(by, [active, paused], RESUME);
  expect(await statesOf([active, paused])).toEqual(['recycling_active', 'recycling_active']);
});

test('a resumed post goes on at its next date in the future', async () => {
  const at = (days: number) => new Date(services.clock.time.getTime() + days * 86_400_000);
  const post = await recycling({ storedState: 'recycling_paused', scheduledAt: at(-5) });
  await services.act(by, [post], RESUME);
  expect((await services.storedPost(by, post.id)).scheduledAt).toEqual(at(1));
});

test('returns one result for each distinct post, in order, and hides what the viewer cannot see', async () => {
  const stranger = await services.aViewer({ workspaceId: by.workspace.id, role: 'admin' });
  const hidden = await services.aPost({ by: stranger, storedState: 'draft_private_undated' });
  const elsewhere = await services.aPost({ by: await services.aViewer() });
  const [post, scheduled] = [await recycling(), await services.aPost({ by, account })];
  const ids = [
    hidden.id,
    post.id.toUpperCase(),
    String(post.databaseId),
    scheduled.id,
    'nonsense',
    elsewhere.id,
  ];
  const results = actionResults(await services.act(by, [], PAUSE, { ids }));
  expect(
    results.map(({ id, post: after, refusals }) => [id, after?.id, refusals[0]?.code]),
  ).toEqual([
    [hidden.id, undefined, 'FORBIDDEN'],
    [post.id.toUpperCase(), post.id, undefined],
    [scheduled.id, undefined, 'RULE_VIOLATION'],
    ['nonsense', undefined, 'POST_NOT_FOUND'],
    [elsewhere.id, undefined, 'FORBIDDEN'],
  ]);
  const [first, last] = [results[0]!.refusals[0]!.message, results.at(-1)!.refusals[0]!.message];
  expect(first).toBe(last);
});

test('all or nothing: nothing is done if a post is refused', async () => {
  const [post, scheduled] = [await recycling(), await services.aPost({ by, account })];
  const outcome = await services.act(by, [post, scheduled], PAUSE, { policy: 'all_or_nothing' });
  expect(actionRefusals(outcome)).toEqual(['RULE_VIOLATION', 'RULE_VIOLATION']);
  expect(await statesOf([post])).toEqual(['recycling_active']);
});

test('is done once for an idempotency key', async () => {
  const post = await recycling();
  const once = { idempotencyKey: 'k' };
  const first = await services.act(by, [post], PAUSE, once);
  await services.act(by, [post], RESUME);
  const again = await services.act(by, [post], PAUSE, once);
  expect(again).toEqual({ ...first, replayed: true });
  expect(await statesOf([post])).toEqual(['recycling_active']);
  expect(
    actionRefusals(await services.act(by, [post], PAUSE, { ...once, policy: 'all_or_nothing' })),
  ).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey']);
});

test('refusals by rights are not recorded', async () => {
  const editor = await services.aViewer({ workspaceId: by.workspace.id });
  const post = await recycling();
  const once = { idempotencyKey: 'k' };
  expect(actionRefusals(await services.act(editor, [post], PAUSE, once))).toEqual(['FORBIDDEN']);
  await services.sql(
    'UPDATE membership SET post_actions = true WHERE user_id = $1',
    editor.user.id,
  );
  const [result] = actionResults(
    await services.act({ ...editor, postActions: true }, [post], PAUSE, once),
  );
  expect(result!.refusals).toEqual([]);
});

test('concurrent actions on the same posts are all done', async () => {
  const posts = [await recycling(), await recycling(), await recycling()];
  const outcomes = await Promise.all([
    services.act(by, posts, PAUSE),
    services.act(by, posts.toReversed(), PAUSE),
    services.act(by, posts, PAUSE),
  ]);
  for (const outcome of outcomes) expect(actionRefusals(outcome)).toEqual([]);
  expect(
    await Promise.all(posts.map(async ({ id }) => (await services.storedPost(by, id)).version)),
  ).toEqual([2, 2, 2]);
});
