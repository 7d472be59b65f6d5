import { boostOf, createOf, FOLLOWERS, noteIdOf, outboxOf } from '../../fixtures/small-outbox.js';
import { outcomesOf, postOf, postsOf } from './read-outbox.js';

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
  ['a post without an ID', createOf({ id: null }), 'no_id'],
  ['a post without a time', { ...createOf({ published: 'gestern' }), published: 7 }, 'unreadable'],
  [
    'a time that does not exist',
    { ...createOf({ published: '2023-02-30T10:00:00Z' }), published: null },
    'unreadable',
  ],
  ['a post without text or files', createOf({ content: null }), 'unreadable'],
  ['a text that is not a string', createOf({ content: { de: 'x' } }), 'unreadable'],
  [
    'a post that is only referenced',
    { id: 'x', type: 'Create', object: noteIdOf(1) },
    'unreadable',
  ],
  ['only the ID of a post', '"https://m.example/1"', 'unreadable'],
  ['a number', '12e3', 'unreadable'],
  ['null', 'null', 'unreadable'],
  ['a list', '[1,[2]]', 'unreadable'],
  ['invalid JSON', '{"id":"x","type":}', 'unreadable'],
  ['mismatched brackets', '{"id":"x"]', 'unreadable'],
])('skips %s and continues', async (_, item, reason) => {
  expect(await outcomesOf(outboxOf(item, createOf({ number: 2 })))).toEqual([
    expect.objectContaining({ kind: 'skipped', reason }),
    { kind: 'post', post: expect.objectContaining({ remoteId: '2' }) },
  ]);
});

const PUBLIC_COLLECTION = 'https://www.w3.org/ns/activitystreams#Public';
it.each<[string, object, unknown]>([
  ['everyone', { to: [PUBLIC_COLLECTION], cc: [FOLLOWERS] }, []],
  ['everyone, as a single value', { to: 'as:Public', cc: null }, []],
  [
    'everyone, but unlisted',
    { to: [FOLLOWERS], cc: [PUBLIC_COLLECTION, 'https://o.example/users/bob'] },
    ['unlisted'],
  ],
  ['followers', { to: [FOLLOWERS], cc: ['https://o.example/users/bob'] }, ['followers only']],
  ['one person', { to: ['https://o.example/users/bob'], cc: [] }, 'direct'],
  [
    'a group and its followers',
    { to: ['https://o.example/users/group', 'https://o.example/users/group/followers'], cc: [] },
    'direct',
  ],
  ['no one', { to: [], cc: [] }, 'direct'],
  ['the audience of the activity', { to: undefined, cc: undefined }, []],
  ['followers without an account', { to: ['/followers'], cc: [], attributedTo: '' }, 'direct'],
])('recognizes a post for %s', async (_, fields, expected) => {
  const [record] = await outcomesOf(outboxOf(createOf({ ...fields })));
  expect(
    record?.kind === 'post' ? record.post.labels : record?.kind === 'skipped' && record.reason,
  ).toEqual(expected);
});

const media = async (attachment: unknown, mediaUrl?: string): Promise<unknown> =>
  (await postOf({ attachment }, { mediaUrl })).media.map(({ url, type }) => [url, type]);
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
    'a URL',
    [{ type: 'Image', mediaType: 'video/webm', url: 'http://files.example/a.webm' }],
    [['https://files.example/a.webm', 'video']],
  ],
  [
    'a URL in a link, as a single attachment',
    { type: 'Document', url: [{ type: 'Link', href: 'https://files.example/a.gif' }] },
    [['https://files.example/a.gif', 'gif']],
  ],
  [
    'an audio file',
    [{ type: 'Audio', mediaType: 'audio/ogg', url: '/a.ogg' }],
    [['https://m.example/a.ogg', 'document']],
  ],
  [
    'the same file twice',
    [{ url: '/a.png' }, { url: '/a.png' }],
    [['https://m.example/a.png', 'photo']],
  ],
  [
    'no file in invalid attachments',
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

it('uses the given base URL for the files of an archive', async () => {
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
      await postsOf(
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
  ['an audio file', { attachment: [{ mediaType: 'audio/mpeg', url: '/a' }] }, { type: 'status' }],
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
  ['a question without options', { type: 'Question', oneOf: 'x' }, { type: 'status', poll: null }],
  ['a reply to itself', { inReplyTo: noteIdOf(1) }, { labels: ['reply'] }],
  [
    'a language among several',
    { content: '<p>b</p>', contentMap: { de: '<p>a</p>', 'pt-BR': '<p>b</p>' } },
    { language: 'pt-BR', text: 'b' },
  ],
  ['a language in camel case', { content: 'b', contentMap: { zhCn: 'b' } }, { language: 'zh-CN' }],
  [
    'sensitive media without a warning',
    { sensitive: true },
    { labels: ['sensitive'], title: null },
  ],
  [
    'sensitive media with a warning',
    { sensitive: true, summary: 'Hund' },
    { labels: [], title: 'Hund' },
  ],
  [
    'the votes of a poll',
    {
      type: 'Question',
      oneOf: [
        { name: 'a', replies: { type: 'Collection', totalItems: 3 } },
        { name: '', replies: { type: 'Collection', totalItems: 9 } },
        { name: 'b', replies: { type: 'Collection', totalItems: 0 } },
      ],
    },
    { poll: { options: ['a', 'b'] }, engagement: { pollVotes: [3, 0] } },
  ],
  [
    'a poll that lacks votes',
    { oneOf: [{ name: 'a', replies: { totalItems: 3 } }, { name: 'b' }] },
    { engagement: { pollVotes: null } },
  ],
  ['an invalid language', { content: 'b', contentMap: { 'x y': 'b' } }, { language: null }],
  [
    'text only in the content map',
    { content: undefined, contentMap: { de: '<p>a</p>' } },
    { language: 'de', text: 'a' },
  ],
  [
    'an ID of other software',
    { id: 'https://m.example/objects/12ab' },
    { remoteId: null, sourceId: 'https://m.example/objects/12ab' },
  ],
  [
    'invalid counts',
    { likes: { totalItems: -1 }, shares: { totalItems: 1e300 }, replies: { totalItems: 3 } },
    { engagement: { likes: null, comments: 3, shares: null } },
  ],
  ['no URL of its own', { url: null }, { postLink: noteIdOf(1) }],
  [
    'a time zone',
    { published: '2023-01-02T03:04:05.678+02:00' },
    { scheduledAt: new Date('2023-01-02T01:04:05.678Z') },
  ],
])('reads a post with %s', async (_, fields, expected) =>
  expect(await postOf(fields)).toMatchObject(expected),
);
