import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { NOW, refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

test('the order of refusals: unknown, inaccessible, rights, version, rules', async () => {
  const viewer = await services.aViewer();
  const [nonMember, editor] = [
    await services.aViewer(),
    await services.aViewer({ workspaceId: viewer.workspace.id }),
  ];
  const post = await services.aPost({
    by: viewer,
    storedState: 'published_posted',
    account: await services.anAccount({ workspaceId: viewer.workspace.id, network: 'twitter' }),
  });
  const bad: PostPatch = { text: 'x', media: [{ id: 'med_unknown' }] };
  const more = { expectedVersion: 9 };
  expect(refusalsOf(await services.update(viewer, { id: 'f'.repeat(24) }, bad, more))).toEqual([
    'POST_NOT_FOUND',
  ]);
  expect(refusalsOf(await services.update(viewer, { id: 'nonsense' }, bad, more))).toEqual([
    'POST_NOT_FOUND',
  ]);
  expect(refusalsOf(await services.update(nonMember, post, bad, more))).toEqual(['FORBIDDEN']);
  expect(
    refusalsOf(await services.update(nonMember, { id: String(post.databaseId) }, bad, more)),
  ).toEqual(['POST_NOT_FOUND']);
  expect(refusalsOf(await services.update(editor, post, bad, more))).toEqual(['FORBIDDEN']);
  expect(refusalsOf(await services.update(viewer, post, bad, more))).toEqual([
    'CONFLICT expectedVersion',
  ]);
  expect(refusalsOf(await services.update(viewer, post, bad))).toEqual([
    'RULE_VIOLATION text',
    'RULE_VIOLATION media',
    'MEDIA_NOT_FOUND media 0 id',
  ]);
  expect(await services.storedPost(viewer, post.id)).toEqual({ ...post, user: expect.anything() });
});

test('all refused fields are returned together: references, formats and dates', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const patch: PostPatch = {
    type: 'reel',
    media: [{ id: 'med_nobodys' }, { id: 'malformed' }],
    recurring: { endDate: '2026-11-01' },
    scheduledAt: new Date(NOW.getTime() + 59_000),
    url: 'https://a.example',
    link: { url: 'https://b.example' },
  };
  expect(refusalsOf(await services.update(viewer, post, patch)).sort()).toEqual([
    'MEDIA_NOT_FOUND media 0 id',
    'MEDIA_NOT_FOUND media 1 id',
    'RULE_VIOLATION link url',
    'RULE_VIOLATION recurring repeat',
    'RULE_VIOLATION scheduledAt',
    'RULE_VIOLATION type',
  ]);
});

test('labels: a name is found in any case and keeps its color; no duplicate is created', async () => {
  const viewer = await services.aViewer();
  const label = await services.aLabel({
    workspaceId: viewer.workspace.id,
    name: 'Straße',
    color: '#123456',
  });
  const post = await services.aPost({ by: viewer });
  expect(
    updatedPost(
      await services.update(viewer, post, { labels: [{ name: ' STRAßE ', color: '#ffffff' }] }),
    ).labels,
  ).toEqual([label]);

  const posts = await Promise.all(Array.from({ length: 12 }, () => services.aPost({ by: viewer })));
  const answers = await Promise.all(
    posts.map(async (one, n) =>
      updatedPost(
        await services.update(viewer, one, {
          labels: [{ name: n % 2 ? 'Neu' : 'NEU' }, { name: `b${n % 3}` }],
        }),
      ),
    ),
  );
  expect(
    await services.sql(
      'SELECT count(*)::int AS n FROM label WHERE workspace_id = $1',
      viewer.workspace.id,
    ),
  ).toEqual([{ n: 5 }]);
  for (const answer of answers)
    expect((await services.storedPost(viewer, answer.id)).labels).toEqual(answer.labels);
});

test('media: only ids of this workspace are accepted; a path is created only once', async () => {
  const [viewer, nonMember] = [await services.aViewer(), await services.aViewer()];
  const [mine, foreign] = await Promise.all(
    [viewer, nonMember].map((one) =>
      services.aMedia({ workspaceId: one.workspace.id, altText: 'Library', inLibrary: false }),
    ),
  );
  const post = await services.aPost({ by: viewer });
  expect(refusalsOf(await services.update(viewer, post, { media: [{ id: foreign!.id }] }))).toEqual(
    ['MEDIA_NOT_FOUND media 0 id'],
  );
  const answer = updatedPost(
    await services.update(viewer, post, {
      media: [
        { path: mine!.url, inLibrary: true },
        { id: mine!.id, caption: 'Own' },
        { path: foreign!.url },
      ],
    }),
  );
  expect(answer.media.map(({ id, altText }) => [id === mine!.id, altText])).toEqual([
    [true, 'Library'],
    [true, 'Own'],
    [false, null],
  ]);
  expect(
    await services.sql(
      'SELECT in_library FROM media WHERE workspace_id = $1 ORDER BY created_at, id',
      viewer.workspace.id,
    ),
  ).toHaveLength(2);
  expect(await services.sql('SELECT in_library FROM media WHERE id = $1', mine!.id)).toEqual([
    { in_library: true },
  ]);
  expect((await services.storedPost(viewer, post.id)).media).toEqual(answer.media);
});

test('media that only a private draft of another member has cannot be used', async () => {
  const viewer = await services.aViewer();
  const { workspace } = viewer;
  const other = await services.aViewer({ workspaceId: workspace.id, role: 'admin' });
  const [attached, featured] = await Promise.all(
    ['Attached', 'Featured'].map((altText) =>
      services.aMedia({ workspaceId: workspace.id, altText, inLibrary: false }),
    ),
  );
  await services.aPost({
    by: other,
    storedState: 'draft_private_undated',
    media: [attached!],
    featuredMedia: featured!,
  });
  const post = await services.aPost({ by: viewer });
  const byId = { media: [{ id: attached!.id }, { id: featured!.id }] };
  expect(refusalsOf(await services.update(viewer, post, byId))).toEqual([
    'MEDIA_NOT_FOUND media 0 id',
    'MEDIA_NOT_FOUND media 1 id',
  ]);
  const own = updatedPost(await services.update(viewer, post, { media: [{ path: attached!.url }] }))
    .media[0]!;
  expect([own.id === attached!.id, own.url, own.altText]).toEqual([false, attached!.url, null]);

  const others = await services.aPost({ by: other });
  expect(updatedPost(await services.update(other, others, byId)).media).toMatchObject([
    { id: attached!.id },
    { id: featured!.id },
  ]);
  expect(updatedPost(await services.update(viewer, post, byId)).media).toMatchObject([
    { id: attached!.id },
    { id: featured!.id },
  ]);
});
