import type { Post, PostPatch } from '../../src/domain/posts/post.js';
import { PATCH_FIELDS } from '../../src/domain/posts/post.js';
import { createPosts } from '../../src/services/posts/posts.js';
import { aWorkshop, NOW, refused, updated, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

const WHOLE_PATCH: Required<Omit<PostPatch, 'recurring'>> = {
  type: 'poll',
  text: 'Grüße 🎉',
  url: 'https://example.com/a',
  title: 'Title',
  excerpt: 'Short',
  question: 'Which?',
  duration: 3,
  featuredMedia: { path: 'https://example.com/f.png' },
  media: [
    {
      path: 'https://example.com/b.mp4',
      caption: 'A film',
      title: 'Film',
      inLibrary: true,
      thumbnails: { small: 'https://example.com/s.png' },
      userTags: [{ id: '1', x: 0.5, y: 0.25 }],
    },
    { path: 'https://example.com/a.jpg' },
  ],
  link: { title: 'Link', images: ['https://example.com/i.png'], description: 'About' },
  details: {
    reminder: true,
    language: 'de',
    sponsor: { id: 's', name: 'Sponsor', verified: true },
  },
  recycling: { solo: true, gap: 2, gapFreq: 'weeks', expireCount: 2, startDate: '2026-12-01' },
  content: [
    { type: 'paragraph', data: { text: 'One' } },
    { type: 'delimiter', data: {} },
  ],
  location: { id: 'l1', name: 'Köln' },
  labels: [{ name: 'News', color: '#ff0000' }, { name: 'alt' }],
  options: ['a', 'b'],
  tags: ['t'],
  categories: ['c'],
  sublinks: [{ url: 'https://example.com/sub', title: 'Sub' }],
  scheduledAt: new Date('2026-12-01T10:00:00Z'),
};

test('every field of a scheduled post can change, and is read back as answered', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const answer = updated(await shop.update(viewer, post, WHOLE_PATCH));
  const stored = await shop.stored(viewer, post.id);
  expect({ ...answer, user: null }).toEqual({ ...stored, user: null });
  expect(stored).toMatchObject({
    type: 'poll',
    text: 'Grüße 🎉',
    url: 'https://example.com/a',
    title: 'Title',
    excerpt: 'Short',
    question: 'Which?',
    duration: 3,
    version: 2,
    reminder: true,
    hasMedia: true,
    details: WHOLE_PATCH.details,
    recycling: WHOLE_PATCH.recycling,
    content: WHOLE_PATCH.content,
    location: WHOLE_PATCH.location,
    options: ['a', 'b'],
    tags: ['t'],
    categories: ['c'],
    sublinks: WHOLE_PATCH.sublinks,
    scheduledAt: WHOLE_PATCH.scheduledAt,
    updatedAt: NOW,
    cell: 'scheduled',
  });
  expect(stored.labels.map(({ name, color }) => [name, color])).toEqual([
    ['News', '#ff0000'],
    ['alt', '#808080'],
  ]);
  expect(stored.media.map(({ type, url, altText }) => [type, url, altText])).toEqual([
    ['video', 'https://example.com/b.mp4', 'A film'],
    ['photo', 'https://example.com/a.jpg', null],
  ]);
  expect(
    await shop.sql(
      'SELECT version, user_id, changes FROM revision WHERE post_id = $1',
      post.databaseId,
    ),
  ).toEqual([
    {
      version: 2,
      user_id: viewer.user.id,
      changes: expect.objectContaining({ text: { from: post.text, to: 'Grüße 🎉' } }),
    },
  ]);

  const again = updated(await shop.update(viewer, post, WHOLE_PATCH));
  expect(again.version).toBe(2);
  const cleared = Object.fromEntries(
    PATCH_FIELDS.filter((field) => field !== 'type' && field !== 'scheduledAt').map((field) => [
      field,
      null,
    ]),
  ) as PostPatch;
  const empty = updated(await shop.update(viewer, post, { ...cleared, type: 'status' }));
  expect(await shop.stored(viewer, post.id)).toEqual({ ...empty, user: expect.anything() });
  expect(empty).toMatchObject({
    version: 3,
    type: 'status',
    text: '',
    url: null,
    title: null,
    excerpt: null,
    question: null,
    duration: null,
    featuredMedia: null,
    media: [],
    hasMedia: false,
    link: null,
    details: null,
    reminder: false,
    recycling: null,
    recurring: null,
    content: [],
    location: null,
    labels: [],
    options: [],
    tags: [],
    categories: [],
    sublinks: [],
  });
});

test('a change without effect keeps the version and writes nothing', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer, details: { language: 'de', feed: true } });
  const before = await shop.everything();
  for (const patch of [
    {},
    { text: post.text },
    { details: { feed: true } },
    { title: null, labels: [], media: null },
    { scheduledAt: post.scheduledAt! },
  ] as PostPatch[]) {
    expect(updated(await shop.update(viewer, post, patch)).version).toBe(1);
  }
  expect(await shop.everything()).toEqual(before);
});

test('a post that was searched for by its old words is found by its new ones', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer, text: 'apples' });
  const found = async (query: string): Promise<number> =>
    (
      await shop.posts.list(
        viewer,
        {
          filter: { query },
          order: { field: 'scheduled_at', direction: 'desc' },
          slice: { kind: 'window', limit: 5, fromEnd: false },
        },
        { fields: new Set(), items: true, facets: false, totalCount: false },
      )
    ).posts.length;
  await shop.update(viewer, post, { text: 'pears', title: 'Fruit' });
  expect([await found('apples'), await found('pears'), await found('fruit')]).toEqual([0, 1, 1]);
});

test('64 changes of one post at once: each is applied once, in some order, and none is lost', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      shop.update(
        viewer,
        { id: n % 2 ? post.id : String(post.databaseId) },
        n % 3 ? { text: `${n}` } : { tags: [`${n}`] },
      ),
    ),
  );
  const versions = outcomes.map((outcome) => updated(outcome).version).sort((a, b) => a - b);
  expect(versions).toEqual(Array.from({ length: 64 }, (_, n) => n + 2));
  const revisions = await shop.sql<{ changes: Record<string, { from: unknown; to: unknown }> }>(
    'SELECT changes FROM revision WHERE post_id = $1 ORDER BY version',
    post.databaseId,
  );
  let { text, tags } = post;
  for (const { changes } of revisions) {
    if (changes.text) {
      expect(changes.text.from).toBe(text);
      text = changes.text.to as string;
    }
    if (changes.tags) {
      expect(changes.tags.from).toEqual(tags);
      tags = changes.tags.to as string[];
    }
  }
  expect(await shop.stored(viewer, post.id)).toMatchObject({ version: 65, text, tags });
});

test('changes of one post from two processes at once are all applied', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const processes = [createPosts(shop.parts), createPosts(shop.parts)];
  const outcomes = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      processes[n % 2]!.update(viewer, { id: post.id, patch: { text: `${n}` }, dryRun: false }),
    ),
  );
  expect(outcomes.map((outcome) => updated(outcome).version).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 24 }, (_, n) => n + 2),
  );
});

test('of many that expect the same version one is applied', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      shop.update(viewer, post, { text: `${n}` }, { expectedVersion: 1 }),
    ),
  );
  expect(outcomes.filter((outcome) => outcome.kind === 'updated')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === 'refused').map(refused)).toEqual(
    Array(7).fill(['CONFLICT expectedVersion']),
  );
});

test('the order of answers: unknown, elsewhere, rights, version, rules', async () => {
  const viewer = await shop.aViewer();
  const [stranger, editor] = [
    await shop.aViewer(),
    await shop.aViewer({ workspaceId: viewer.workspace.id }),
  ];
  const post = await shop.aPost({
    by: viewer,
    cell: 'published_posted',
    account: await shop.anAccount({ workspaceId: viewer.workspace.id, network: 'twitter' }),
  });
  const bad: PostPatch = { text: 'x', media: [{ id: 'med_unknown' }] };
  const more = { expectedVersion: 9 };
  expect(refused(await shop.update(viewer, { id: 'f'.repeat(24) }, bad, more))).toEqual([
    'POST_NOT_FOUND',
  ]);
  expect(refused(await shop.update(viewer, { id: 'nonsense' }, bad, more))).toEqual([
    'POST_NOT_FOUND',
  ]);
  expect(refused(await shop.update(stranger, post, bad, more))).toEqual(['FORBIDDEN']);
  expect(refused(await shop.update(stranger, { id: String(post.databaseId) }, bad, more))).toEqual([
    'POST_NOT_FOUND',
  ]);
  expect(refused(await shop.update(editor, post, bad, more))).toEqual(['FORBIDDEN']);
  expect(refused(await shop.update(viewer, post, bad, more))).toEqual(['CONFLICT expectedVersion']);
  expect(refused(await shop.update(viewer, post, bad))).toEqual([
    'RULE_VIOLATION text',
    'RULE_VIOLATION media',
    'MEDIA_NOT_FOUND media 0 id',
  ]);
  expect(await shop.stored(viewer, post.id)).toEqual({ ...post, user: expect.anything() });
});

test('every refused field is named at once: references, formats and dates', async () => {
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  const patch: PostPatch = {
    type: 'reel',
    media: [{ id: 'med_nobodys' }, { id: 'malformed' }],
    recurring: { endDate: '2026-11-01' },
    scheduledAt: new Date(NOW.getTime() + 59_000),
    url: 'https://a.example',
    link: { url: 'https://b.example' },
  };
  expect(refused(await shop.update(viewer, post, patch)).sort()).toEqual([
    'MEDIA_NOT_FOUND media 0 id',
    'MEDIA_NOT_FOUND media 1 id',
    'RULE_VIOLATION link url',
    'RULE_VIOLATION recurring repeat',
    'RULE_VIOLATION scheduledAt',
    'RULE_VIOLATION type',
  ]);
});

test('labels: a name is found whatever its case and keeps its colour; others make no second one', async () => {
  const viewer = await shop.aViewer();
  const label = await shop.aLabel({
    workspaceId: viewer.workspace.id,
    name: 'Straße',
    color: '#123456',
  });
  const post = await shop.aPost({ by: viewer });
  expect(
    updated(await shop.update(viewer, post, { labels: [{ name: ' STRAßE ', color: '#ffffff' }] }))
      .labels,
  ).toEqual([label]);

  const posts = await Promise.all(Array.from({ length: 12 }, () => shop.aPost({ by: viewer })));
  const answers = await Promise.all(
    posts.map(async (one, n) =>
      updated(
        await shop.update(viewer, one, {
          labels: [{ name: n % 2 ? 'Neu' : 'NEU' }, { name: `b${n % 3}` }],
        }),
      ),
    ),
  );
  expect(
    await shop.sql(
      'SELECT count(*)::int AS n FROM label WHERE workspace_id = $1',
      viewer.workspace.id,
    ),
  ).toEqual([{ n: 5 }]);
  for (const answer of answers)
    expect((await shop.stored(viewer, answer.id)).labels).toEqual(answer.labels);
});

test('media: by id of this workspace only, a known path is not made again', async () => {
  const [viewer, stranger] = [await shop.aViewer(), await shop.aViewer()];
  const [mine, foreign] = await Promise.all(
    [viewer, stranger].map((one) =>
      shop.aMedia({ workspaceId: one.workspace.id, altText: 'Library', inLibrary: false }),
    ),
  );
  const post = await shop.aPost({ by: viewer });
  expect(refused(await shop.update(viewer, post, { media: [{ id: foreign!.id }] }))).toEqual([
    'MEDIA_NOT_FOUND media 0 id',
  ]);
  const answer = updated(
    await shop.update(viewer, post, {
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
    await shop.sql(
      'SELECT in_library FROM media WHERE workspace_id = $1 ORDER BY created_at, id',
      viewer.workspace.id,
    ),
  ).toHaveLength(2);
  expect(await shop.sql('SELECT in_library FROM media WHERE id = $1', mine!.id)).toEqual([
    { in_library: true },
  ]);
  expect((await shop.stored(viewer, post.id)).media).toEqual(answer.media);
});

describe('a published post', () => {
  const published = async (
    network: 'linkedin' | 'twitter' | 'mastodon',
    more: Partial<Post> = {},
  ) => {
    const viewer = await shop.aViewer();
    const post = await shop.aPost({
      by: viewer,
      cell: 'published_posted',
      ...more,
      account: await shop.anAccount({ workspaceId: viewer.workspace.id, network }),
    });
    return { viewer, post };
  };

  test('queues its job with the change, and is pending on the network', async () => {
    const { viewer, post } = await published('linkedin');
    const outcome = await shop.update(viewer, post, { text: 'New' });
    const job = outcome.kind === 'updated' ? outcome.job! : null;
    expect(
      await shop.sql(
        'SELECT id, kind, status, post_id::int, post_version, user_id FROM job WHERE workspace_id = $1',
        viewer.workspace.id,
      ),
    ).toEqual([
      {
        id: job!.id,
        kind: 'network_edit',
        status: 'working',
        post_id: post.databaseId,
        post_version: 2,
        user_id: viewer.user.id,
      },
    ]);
    // What stands in the line is the job's id: what is brought is read when its turn comes.
    expect(
      await shop.sql("SELECT data FROM pgboss.job WHERE data->>'jobId' = $1", job!.id),
    ).toEqual([{ data: { jobId: job!.id } }]);
    const stored = await shop.stored(viewer, post.id);
    expect(stored.networkSync).toEqual({
      status: 'pending',
      jobId: job!.id,
      liveText: post.text,
      error: null,
      attemptedAt: null,
    });
    const second = updated(await shop.update(viewer, post, { text: 'Newer' }));
    expect(second.networkSync).toMatchObject({ status: 'pending', liveText: post.text });
  });

  test('goes to the network only where what is shown there is another', async () => {
    const { viewer, post } = await published('mastodon', { details: { language: 'de' } });
    for (const patch of [
      { labels: [{ name: 'x' }] },
      { text: post.text, labels: [{ name: 'y' }] },
      { details: { language: 'de' }, labels: [{ name: 'z' }] },
    ] as PostPatch[]) {
      expect(await shop.update(viewer, post, patch)).toMatchObject({ kind: 'updated', job: null });
    }
    expect(await shop.update(viewer, post, { details: { language: 'en' } })).toMatchObject({
      job: { kind: 'network_edit' },
    });
    expect(
      await shop.sql('SELECT id FROM job WHERE workspace_id = $1', viewer.workspace.id),
    ).toHaveLength(1);
  });

  test('a poll keeps two options at least', async () => {
    const { viewer, post } = await published('mastodon', {
      type: 'poll',
      options: ['a', 'b'],
      duration: 2,
    });
    expect(refused(await shop.update(viewer, post, { options: ['a'] }))).toEqual([
      'RULE_VIOLATION options',
    ]);
    expect(
      updated(await shop.update(viewer, post, { options: ['a', 'c'], duration: 3 })).duration,
    ).toBe(3);
  });

  test('takes labels only where the network cannot change it', async () => {
    const { viewer, post } = await published('twitter');
    expect(
      refused(await shop.update(viewer, post, { text: 'New', labels: [{ name: 'x' }] })),
    ).toEqual(['RULE_VIOLATION text']);
    expect(
      await shop.sql('SELECT id FROM label WHERE workspace_id = $1', viewer.workspace.id),
    ).toEqual([]);
    expect(await shop.update(viewer, post, { labels: [{ name: 'x' }] })).toMatchObject({
      kind: 'updated',
      job: null,
      post: { version: 2, networkSync: null },
    });
  });
});

describe('where approval is required', () => {
  const team = async () => {
    const workspace = await shop.aWorkspace({ requiresApproval: true });
    const workspaceId = workspace.id;
    const owner = await shop.aViewer({ workspaceId, userId: workspace.ownerId, role: 'owner' });
    const admin = await shop.aViewer({ workspaceId, role: 'admin' });
    const editor = await shop.aViewer({ workspaceId, postActions: true });
    const notes = () =>
      shop.sql<{ user_id: string; kind: string }>(
        'SELECT user_id, kind FROM notification WHERE workspace_id = $1',
        workspaceId,
      );
    return { workspaceId, owner, admin, editor, notes };
  };

  test('a change by an editor makes the post wait and tells those who may approve', async () => {
    const { owner, admin, editor, notes } = await team();
    const post = await shop.aPost({ by: editor, cell: 'scheduled_approved' });
    expect(updated(await shop.update(editor, post, { labels: [{ name: 'x' }] })).cell).toBe(
      'scheduled_approved',
    );
    expect(await notes()).toEqual([]);
    expect(updated(await shop.update(editor, post, { text: 'New' })).cell).toBe(
      'scheduled_pending',
    );
    expect((await notes()).map((note) => note.user_id).sort()).toEqual(
      [owner.user.id, admin.user.id].sort(),
    );
    expect(updated(await shop.update(editor, post, { labels: [] })).cell).toBe('scheduled_pending');
    expect(await notes()).toHaveLength(2);
    expect(updated(await shop.update(editor, post, { text: 'Newer' })).cell).toBe(
      'scheduled_pending',
    );
    expect(await notes()).toHaveLength(4);
  });

  test('recycling posts wait too, drafts do not, and an admin’s change needs nobody', async () => {
    const { admin, editor, notes } = await team();
    const [recycling, draft, other] = [
      await shop.aPost({ by: editor, cell: 'recycling_active' }),
      await shop.aPost({ by: editor, cell: 'draft_dated' }),
      await shop.aPost({ by: editor }),
    ];
    expect(updated(await shop.update(editor, draft, { text: 'New' })).cell).toBe('draft_dated');
    expect(updated(await shop.update(admin, other, { text: 'New' })).cell).toBe('scheduled');
    expect(await notes()).toEqual([]);
    expect(updated(await shop.update(editor, recycling, { text: 'New' })).cell).toBe(
      'recycling_pending',
    );
    expect(await notes()).toHaveLength(2);
  });

  test('a published post takes an editor’s labels, and nothing that its network would show', async () => {
    const { workspaceId, editor, admin } = await team();
    const post = await shop.aPost({
      by: editor,
      cell: 'published_posted',
      account: await shop.anAccount({ workspaceId, network: 'linkedin' }),
    });
    expect(
      refused(await shop.update(editor, post, { text: 'New', labels: [{ name: 'x' }] })),
    ).toEqual(['APPROVAL_REQUIRED text']);
    expect(updated(await shop.update(editor, post, { labels: [{ name: 'x' }] })).version).toBe(2);
    expect(updated(await shop.update(admin, post, { text: 'New' })).version).toBe(3);
  });
});

describe('drafts and dates', () => {
  test('a private draft is its creator’s alone', async () => {
    const owner = await shop.aViewer();
    const editor = await shop.aViewer({ workspaceId: owner.workspace.id });
    const draft = await shop.aPost({ by: editor, cell: 'draft_private_undated' });
    expect(refused(await shop.update(owner, draft, { text: 'x' }))).toEqual(['FORBIDDEN']);
    expect(
      refused(await shop.update(owner, { id: String(draft.databaseId) }, { text: 'x' })),
    ).toEqual(['POST_NOT_FOUND']);
    expect(updated(await shop.update(editor, draft, { text: 'x' })).cell).toBe(
      'draft_private_undated',
    );
  });

  test.each([
    ['draft_undated', 'draft_dated'],
    ['draft_public_undated', 'draft_public_dated'],
    ['draft_private_undated', 'draft_private_dated'],
  ] as const)('%s with a date is %s, and back', async (undated, dated) => {
    const viewer = await shop.aViewer();
    const draft = await shop.aPost({ by: viewer, cell: undated });
    const at = new Date('2026-12-24T18:00:00Z');
    expect(updated(await shop.update(viewer, draft, { scheduledAt: at }))).toMatchObject({
      cell: dated,
      scheduledAt: at,
    });
    expect(updated(await shop.update(viewer, draft, { scheduledAt: null }))).toMatchObject({
      cell: undated,
      scheduledAt: null,
    });
    expect((await shop.stored(viewer, draft.id)).cell).toBe(undated);
  });

  test('a date is a minute ahead at least, and only drafts can do without', async () => {
    const viewer = await shop.aViewer();
    const post = await shop.aPost({ by: viewer });
    const at = (ms: number): Date => new Date(NOW.getTime() + ms);
    expect(refused(await shop.update(viewer, post, { scheduledAt: at(59_000) }))).toEqual([
      'RULE_VIOLATION scheduledAt',
    ]);
    expect(refused(await shop.update(viewer, post, { scheduledAt: null }))).toEqual([
      'RULE_VIOLATION scheduledAt',
    ]);
    expect(
      updated(await shop.update(viewer, post, { scheduledAt: at(60_000) })).scheduledAt,
    ).toEqual(at(60_000));
    for (const cell of ['failed', 'recycling_active', 'published_posted', 'recurring'] as const) {
      const other = await shop.aPost({
        by: viewer,
        cell,
        recurring: cell === 'recurring' ? { repeat: 'daily' } : null,
      });
      expect([
        cell,
        refused(await shop.update(viewer, other, { scheduledAt: at(120_000) })),
      ]).toEqual([cell, ['RULE_VIOLATION scheduledAt']]);
    }
  });
});
