import { DRAFT_VISIBILITIES } from '../../../../src/domain/creation/creation-modes.js';
import { enumKeys } from '../../../../src/domain/enums.js';
import type { Post } from '../../../../src/domain/posts/post.js';
import {
  createdPosts,
  NOW,
  refusalsOf,
  resultsOf,
  targetsOf,
  type TestServices,
  withServices,
} from '../../../fixtures/services.js';
const services = withServices();

const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
const sandboxAccount = (
  workspaceId: string,
  given: Parameters<TestServices['anAccount']>[0] | object = {},
) => services.anAccount({ sandbox: true, ...given, workspaceId });

test('a target replaces the fields of its variant, which replace those of the common post', async () => {
  const viewer = await services.aViewer();
  const [mastodon, twitter, other] = [
    await sandboxAccount(viewer.workspace.id),
    await sandboxAccount(viewer.workspace.id, { network: 'twitter' }),
    await sandboxAccount(viewer.workspace.id, { network: 'twitter' }),
  ];
  const outcome = await services.create(viewer, {
    post: {
      type: 'status',
      text: 'Common',
      tags: ['a', 'b'],
      labels: [{ name: 'New' }],
      details: { language: 'en', sponsor: { id: '1', name: 'S' } },
    },
    variants: new Map([['twitter', { text: 'Variant', tags: ['c'], details: { language: 'de' } }]]),
    targets: [
      ...targetsOf(mastodon, twitter),
      {
        accountId: other.id,
        scheduledAt: inHours(30),
        post: {
          text: 'Target',
          details: { sponsor: { name: 'T' } },
          media: [{ path: 'https://media.example/1.gif' }],
          type: 'gif',
        },
      },
    ],
  });
  const posts = createdPosts(outcome);
  expect(posts).toMatchObject([
    {
      accountId: mastodon.id,
      network: 'mastodon',
      type: 'status',
      text: 'Common',
      tags: ['a', 'b'],
      labels: [{ name: 'New' }],
      details: { language: 'en', sponsor: { id: '1', name: 'S' } },
      scheduledAt: inHours(24),
      storedState: 'scheduled',
      version: 1,
      creatorId: viewer.user.id,
    },
    {
      accountId: twitter.id,
      text: 'Variant',
      tags: ['c'],
      labels: [{ name: 'New' }],
      details: { language: 'de', sponsor: { id: '1', name: 'S' } },
    },
    {
      accountId: other.id,
      type: 'gif',
      text: 'Target',
      tags: ['c'],
      details: { language: 'de', sponsor: { id: '1', name: 'T' } },
      media: [{ url: 'https://media.example/1.gif' }],
      scheduledAt: inHours(30),
    },
  ]);
  expect(new Set(posts.map(({ groupId }) => groupId)).size).toBe(1);
  expect(posts[0]!.groupId).toMatch(/^grp_/);
  const stored = await Promise.all(posts.map(({ id }) => services.storedPost(viewer, id)));
  expect(stored).toEqual(posts.map((post) => ({ ...post, user: expect.anything() })));
});

test.each(enumKeys(DRAFT_VISIBILITIES))(
  'drafts of visibility %s, dated and undated',
  async (visibility) => {
    const viewer = await services.aViewer();
    const account = await sandboxAccount(viewer.workspace.id);
    const draft = async (scheduledAt: Date | null): Promise<Post> =>
      createdPosts(
        await services.create(viewer, {
          mode: 'draft',
          visibility,
          scheduledAt,
          targets: targetsOf(account),
        }),
      )[0]!;
    const prefix = visibility === 'account' ? 'draft' : `draft_${visibility}`;
    expect(await draft(inHours(5))).toMatchObject({
      storedState: `${prefix}_dated`,
      scheduledAt: inHours(5),
      accountId: account.id,
    });
    expect(await draft(null)).toMatchObject({
      storedState: `${prefix}_undated`,
      scheduledAt: null,
    });
  },
);

test('no target makes one idea without an account', async () => {
  const viewer = await services.aViewer();
  const [idea, ...others] = createdPosts(
    await services.create(viewer, { mode: 'draft', scheduledAt: null, post: { type: 'photo' } }),
  );
  expect(others).toEqual([]);
  expect(await services.storedPost(viewer, idea!.id)).toMatchObject({
    type: 'photo',
    account: null,
    network: null,
    storedState: 'draft_undated',
  });
});

test('a draft can be incomplete', async () => {
  const viewer = await services.aViewer();
  const account = await sandboxAccount(viewer.workspace.id, { network: 'pinterest' });
  const post = { type: 'photo', text: 'a'.repeat(1_000) } as const;
  const draft = await services.create(viewer, { mode: 'draft', post, targets: targetsOf(account) });
  expect(createdPosts(draft)).toHaveLength(1);
  const scheduled = await services.create(viewer, { post, targets: targetsOf(account) });
  expect(resultsOf(scheduled)[0]!.refusals.map(({ path }) => path.join('.'))).toEqual([
    'targets.0.post.media',
    'targets.0.post.networkOptions.boardId',
    'targets.0.post.text',
  ]);
});

test('a recurrence rule makes a series with its occurrences', async () => {
  const viewer = await services.aViewer();
  const account = await sandboxAccount(viewer.workspace.id);
  const [series] = createdPosts(
    await services.create(viewer, {
      targets: targetsOf(account),
      scheduledAt: null,
      post: {
        type: 'status',
        text: 'Weekly',
        labels: [{ name: 'Series' }],
        recurring: { repeat: 'weekly', startDate: '2026-11-23T09:00:00+01:00' },
      },
    }),
  );
  expect(series).toMatchObject({
    storedState: 'recurring',
    scheduledAt: new Date('2026-11-23T08:00:00Z'),
  });
  const children = await services.store.futureChildren(series!.databaseId, NOW);
  expect(children).toHaveLength(52);
  expect(children[0]).toMatchObject({
    storedState: 'scheduled',
    text: 'Weekly',
    labels: [{ name: 'Series' }],
    recurring: null,
    groupId: series!.groupId,
    scheduledAt: new Date('2026-11-23T08:00:00Z'),
  });
  expect(new Set(children.map(({ id }) => id)).size).toBe(52);
});

test('recycling makes a recycling post', async () => {
  const viewer = await services.aViewer();
  const account = await sandboxAccount(viewer.workspace.id);
  const [post] = createdPosts(
    await services.create(viewer, {
      targets: targetsOf(account),
      post: { type: 'status', text: 'Again', recycling: { gap: 2, gapFreq: 'weeks' } },
    }),
  );
  expect(await services.storedPost(viewer, post!.id)).toMatchObject({
    storedState: 'recycling_active',
    scheduledAt: inHours(24),
    recycling: { gap: 2, gapFreq: 'weeks' },
  });
});

test('a post that is shared at once is dated now', async () => {
  const viewer = await services.aViewer();
  const account = await sandboxAccount(viewer.workspace.id);
  const [post] = createdPosts(
    await services.create(viewer, {
      mode: 'share_now',
      scheduledAt: null,
      targets: targetsOf(account),
    }),
  );
  expect(post).toMatchObject({ storedState: 'scheduled', scheduledAt: NOW });
});

test('posts of a member who cannot approve are pending, drafts stay drafts', async () => {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  const editor = await services.aViewer({ role: 'editor', workspaceId });
  const account = await sandboxAccount(workspaceId);
  const target = { targets: targetsOf(account) };
  const stateOf = async (item: Parameters<typeof services.create>[1]): Promise<string> =>
    createdPosts(await services.create(editor, { ...target, ...item }))[0]!.storedState;
  expect([
    await stateOf({ post: { type: 'status', text: '1' } }),
    await stateOf({ post: { type: 'status', text: '2', recycling: { gap: 30 } } }),
    await stateOf({ post: { type: 'status', text: '3' }, mode: 'share_now' }),
    await stateOf({ post: { type: 'status', text: '4' }, mode: 'draft' }),
  ]).toEqual(['scheduled_pending', 'recycling_pending', 'scheduled_pending', 'draft_dated']);
  const [series] = createdPosts(
    await services.create(editor, {
      ...target,
      post: { type: 'status', text: '5', recurring: { repeat: 'yearly' } },
    }),
  );
  expect(series!.storedState).toBe('recurring');
  const children = await services.store.futureChildren(series!.databaseId, NOW);
  expect(children.map(({ storedState }) => storedState)).toEqual([
    'scheduled_pending',
    'scheduled_pending',
  ]);
  const notifications = await services.sql<{ user_id: string; message: string }>(
    'SELECT user_id, message FROM notification WHERE workspace_id = $1',
    workspaceId,
  );
  expect(notifications).toHaveLength(4);
  expect(new Set(notifications.map(({ user_id }) => user_id))).toEqual(new Set([ownerId]));
});

test('viewers create nothing', async () => {
  const viewer = await services.aViewer({ role: 'viewer' });
  expect(refusalsOf(await services.create(viewer, { mode: 'draft' }))).toEqual(['FORBIDDEN']);
});
