import { exportOf, itemOf } from '../../fixtures/small-wxr.js';
import { NOW, outcomesOf, postsOf } from './read-export.js';

it('converts all fields of a post', async () => {
  const [post] = await postsOf(
    exportOf(
      itemOf({
        id: 7,
        title: 'Brot &amp; <em>Salz</em>',
        body: 'Erster Absatz.\n\nZweiter <b>Absatz</b>.',
        excerpt: 'Kurz.',
        name: 'brot',
        categories: ['Essen &amp; Trinken', 'Essen &amp; Trinken'],
        tags: ['brot', 'salz'],
        comments: ['1', '0', '1', 'spam'],
        extra: '<wp:post_modified_gmt>2020-06-01 08:09:10</wp:post_modified_gmt>',
      }),
    ),
  );
  expect(post).toEqual({
    source: '',
    sourceId: '7',
    remoteId: '7',
    storedState: 'published_posted',
    type: 'article',
    title: 'Brot & Salz',
    text: 'Erster Absatz.\n\nZweiter Absatz.',
    excerpt: 'Kurz.',
    url: 'brot',
    postLink: 'https://blog.example/brot/',
    scheduledAt: new Date('2020-05-01T12:00:00Z'),
    createdAt: new Date('2020-05-01T12:00:00Z'),
    updatedAt: new Date('2020-06-01T08:09:10Z'),
    categories: ['Essen & Trinken'],
    tags: ['brot', 'salz'],
    labels: [],
    language: null,
    poll: null,
    media: [],
    featuredMedia: null,
    engagement: { likes: null, comments: 2, shares: null, pollVotes: null },
    content: [
      { type: 'paragraph', data: { text: 'Erster Absatz.' } },
      { type: 'paragraph', data: { text: 'Zweiter <b>Absatz</b>.' } },
    ],
  });
});

const ZERO = '0000-00-00 00:00:00';
it.each([
  ['publish', '2020-05-01 12:00:00', '', 'published_posted', '2020-05-01T12:00:00.000Z'],
  ['publish', '2020-05-01 12:00:00', 'geheim', 'published_hidden', '2020-05-01T12:00:00.000Z'],
  ['publish', ZERO, '', 'published_posted', '2020-05-01T14:00:00.000Z'],
  ['private', '2020-05-01 12:00:00', '', 'published_hidden', '2020-05-01T12:00:00.000Z'],
  ['future', '2030-05-01 12:00:00', 'geheim', 'scheduled', '2030-05-01T12:00:00.000Z'],
  ['future', '2030-05-01 12:00:00', '', 'scheduled', '2030-05-01T12:00:00.000Z'],
  ['draft', '2020-05-01 12:00:00', '', 'draft_dated', '2020-05-01T12:00:00.000Z'],
  ['draft', ZERO, '', 'draft_undated', null],
  ['auto-draft', ZERO, '', 'draft_undated', null],
  ['pending', '2030-05-01 12:00:00', '', 'scheduled_pending', '2030-05-01T12:00:00.000Z'],
  ['pending', '2020-05-01 12:00:00', '', 'draft_public_dated', '2020-05-01T12:00:00.000Z'],
  ['pending', ZERO, '', 'draft_public_undated', null],
])(
  'converts status %s with date %s and password "%s" to %s',
  async (status, dateGmt, password, storedState, at) => {
    const [post] = await postsOf(exportOf(itemOf({ status, dateGmt, password })));
    expect([post?.storedState, post?.scheduledAt?.toISOString() ?? null]).toEqual([
      storedState,
      at,
    ]);
    expect(post?.postLink).toBe(
      storedState.startsWith('published') ? 'https://blog.example/ein-titel/' : null,
    );
    expect(post?.labels).toEqual(password === '' ? [] : ['password protected']);
    expect(post?.createdAt === null || (post?.createdAt ?? NOW) <= NOW).toBe(true);
  },
);

it('ignores a date that does not exist', async () => {
  const [post] = await postsOf(
    exportOf(itemOf({ status: 'draft', dateGmt: '2021-02-30 10:00:00' })),
  );
  expect(post?.storedState).toBe('draft_undated');
});

it.each([
  [{ type: 'page' }, 'not_a_post'],
  [{ type: 'attachment', attachmentUrl: 'https://blog.example/a.jpg' }, 'attachment'],
  [{ status: 'trash' }, 'trashed'],
  [{ status: 'toString' }, 'unknown_status'],
  [{ id: null }, 'no_id'],
])('skips %j as %s', async (item, reason) => {
  expect(await outcomesOf(exportOf(itemOf({ title: 'T', ...item })))).toEqual([
    expect.objectContaining({ kind: 'skipped', reason, title: 'T' }),
  ]);
});

it('finds the featured image and alternative texts that follow the post', async () => {
  const [post] = await postsOf(
    exportOf(
      itemOf({
        id: 1,
        meta: { _thumbnail_id: '11' },
        body: '<img class="wp-image-12" src="https://blog.example/b-300x200.png">\n\n[gallery ids="13"]',
      }),
      itemOf({
        id: 11,
        type: 'attachment',
        title: 'Titel',
        excerpt: 'Unterschrift',
        attachmentUrl: 'https://blog.example/a.jpg',
        meta: { _wp_attachment_image_alt: 'Ein Hund' },
      }),
      itemOf({
        id: 12,
        type: 'attachment',
        parent: 1,
        title: 'B',
        attachmentUrl: 'https://blog.example/b.png',
        meta: { _wp_attachment_image_alt: 'Eine Katze' },
      }),
      itemOf({
        id: 13,
        type: 'attachment',
        title: 'C',
        attachmentUrl: 'https://blog.example/c.gif',
      }),
      itemOf({
        id: 14,
        type: 'attachment',
        parent: 1,
        title: 'D',
        attachmentUrl: 'https://blog.example/d.mp4',
      }),
      itemOf({
        id: 15,
        type: 'attachment',
        parent: 1,
        title: 'E',
        attachmentUrl: 'ftp://blog.example/e.jpg',
      }),
    ),
  );
  const a = {
    url: 'https://blog.example/a.jpg',
    type: 'photo',
    altText: 'Ein Hund',
    title: 'Titel',
    caption: 'Unterschrift',
  };
  expect(post?.featuredMedia).toEqual(a);
  expect(post?.media).toEqual([
    a,
    {
      url: 'https://blog.example/b-300x200.png',
      type: 'photo',
      altText: 'Eine Katze',
      title: 'B',
      caption: null,
    },
    { url: 'https://blog.example/c.gif', type: 'gif', altText: null, title: 'C', caption: null },
    { url: 'https://blog.example/d.mp4', type: 'video', altText: null, title: 'D', caption: null },
  ]);
});

it('recognizes resized copies of a picture, and pictures with similar names', async () => {
  const image = (name: string): string => `<img src="https://blog.example/${name}">`;
  const [post] = await postsOf(
    exportOf(
      itemOf({
        id: 1,
        body: [
          image('a-300x200.jpg'),
          image('b-580x300.jpg'),
          image('b-150x150.jpg'),
          image('a.jpg'),
        ].join('\n\n'),
      }),
      ...['a.jpg', 'b-580x300.jpg'].map((name, index) =>
        itemOf({
          id: 20 + index,
          type: 'attachment',
          parent: 1,
          title: name,
          attachmentUrl: `https://blog.example/${name}`,
        }),
      ),
    ),
  );
  expect(
    post?.media.map(({ url, title }) => [url.slice('https://blog.example/'.length), title]),
  ).toEqual([
    ['a-300x200.jpg', 'a.jpg'],
    ['b-580x300.jpg', 'b-580x300.jpg'],
    ['b-150x150.jpg', null],
  ]);
});
