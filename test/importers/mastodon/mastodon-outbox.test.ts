import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { ImportedPost, ImportRecord } from '../../../src/domain/imports/imported-post.js';
import {
  readMastodonOutbox,
  type ReadOptions,
} from '../../../src/importers/mastodon/mastodon-outbox.js';
import {
  ACTOR,
  boostOf,
  createOf,
  FOLLOWERS,
  noteIdOf,
  OUTBOX_HEAD,
  outboxOf,
} from '../../fixtures/small-outbox.js';

type Options = ReadOptions & { chunk?: number };

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function records(
  json: string | Buffer,
  { chunk = 1 << 20, ...options }: Options = {},
): Promise<ImportRecord[]> {
  const read: ImportRecord[] = [];
  for await (const record of readMastodonOutbox(chunks(Buffer.from(json), chunk), options))
    read.push(record);
  return read;
}
const outcomes = async (json: string | Buffer, options?: Options): Promise<ImportRecord[]> =>
  (await records(json, options)).filter(({ kind }) => kind !== 'progress');
const posts = async (json: string | Buffer, options?: Options): Promise<ImportedPost[]> =>
  (await records(json, options)).flatMap((record) => (record.kind === 'post' ? [record.post] : []));
/** The one post of a note with these fields. */
const postOf = async (fields: Record<string, unknown>, options?: Options): Promise<ImportedPost> =>
  (await posts(outboxOf(createOf(fields)), options))[0]!;

describe('an archive', () => {
  const archive = readFileSync(path.join(__dirname, '../../fixtures/mastodon-outbox.json'));
  const server = 'https://pottery.example';
  const plain = {
    source: 'pottery.example/users/mira',
    cell: 'published_posted',
    title: null,
    excerpt: null,
    url: null,
    categories: [],
    tags: [],
    labels: [],
    language: 'de',
    poll: null,
    media: [],
    featuredMedia: null,
    figures: { likes: 0, comments: null, shares: 0 },
    content: [],
  };
  const expected = (number: string, at: string, fields: object): object => ({
    ...plain,
    sourceId: `${server}/users/mira/statuses/${number}`,
    remoteId: number,
    postLink: `${server}/@mira/${number}`,
    scheduledAt: new Date(at),
    createdAt: new Date(at),
    updatedAt: new Date(at),
    ...fields,
  });
  const file = (name: string, type: string, altText: string | null): object => ({
    url: `${server}${name}`,
    type,
    altText,
    title: null,
    caption: null,
  });

  it('is read in the words of this product', async () => {
    expect(await posts(archive)).toEqual([
      expected('109500000000000001', '2023-01-14T18:05:11Z', {
        type: 'status',
        figures: { likes: 12, comments: null, shares: 3 },
        text: 'Erster Brand im neuen Ofen. Kegel 6, langsam gekühlt.\n\nAlles dazu:\nhttps://www.pottery.example/werkstatt/brennprotokoll-2023-01-14?ofen=neu&kegel=6\n\n#Keramik #Töpfern',
      }),
      expected('109500000000000003', '2023-01-16T20:30:00Z', {
        type: 'photo',
        title: 'Zerbrochenes (nicht schlimm) & <ärgerlich>',
        text: 'Ein Riss, so lang wie mein Daumen. <seufz> :blobcatsad:',
        media: [
          file(
            '/media_attachments/files/109/500/000/000/000/003/original/riss.jpg',
            'photo',
            'Eine Schale mit einem feinen Riss vom Rand zum Boden',
          ),
          file(
            '/media_attachments/files/109/500/000/000/000/004/original/boden.jpg',
            'photo',
            null,
          ),
        ],
      }),
      expected('109500000000000005', '2023-02-01T09:00:00Z', {
        type: 'poll',
        text: 'Which glaze for the spring set?',
        language: 'en',
        poll: { options: ['Celadon', 'Tenmoku', '志野'], duration: 3 },
        figures: { likes: 4, comments: null, shares: 0 },
      }),
      expected('109500000000000006', '2023-02-02T10:00:00Z', {
        type: 'status',
        language: 'ja',
        labels: ['reply', 'unlisted'],
        text: '@jun@clay.example @ola はい、備前の土です。\n\n写真はあとで！',
      }),
      expected('109500000000000008', '2023-03-03T10:00:00Z', {
        type: 'status',
        labels: ['followers only'],
        text: 'Umzug der Werkstatt im Mai. Erst einmal nur hier.',
        updatedAt: new Date('2023-03-04T11:30:00Z'),
        figures: { likes: 2, comments: null, shares: 0 },
      }),
      expected('109500000000000009', '2023-04-01T12:00:00Z', {
        type: 'video',
        text: '',
        language: 'en',
        media: [
          file(
            '/system/media_attachments/files/109/500/000/000/000/009/original/wheel.mp4',
            'video',
            'A bowl is thrown on the wheel, seen from above',
          ),
        ],
      }),
      expected('109500000000000011', '2023-05-05T05:05:05Z', {
        type: 'link',
        url: 'https://clay.example/users/jun/statuses/109500000000000060',
        text: 'Genau so. Слава гончарам! مرحبا 👩🏽‍🎨',
      }),
      expected('109500000000000012', '2023-06-01T10:00:00Z', {
        type: 'poll',
        text: 'Mehrere gehen auch:',
        poll: { options: ['Tassen', 'Teller'], duration: 1 },
      }),
    ]);
  });

  it('has boosts, deletions and direct messages, which are named and are no posts', async () => {
    expect((await outcomes(archive)).filter(({ kind }) => kind !== 'post')).toEqual([
      {
        kind: 'skipped',
        reason: 'boost',
        sourceId: `${server}/users/mira/statuses/109500000000000002/activity`,
        postType: 'Announce',
        title: 'https://clay.example/users/jun/statuses/109499999999999999',
      },
      {
        kind: 'skipped',
        reason: 'direct',
        sourceId: `${server}/users/mira/statuses/109500000000000007/activity`,
        postType: 'Create',
        title: `${server}/users/mira/statuses/109500000000000007`,
      },
      {
        kind: 'skipped',
        reason: 'deletion',
        sourceId: `${server}/users/mira#delete/109500000000000010`,
        postType: 'Delete',
        title: `${server}/users/mira/statuses/109500000000000010`,
      },
    ]);
  });

  it('reads the same whatever the chunks, characters of several bytes cut apart included', async () => {
    const whole = await outcomes(archive);
    for (const chunk of [1, 2, 3, 61, 4_096])
      expect(await outcomes(archive, { chunk })).toEqual(whole);
  });
});

it.each<[string, object | string, string]>([
  ['a boost', boostOf(1), 'boost'],
  [
    'a boost of a whole post',
    { ...boostOf(1), object: { id: 'https://m.example/1', type: 'Note' } },
    'boost',
  ],
  ['a deletion', { id: 'x', type: 'Delete', object: noteIdOf(1) }, 'deletion'],
  ['a like', { id: 'x', type: 'Like', object: noteIdOf(1) }, 'other_activity'],
  ['an update', { ...createOf(), type: 'Update' }, 'other_activity'],
  ['an activity named as an object’s method', { id: 'x', type: 'toString' }, 'other_activity'],
  ['an activity without a type', { id: 'x' }, 'other_activity'],
  ['an article', createOf({ type: 'Article' }), 'not_a_post'],
  ['a post without an id', createOf({ id: null }), 'no_id'],
  ['a post without a time', { ...createOf({ published: 'gestern' }), published: 7 }, 'unreadable'],
  [
    'a time that does not exist',
    { ...createOf({ published: '2023-02-30T10:00:00Z' }), published: null },
    'unreadable',
  ],
  ['a post without text or files', createOf({ content: null }), 'unreadable'],
  ['a text that is none', createOf({ content: { de: 'x' } }), 'unreadable'],
  ['a post that is only named', { id: 'x', type: 'Create', object: noteIdOf(1) }, 'unreadable'],
  ['the id of a post', '"https://m.example/1"', 'unreadable'],
  ['a number', '12e3', 'unreadable'],
  ['null', 'null', 'unreadable'],
  ['a list', '[1,[2]]', 'unreadable'],
  ['what is not JSON', '{"id":"x","type":}', 'unreadable'],
  ['brackets that do not fit', '{"id":"x"]', 'unreadable'],
])('skips %s, and goes on', async (_, item, reason) => {
  expect(await outcomes(outboxOf(item, createOf({ number: 2 })))).toEqual([
    expect.objectContaining({ kind: 'skipped', reason }),
    { kind: 'post', post: expect.objectContaining({ remoteId: '2' }) },
  ]);
});

const EVERYBODY = 'https://www.w3.org/ns/activitystreams#Public';
it.each<[string, object, unknown]>([
  ['everybody', { to: [EVERYBODY], cc: [FOLLOWERS] }, []],
  ['everybody, as the one it is for', { to: 'as:Public', cc: null }, []],
  [
    'everybody who looks for it',
    { to: [FOLLOWERS], cc: [EVERYBODY, 'https://o.example/users/bob'] },
    ['unlisted'],
  ],
  ['followers', { to: [FOLLOWERS], cc: ['https://o.example/users/bob'] }, ['followers only']],
  ['one person', { to: ['https://o.example/users/bob'], cc: [] }, 'direct'],
  [
    'a group and its followers',
    { to: ['https://o.example/users/group', 'https://o.example/users/group/followers'], cc: [] },
    'direct',
  ],
  ['nobody', { to: [], cc: [] }, 'direct'],
  ['whom the activity names', { to: undefined, cc: undefined }, []],
  ['followers of nobody', { to: ['/followers'], cc: [], attributedTo: '' }, 'direct'],
])('knows a post for %s', async (_, fields, expected) => {
  const [record] = await outcomes(outboxOf(createOf({ ...fields })));
  expect(
    record?.kind === 'post' ? record.post.labels : record?.kind === 'skipped' && record.reason,
  ).toEqual(expected);
});

const media = async (attachment: unknown, mediaAddress?: string): Promise<unknown> =>
  (await postOf({ attachment }, { mediaAddress })).media.map(({ url, type }) => [url, type]);
it.each<[string, unknown, [string, string][]]>([
  [
    'a path',
    [
      {
        type: 'Document',
        mediaType: 'image/png',
        url: '/media_attachments/files/1/original/a.png',
      },
    ],
    [['https://m.example/media_attachments/files/1/original/a.png', 'photo']],
  ],
  [
    'a path under /system/',
    [{ type: 'Document', mediaType: 'image/gif', url: 'media_attachments/a.gif' }],
    [['https://m.example/system/media_attachments/a.gif', 'gif']],
  ],
  [
    'an address',
    [{ type: 'Image', mediaType: 'video/webm', url: 'http://files.example/a.webm' }],
    [['https://files.example/a.webm', 'video']],
  ],
  [
    'an address in a link, and one alone',
    { type: 'Document', url: [{ type: 'Link', href: 'https://files.example/a.gif' }] },
    [['https://files.example/a.gif', 'gif']],
  ],
  [
    'a sound',
    [{ type: 'Audio', mediaType: 'audio/ogg', url: '/a.ogg' }],
    [['https://m.example/a.ogg', 'document']],
  ],
  [
    'the same file twice',
    [{ url: '/a.png' }, { url: '/a.png' }],
    [['https://m.example/a.png', 'photo']],
  ],
  [
    'what is no file',
    [
      { type: 'Document' },
      { url: '' },
      { url: 7 },
      { url: 'data:image/png;base64,x' },
      { url: '//evil.example/a.png' },
      'a.png',
      null,
    ],
    [],
  ],
])('finds %s', async (_, attachment, expected) =>
  expect(await media(attachment)).toEqual(expected),
);

it('finds the files of an archive where it is told to', async () => {
  const attachments = [
    { mediaType: 'image/png', url: '/media_attachments/a.png' },
    { mediaType: 'image/png', url: 'media_attachments/b.png' },
    { mediaType: 'image/png', url: 'https://x.example/c.png' },
  ];
  expect(await media(attachments, 'https://files.m.example/cache/')).toEqual([
    ['https://files.m.example/cache/media_attachments/a.png', 'photo'],
    ['https://files.m.example/cache/media_attachments/b.png', 'photo'],
    ['https://x.example/c.png', 'photo'],
  ]);
  expect(
    (
      await posts(
        outboxOf({ ...createOf({ attachment: attachments, attributedTo: null }), actor: null }),
      )
    ).flatMap((post) => post.media.map(({ url }) => url)),
  ).toEqual(['https://x.example/c.png']);
});

it.each<[string, Record<string, unknown>, object]>([
  [
    'a picture',
    {
      attachment: [
        { mediaType: 'image/jpeg', url: '/a' },
        { mediaType: 'video/mp4', url: '/b' },
      ],
    },
    { type: 'photo' },
  ],
  ['a sound', { attachment: [{ mediaType: 'audio/mpeg', url: '/a' }] }, { type: 'status' }],
  [
    'a link with a preview',
    { attachment: [{ type: 'Link', href: 'https://b.example/x' }] },
    { type: 'link', url: 'https://b.example/x', media: [] },
  ],
  [
    'a poll that has not ended',
    {
      type: 'Question',
      oneOf: [{ name: 'a' }, { name: ' b ' }, { name: 7 }, null],
      endTime: '2023-01-02T04:04:05Z',
    },
    { type: 'poll', poll: { options: ['a', 'b'], duration: 1 } },
  ],
  [
    'a poll that was closed',
    { type: 'Question', anyOf: [{ name: 'a' }], closed: '2023-01-09T03:04:06Z' },
    { type: 'poll', poll: { options: ['a'], duration: 8 } },
  ],
  [
    'a poll without an end',
    { type: 'Question', oneOf: [{ name: 'a' }], closed: true },
    { type: 'poll', poll: { options: ['a'], duration: null } },
  ],
  ['a question without answers', { type: 'Question', oneOf: 'x' }, { type: 'status', poll: null }],
  ['a reply to itself', { inReplyTo: noteIdOf(1) }, { labels: ['reply'] }],
  [
    'a language among several',
    { content: '<p>b</p>', contentMap: { de: '<p>a</p>', 'pt-BR': '<p>b</p>' } },
    { language: 'pt-BR', text: 'b' },
  ],
  ['a language that is none', { content: 'b', contentMap: { 'x y': 'b' } }, { language: null }],
  [
    'text in the map alone',
    { content: undefined, contentMap: { de: '<p>a</p>' } },
    { language: 'de', text: 'a' },
  ],
  [
    'another server’s id',
    { id: 'https://m.example/objects/12ab' },
    { remoteId: null, sourceId: 'https://m.example/objects/12ab' },
  ],
  ['no address of its own', { url: null }, { postLink: noteIdOf(1) }],
  [
    'counts that are none',
    { likes: { totalItems: -1 }, shares: { totalItems: 1e300 }, replies: { totalItems: 3 } },
    { figures: { likes: null, comments: 3, shares: null } },
  ],
  [
    'a zone',
    { published: '2023-01-02T03:04:05.678+02:00' },
    { scheduledAt: new Date('2023-01-02T01:04:05.678Z') },
  ],
])('reads a post with %s', async (_, fields, expected) =>
  expect(await postOf(fields)).toMatchObject(expected),
);

describe('a file that is something else', () => {
  const others: [string, string, RegExp][] = [
    ['an empty file', '', /^the file is empty$/],
    ['blanks', ' \n', /^the file is empty$/],
    ['no JSON', 'Guten Tag', /not JSON: it begins with "Guten Tag"/],
    [
      'a WordPress export',
      '<?xml version="1.0"?>\n<rss version="2.0">',
      /WordPress export: `import wordpress` takes it/,
    ],
    ['a page', '<!doctype html><html>', /XML or HTML/],
    [
      'a zip archive',
      'PK\u0003\u0004x',
      /zip archive: unpack it and import the outbox\.json in it/,
    ],
    ['a packed archive', '\u001f\u008b\u0008', /compressed archive: unpack it/],
    ['a list', '[{}]', /is a list/],
    [
      'actor.json',
      JSON.stringify({
        '@context': [{ a: '}' }],
        id: ACTOR,
        type: 'Person',
        outbox: 'outbox.json',
      }),
      /account \(its type is "Person"\).*outbox\.json/,
    ],
    [
      'likes.json',
      '{"@context":"x","id":"likes.json","type":"OrderedCollection","orderedItems":["https://o.example/1"]}',
      /likes\.json, which lists others’ posts/,
    ],
    [
      'another object',
      '{"type":["Note"],"x":[1]}',
      /its type is \["Note"\] and not "OrderedCollection"/,
    ],
    [
      'the pages of a server',
      '{"type":"OrderedCollection","totalItems":2,"first":"https://m.example/o?page=1"}',
      /no list “orderedItems”.*pages/,
    ],
    ['an object without anything', '{}', /no list “orderedItems”/],
    ['items that are no list', '{"orderedItems":{"a":1}}', /orderedItems is no list/],
  ];
  it.each(others)('is named: %s', async (_, text, reason) => {
    expect(await outcomes(text)).toEqual([
      { kind: 'malformed', reason: expect.stringMatching(reason), position: expect.anything() },
    ]);
  });
});

const OPEN_LIST = outboxOf(createOf()).replace(/\]\}$/, '');
it.each<[string, string, string, RegExp]>([
  ['an item without a comma', `${OPEN_LIST}\n `, '{', /unexpected "\{"/],
  ['two commas', `${OPEN_LIST},`, ',', /unexpected ","/],
  ['an unknown word', '{\n"ä":', 'oops}\n\n', /unexpected "o"/],
  ['a number that is none', '{\n"ä":', '-x}', /not well-formed JSON/],
  ['text behind the end', `${OPEN_LIST}]}\n `, 'x', /unexpected "x"/],
  ['the end in the list', `${OPEN_LIST},\n`, '', /ends before the collection does/],
  ['the end in an item', `${OPEN_LIST},\n`, '{"id":"ü"', /what begins here has no end/],
])('reports the place of %s, after the items before it', async (_, before, after, reason) => {
  const position = {
    line: before.split('\n').length,
    column: before.split('\n').at(-1)!.length,
    byte: Buffer.byteLength(before),
  };
  for (const chunk of [1, 3, 1 << 20]) {
    expect(await outcomes(before + after, { chunk })).toEqual([
      ...(before.startsWith(OPEN_LIST) ? [expect.objectContaining({ kind: 'post' })] : []),
      { kind: 'malformed', reason: expect.stringMatching(reason), position },
    ]);
  }
});

it('reads any well-formed outbox as JSON.parse does, however it is written and cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.constantFrom(0, 2, '\r\n\t'),
      fc.integer({ min: 1, max: 50 }),
      async (values, space, chunk) => {
        const items = values.map((value, number) =>
          createOf({ number, other: value, content: JSON.stringify(value) }),
        );
        const text = JSON.stringify(
          { constructor: values, orderedItems: items, last: values },
          null,
          space,
        );
        expect((await posts(text, { chunk })).map(({ sourceId }) => sourceId)).toEqual(
          items.map((_, number) => noteIdOf(number)),
        );
      },
    ),
    { numRuns: 60 },
  );
});

it('never hands out an item that the file breaks off in, wherever it does', async () => {
  const text = Buffer.from(
    outboxOf(createOf({ number: 1, content: 'ä"}\\' }), boostOf(2), createOf({ number: 3 })),
  );
  const whole = await outcomes(text);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length - 1),
      fc.integer({ min: 1, max: 2_000 }),
      async (length, chunk) => {
        const read = await outcomes(text.subarray(0, length), { chunk });
        expect(read.at(-1)?.kind).toBe('malformed');
        expect(read.slice(0, -1)).toEqual(whole.slice(0, read.length - 1));
      },
    ),
    { numRuns: 60 },
  );
});

it('reads a file with a byte order mark, and one without items', async () => {
  expect(await posts(`\ufeff${outboxOf(createOf())}`, { chunk: 1 })).toHaveLength(1);
  expect(await outcomes(outboxOf())).toEqual([]);
});

it('skips an item larger than the bound, says which, and goes on', async () => {
  const text = outboxOf(
    createOf({ number: 1, content: 'x'.repeat(300_000) }),
    createOf({ number: 2 }),
  );
  for (const chunk of [1_000, 1 << 20]) {
    expect(await outcomes(text, { chunk, maxItemCharacters: 100_000 })).toEqual([
      {
        kind: 'skipped',
        reason: 'too_large',
        sourceId: `${noteIdOf(1)}/activity`,
        postType: null,
        title: `${noteIdOf(1)}/activity`,
      },
      { kind: 'post', post: expect.objectContaining({ remoteId: '2' }) },
    ]);
  }
});

it('lets text without end go instead of collecting it', async () => {
  const part = Buffer.alloc(1 << 20, 'x');
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${OUTBOX_HEAD}{"id":"long","content":"`);
    for (let megabyte = 0; megabyte < 80; megabyte += 1) yield part;
    yield Buffer.from('"}]}');
  }
  let largest = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const record of readMastodonOutbox(endless(), { maxItemCharacters: 1 << 20 })) {
    largest = Math.max(largest, process.memoryUsage().heapUsed - before);
    if (record.kind !== 'progress')
      expect(record).toMatchObject({ kind: 'skipped', reason: 'too_large', sourceId: 'long' });
  }
  expect(largest).toBeLessThan(60 * 1024 * 1024);
});

it('reads no further than the caller takes, and closes the file when the caller stops', async () => {
  let taken = 0;
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(OUTBOX_HEAD);
      for (taken = 0; taken < 50; taken += 1)
        yield Buffer.from(`${taken > 0 ? ',' : ''}${JSON.stringify(createOf({ number: taken }))}`);
      yield Buffer.from(']}');
    } finally {
      isClosed = true;
    }
  }
  for await (const record of readMastodonOutbox(source())) if (record.kind === 'post') break;
  expect([taken < 3, isClosed]).toEqual([true, true]);
});

it('tells how far it is', async () => {
  const text = outboxOf(createOf(), boostOf(2));
  expect((await records(text)).filter(({ kind }) => kind === 'progress')).toEqual([
    { kind: 'progress', reading: 'whole', bytes: Buffer.byteLength(text), items: 2 },
  ]);
});
