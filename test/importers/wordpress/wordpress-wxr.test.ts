import fc from 'fast-check';
import type { ImportedPost, ImportRecord } from '../../../src/domain/imports/imported-post.js';
import {
  readWordpressExport,
  type ReadOptions,
} from '../../../src/importers/wordpress/wordpress-wxr.js';
import { EXPORT_HEAD, exportOf, itemOf } from '../../fixtures/small-wxr.js';

const NOW = new Date('2024-01-01T00:00:00Z');
type Options = Partial<ReadOptions> & { chunk?: number };

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function records(
  xml: string | Buffer,
  { chunk = 1 << 20, ...options }: Options = {},
): Promise<ImportRecord[]> {
  const read: ImportRecord[] = [];
  for await (const record of readWordpressExport(() => chunks(Buffer.from(xml), chunk), {
    now: NOW,
    ...options,
  }))
    read.push(record);
  return read;
}
const outcomes = async (xml: string | Buffer, options?: Options): Promise<ImportRecord[]> =>
  (await records(xml, options)).filter(({ kind }) => kind !== 'progress');
const posts = async (xml: string, options?: Options): Promise<ImportedPost[]> =>
  (await records(xml, options)).flatMap((record) => (record.kind === 'post' ? [record.post] : []));

it('reads a whole post in the words of this product', async () => {
  const [post] = await posts(
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
    cell: 'published_posted',
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
    figures: { likes: null, comments: 2, shares: null },
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
  ['future', '2030-05-01 12:00:00', '', 'scheduled', '2030-05-01T12:00:00.000Z'],
  ['draft', '2020-05-01 12:00:00', '', 'draft_dated', '2020-05-01T12:00:00.000Z'],
  ['draft', ZERO, '', 'draft_undated', null],
  ['auto-draft', ZERO, '', 'draft_undated', null],
  ['pending', '2030-05-01 12:00:00', '', 'scheduled_pending', '2030-05-01T12:00:00.000Z'],
  ['pending', '2020-05-01 12:00:00', '', 'draft_public_dated', '2020-05-01T12:00:00.000Z'],
  ['pending', ZERO, '', 'draft_public_undated', null],
])(
  'turns status %s of %s with password "%s" into %s',
  async (status, dateGmt, password, cell, at) => {
    const [post] = await posts(exportOf(itemOf({ status, dateGmt, password })));
    expect([post?.cell, post?.scheduledAt?.toISOString() ?? null]).toEqual([cell, at]);
    expect(post?.postLink).toBe(
      cell.startsWith('published') ? 'https://blog.example/ein-titel/' : null,
    );
    expect(post?.createdAt === null || (post?.createdAt ?? NOW) <= NOW).toBe(true);
  },
);

it('counts a date that does not exist as none', async () => {
  const [post] = await posts(exportOf(itemOf({ status: 'draft', dateGmt: '2021-02-30 10:00:00' })));
  expect(post?.cell).toBe('draft_undated');
});

it.each([
  [{ type: 'page' }, 'not_a_post'],
  [{ type: 'attachment', attachmentUrl: 'https://blog.example/a.jpg' }, 'attachment'],
  [{ status: 'trash' }, 'trashed'],
  [{ status: 'toString' }, 'unknown_status'],
  [{ id: null }, 'no_id'],
])('skips %j as %s', async (item, reason) => {
  expect(await outcomes(exportOf(itemOf({ title: 'T', ...item })))).toEqual([
    expect.objectContaining({ kind: 'skipped', reason, title: 'T' }),
  ]);
});

it('finds featured image and alternative texts that stand behind the post', async () => {
  const [post] = await posts(
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

it('knows the smaller copy of a picture, and pictures that are only named alike', async () => {
  const image = (name: string): string => `<img src="https://blog.example/${name}">`;
  const [post] = await posts(
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

const NOT_CLOSED = `${EXPORT_HEAD}${itemOf({ id: 1 })}<item><title>Ä</title><wp:post_id>2</wp:post_id><oops></item>`;
it('reports where a file breaks, after the items before that place', async () => {
  const read = await outcomes(NOT_CLOSED);
  const line = NOT_CLOSED.split('\n').length;
  expect(read.map(({ kind }) => kind)).toEqual(['post', 'malformed']);
  expect(read[1]).toEqual({
    kind: 'malformed',
    reason: 'unexpected close tag',
    position: {
      line,
      column: (NOT_CLOSED.split('\n').at(-1) ?? '').length,
      byte: Buffer.byteLength(NOT_CLOSED),
    },
  });
});

it('counts the lines and characters of texts into the position, wherever the file is cut apart', async () => {
  for (const body of ['a\nbü\n', 'a\r\nb', 'x]]y]', '\n\n]]', '<![CDATA[ <!-- ']) {
    const xml = `${EXPORT_HEAD}<!-- <![CDATA[ --><item><title><![CDATA[${body}]]></title>Ä<b><![CDATA[${body}]]></oops></item>`;
    const upTo = xml.slice(0, xml.indexOf('</oops>') + '</oops>'.length);
    const position = {
      line: upTo.split('\n').length,
      column: upTo.split('\n').at(-1)!.length,
      byte: Buffer.byteLength(upTo),
    };
    for (const chunk of [1, 2, 3, 5, 1 << 20])
      expect(await outcomes(xml, { chunk })).toEqual([
        { kind: 'malformed', reason: expect.any(String), position },
      ]);
  }
});

it.each([
  ['an empty file', '', /root element/],
  ['no XML', '{"posts": []}', /./],
  ['another XML file', '<html><body/></html>', /not a WordPress export.*<html>/],
  [
    'another encoding',
    '<?xml version="1.0" encoding="ISO-8859-1"?><rss/>',
    /ISO-8859-1; only UTF-8/,
  ],
  ['an entity of its own', '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss>&a;</rss>', /entity/],
])('refuses %s', async (_, xml, reason) => {
  expect(await outcomes(xml)).toEqual([
    { kind: 'malformed', reason: expect.stringMatching(reason), position: expect.anything() },
  ]);
});

it('never hands out an item that the file breaks off in, wherever it does', async () => {
  const xml = Buffer.from(
    exportOf(
      itemOf({ id: 1, title: 'Ä' }),
      itemOf({ id: 2, body: 'Zwei ü\n\nDrei' }),
      itemOf({ id: 3 }),
    ),
  );
  const ends = [1, 2, 3]
    .map((n) => xml.toString().split('</item>').slice(0, n).join('</item>'))
    .map((text) => Buffer.byteLength(text) + 7);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(xml.length - 20),
      fc.integer({ min: 1, max: 3_000 }),
      async (length, chunk) => {
        const read = await outcomes(xml.subarray(0, length), { chunk });
        expect(
          read.flatMap((record) => (record.kind === 'post' ? [record.post.sourceId] : [])),
        ).toEqual(['1', '2', '3'].slice(0, ends.filter((end) => end <= length).length));
        expect(read.at(-1)?.kind).toBe('malformed');
      },
    ),
    { numRuns: 60 },
  );
});

it('reads the same whatever the chunks, characters of several bytes cut apart included', async () => {
  const xml = exportOf(
    itemOf({ id: 1, body: 'Grüße 😀 ]]> &amp; Ende' }),
    itemOf({ id: 2, title: 'Zweiter' }),
  );
  const whole = await outcomes(xml);
  for (const chunk of [1, 2, 3, 7, 61]) expect(await outcomes(xml, { chunk })).toEqual(whole);
  expect(whole[0]).toMatchObject({ post: { text: 'Grüße 😀 ]]> & Ende' } });
});

it('reads old exports, other prefixes and control characters', async () => {
  const xml = exportOf(itemOf({ id: 1, title: 'a\u0008b' }))
    .replaceAll('wp:', 'w:')
    .replace('xmlns:wp', 'xmlns:w')
    .replace('export/1.2/"', 'export/1.0/"');
  expect((await posts(xml)).map(({ title }) => title)).toEqual(['a b']);
});

it('skips an item larger than the bound, says which, and goes on', async () => {
  const xml = exportOf(
    itemOf({ id: 1, title: 'Groß', body: 'x'.repeat(300_000) }),
    itemOf({ id: 2, extra: `<wp:comment>${'y'.repeat(400_000)}</wp:comment>` }),
  );
  expect(await outcomes(xml, { maxItemCharacters: 100_000 })).toEqual([
    { kind: 'skipped', reason: 'too_large', sourceId: '1', postType: 'post', title: 'Groß' },
    { kind: 'post', post: expect.objectContaining({ sourceId: '2' }) },
  ]);
});

it('lets text without end go instead of collecting it', async () => {
  const line = Buffer.alloc(1 << 20, 'x');
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${EXPORT_HEAD}<item><content:encoded><![CDATA[`);
    for (let megabyte = 0; megabyte < 80; megabyte += 1) yield line;
    yield Buffer.from(
      `]]></content:encoded><wp:post_id>9</wp:post_id><wp:post_type>post</wp:post_type></item></channel></rss>`,
    );
  }
  let largest = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const record of readWordpressExport(endless, {
    now: NOW,
    maxItemCharacters: 1 << 20,
  })) {
    largest = Math.max(largest, process.memoryUsage().heapUsed - before);
    if (record.kind !== 'progress')
      expect(record).toMatchObject({ kind: 'skipped', reason: 'too_large', sourceId: '9' });
  }
  expect(largest).toBeLessThan(60 * 1024 * 1024);
});

it('reads no further than the caller takes, and closes the file when the caller stops', async () => {
  let taken = 0;
  let closed = 0;
  const part = Buffer.from(itemOf({ id: 5 }));
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(EXPORT_HEAD);
      for (taken = 0; taken < 50; taken += 1) yield part;
      yield Buffer.from('</channel></rss>');
    } finally {
      closed += 1;
    }
  }
  for await (const record of readWordpressExport(source, { now: NOW }))
    if (record.kind === 'post') break;
  expect(taken).toBeLessThan(3);
  expect(closed).toBe(2);
});

it('tells how far it is in both readings', async () => {
  const xml = exportOf(itemOf({ id: 1 }), itemOf({ id: 2, type: 'page' }));
  const progress = (await records(xml)).filter(({ kind }) => kind === 'progress');
  const bytes = Buffer.byteLength(xml);
  expect(progress).toEqual([
    { kind: 'progress', reading: 'library', bytes, items: 2 },
    { kind: 'progress', reading: 'posts', bytes, items: 2 },
  ]);
});
