import { PATCH_FIELDS, type PostPatch } from '../../../src/domain/posts/post-fields.js';
import { NOW, updatedPost, withServices } from '../../fixtures/services.js';

const services = withServices();

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
  networkOptions: { boardId: '101', sensitive: true },
  scheduledAt: new Date('2026-12-01T10:00:00Z'),
};

test('every field of a scheduled post can change, and is read back as returned', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const answer = updatedPost(await services.update(viewer, post, WHOLE_PATCH));
  const stored = await services.storedPost(viewer, post.id);
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
    networkOptions: WHOLE_PATCH.networkOptions,
    scheduledAt: WHOLE_PATCH.scheduledAt,
    updatedAt: NOW,
    storedState: 'recycling_active',
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
    await services.sql(
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

  const again = updatedPost(await services.update(viewer, post, WHOLE_PATCH));
  expect(again.version).toBe(2);
  const cleared = Object.fromEntries(
    PATCH_FIELDS.filter((field) => field !== 'type' && field !== 'scheduledAt').map((field) => [
      field,
      null,
    ]),
  ) as PostPatch;
  const empty = updatedPost(await services.update(viewer, post, { ...cleared, type: 'status' }));
  expect(await services.storedPost(viewer, post.id)).toEqual({ ...empty, user: expect.anything() });
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
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer, details: { language: 'de', feed: true } });
  const before = await services.allRows();
  for (const patch of [
    {},
    { text: post.text },
    { details: { feed: true } },
    { title: null, labels: [], media: null },
    { scheduledAt: post.scheduledAt! },
  ] as PostPatch[]) {
    expect(updatedPost(await services.update(viewer, post, patch)).version).toBe(1);
  }
  expect(await services.allRows()).toEqual(before);
});

test('a changed post is found by its new words, not by its old ones', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer, text: 'apples' });
  const found = async (query: string): Promise<number> =>
    (
      await services.store.list(
        viewer,
        {
          filter: { query },
          order: { field: 'scheduled_at', direction: 'desc' },
          slice: { kind: 'window', limit: 5, fromEnd: false },
        },
        { fields: new Set(), items: true, facets: false, totalCount: false },
      )
    ).posts.length;
  await services.update(viewer, post, { text: 'pears', title: 'Fruit' });
  expect([await found('apples'), await found('pears'), await found('fruit')]).toEqual([0, 1, 1]);
});
