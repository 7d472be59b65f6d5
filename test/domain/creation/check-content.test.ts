import {
  changedContentRefusals,
  checkContent,
  CONTENT_LIMITS,
  type ContentLimit,
  CONTENT_NEEDS,
} from '../../../src/domain/creation/check-publishable.js';
import { TEXT_LENGTHS, type LimitUnit } from '../../../src/domain/creation/limit-units.js';
import { enumKeys, type PostType } from '../../../src/domain/enums.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import type { Attachment } from '../../../src/domain/posts/post-content.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { aPost } from '../../fixtures/posts.js';

const attachment = (
  altText: string | null = null,
  type: Attachment['type'] = 'photo',
): Attachment => ({
  id: 'med_1',
  type,
  url: 'https://media.example/1.jpg',
  altText,
  title: null,
  defaultThumbnail: null,
  thumbnails: null,
  userTags: [],
  collaboratorTags: [],
  productTags: [],
});
/** The kinds of media of post types; photos of all others. */
const KINDS: Partial<Record<PostType, Attachment['type']>> = {
  gif: 'gif',
  video: 'video',
  reel: 'video',
  short: 'video',
  document: 'document',
};
const attachments = (count: number, type: PostType): Attachment[] =>
  Array.from({ length: count }, () => attachment(null, KINDS[type]));

/** A post that has what any network needs, within the limits of all of them. */
const complete = (network: Network, type: PostType): Post =>
  aPost({
    network,
    type,
    text: 'Text',
    title: 'Title',
    question: type === 'poll' ? 'Which?' : null,
    url: 'https://example.com',
    options: type === 'poll' ? ['Yes', 'No'] : [],
    content: type === 'article' ? [{ type: 'paragraph', data: { text: 'Text' } }] : [],
    media:
      type === 'carousel'
        ? attachments(2, type)
        : ['status', 'link', 'poll', 'article'].includes(type)
          ? []
          : attachments(1, type),
    networkOptions: { boardId: '1' },
    ...(network === 'tiktok' && { details: { privacy: 'SELF_ONLY' } }),
  });

const TYPES = enumKeys(NETWORKS).flatMap((network) =>
  NETWORKS[network].postTypes.map((type): [Network, PostType] => [network, type]),
);
const LIMITS = enumKeys(NETWORKS).flatMap((network) =>
  CONTENT_LIMITS[network].map((limit) => ({
    network,
    ...limit,
    name: `${limit.field} (${limit.unit})`,
  })),
);

/** A text of an exact length in a unit, of characters that have other lengths in other units. */
const TEXT_OF: Readonly<Record<Exclude<LimitUnit, 'items'>, (length: number) => string>> = {
  code_points: (length) => '𝒳'.repeat(length),
  utf16: (length) => '💚'.repeat(length / 2) + 'a'.repeat(length % 2),
  graphemes: (length) => 'e\u0301'.repeat(length),
  bytes: (length) => '👨‍👩‍👧‍👦'.repeat(length / 25) + 'a'.repeat(length % 25),
  weighted: (length) => '語'.repeat(length / 2) + 'a'.repeat(length % 2),
};

/** How much the network counts besides the text: a content warning, and the link of a link post. */
const lengthBesides = (post: Post, unit: LimitUnit): number =>
  unit === 'items' ? 0 : textLength({ ...post, text: 'x' }, unit) - 1;
const textLength = (post: Post, unit: Exclude<LimitUnit, 'items'>): number =>
  TEXT_LENGTHS[unit](NETWORKS[post.network!].countedText?.(post).text ?? post.text);

function withLength(post: Post, { field, unit }: ContentLimit, length: number): Post {
  if (field === 'media') return { ...post, media: attachments(length, post.type) };
  if (field === 'options' && unit === 'items')
    return { ...post, options: Array.from({ length }, (_, index) => `Option ${index}`) };
  const text = TEXT_OF[unit as keyof typeof TEXT_OF](length);
  if (field === 'options') return { ...post, options: [text, 'No'] };
  if (field === 'tags') return { ...post, tags: [text.slice(0, 2), [...text].slice(2).join('')] };
  if (field === 'media.altText')
    return { ...post, media: [{ ...post.media[0]!, altText: text }, ...post.media.slice(1)] };
  return { ...post, [field]: text };
}

/** A post whose value of a limited part has a length, as the network counts it. */
const withCountedLength = (post: Post, limit: ContentLimit, length: number): Post =>
  withLength(post, limit, length - (limit.field === 'text' ? lengthBesides(post, limit.unit) : 0));

test.each(TYPES)('%s takes a complete %s', (network, type) => {
  expect(checkContent(complete(network, type), network)).toEqual([]);
});

test.each(LIMITS)('$network takes a $type with $name of $max and not one more', (limit) => {
  const post = complete(limit.network, limit.type);
  expect(checkContent(withCountedLength(post, limit, limit.max), limit.network)).toEqual([]);
  const refusals = checkContent(withCountedLength(post, limit, limit.max + 1), limit.network);
  expect(refusals).toEqual([
    expect.objectContaining({
      code: 'RULE_VIOLATION',
      message: expect.stringContaining(`at most ${limit.max} `),
    }),
  ]);
  const [part] = limit.field.split('.');
  expect(refusals[0]!.path[0]).toBe(part);
});

test.each(TYPES)('%s says what an empty %s needs', (network, type) => {
  const needs = CONTENT_NEEDS[network][type]!;
  const empty = aPost({ network, type, text: ' ', url: null });
  expect(checkContent(empty, network).map(({ path }) => path.join('.'))).toEqual(
    needs.map(({ path }) => path.join('.')),
  );
});

test('one refusal for a text that exceeds two limits', () => {
  const post = aPost({ network: 'bluesky', text: 'a'.repeat(3_001) });
  expect(checkContent(post, 'bluesky')).toEqual([
    {
      code: 'RULE_VIOLATION',
      message: 'text may have at most 3000 bytes on bluesky; it has 3001.',
      path: ['text'],
      rule: 'D47',
    },
  ]);
});

type WithText = (filling: string) => Partial<Post>;
const LONG_PATH = 'a'.repeat(1_000);
/** How many characters fit into a text besides what the network counts with it. */
const FILLINGS: readonly (readonly [string, Network, number, WithText])[] = [
  ['a link', 'mastodon', 476, (filling) => ({ text: `${filling} https://kiosk.com/${LONG_PATH}` })],
  ['260 flags', 'mastodon', 240, (filling) => ({ text: '🇩🇪'.repeat(260) + filling })],
  [
    'a mention',
    'mastodon',
    493,
    (filling) => ({ text: `${filling} @alice@very-long-instance-name.example` }),
  ],
  ['a domain', 'mastodon', 486, (filling) => ({ text: `${filling} www.kaffee.de` })],
  ['a content warning', 'mastodon', 10, (filling) => ({ title: 'w'.repeat(490), text: filling })],
  [
    'a warning of its own',
    'mastodon',
    10,
    (filling) => ({
      title: 'Title',
      networkOptions: { spoilerText: 'w'.repeat(490) },
      text: filling,
    }),
  ],
  [
    'a question',
    'mastodon',
    198,
    (filling) => ({
      type: 'poll',
      options: ['a', 'b'],
      question: 'q'.repeat(300),
      text: filling,
    }),
  ],
  [
    'a link to share',
    'mastodon',
    475,
    (filling) => ({ type: 'link', url: 'https://kiosk.com/a', text: filling }),
  ],
  [
    'HTML',
    'telegram',
    4_093,
    (filling) => ({
      networkOptions: { parseMode: 'HTML' },
      text: `<b>${filling}</b><a href="https://kiosk.example">a</a>&amp;&#8364;`,
    }),
  ],
  [
    'MarkdownV2',
    'telegram',
    4_090,
    (filling) => ({
      networkOptions: { parseMode: 'MarkdownV2' },
      text: `*${filling}*||b||[c](https://kiosk.example/a_b)\\.\`d_\`__e__`,
    }),
  ],
  [
    'Markdown',
    'telegram',
    4_092,
    (filling) => ({
      networkOptions: { parseMode: 'Markdown' },
      text: `_${filling}_[b](https://kiosk.example/a_b)\\_\`c*\``,
    }),
  ],
  ['marks of a plain text', 'telegram', 4_094, (filling) => ({ text: `*${filling}*` })],
  [
    'a long address',
    'bluesky',
    270,
    (filling) => ({ text: `${filling} https://kiosk.example/${LONG_PATH}` }),
  ],
  ['emoji in bytes', 'threads', 471, (filling) => ({ text: `${filling}👨‍👩‍👧‍👦💚` })],
  [
    'a link that is sent apart',
    'threads',
    500,
    (filling) => ({ type: 'link', url: 'https://kiosk.com/a', text: filling }),
  ],
  [
    'a link to share',
    'twitter',
    255,
    (filling) => ({ type: 'link', url: 'https://kiosk.com/a', text: filling }),
  ],
];

test.each(FILLINGS)(
  'besides %s, a text on %s has %d characters',
  (_name, network, length, post) => {
    const refusals = (count: number) =>
      checkContent(aPost({ network, ...post('a'.repeat(count)) }), network);
    expect(refusals(length)).toEqual([]);
    expect(refusals(length + 1)).toEqual([
      expect.objectContaining({ path: ['text'], code: 'RULE_VIOLATION' }),
    ]);
  },
);

test('a refusal names all fields that count together', () => {
  const post = aPost({ title: 'w'.repeat(400), text: 'a'.repeat(101) });
  expect(checkContent(post, 'mastodon')).toEqual([
    {
      code: 'RULE_VIOLATION',
      message:
        'title and text together may have at most 500 characters on mastodon; they have 501.',
      path: ['text'],
      rule: 'D47',
    },
  ]);
});

/** A text with different links, and one of them twice. */
const withLinks = (count: number): string =>
  Array.from(
    { length: count + 1 },
    (_, index) => `https://kiosk.example/${(index % count) + 1}`,
  ).join(' ');

test.each<[Network, Partial<Post>, string]>([
  [
    'mastodon',
    { type: 'poll', text: 'Which?', options: ['a', 'b'], duration: 31 },
    'duration of a poll must be 1 to 30 days.',
  ],
  [
    'twitter',
    { type: 'poll', text: 'Which?', options: ['a', 'b'], duration: 8 },
    'duration of a poll must be 1 to 7 days.',
  ],
  [
    'mastodon',
    { networkOptions: { visibility: 'CONNECTIONS' } },
    'networkOptions.visibility must be public, unlisted, private or direct.',
  ],
  [
    'telegram',
    { networkOptions: { parseMode: 'html' } },
    'networkOptions.parseMode must be HTML, Markdown or MarkdownV2.',
  ],
  [
    'instagram',
    { type: 'photo', media: [attachment()], text: '#a '.repeat(31) },
    'text may have at most 30 hashtags.',
  ],
  [
    'instagram',
    { type: 'photo', media: [attachment()], text: '@a '.repeat(21) },
    'text may have at most 20 mentions.',
  ],
  [
    'instagram',
    { type: 'photo', media: [{ ...attachment(), userTags: [{ name: 'ada', x: 1 }] }] },
    'media must have userTags with the name of a user and, on photos, x and y.',
  ],
  [
    'instagram',
    { type: 'photo', media: [{ ...attachment(), collaboratorTags: Array(4).fill({ name: 'a' }) }] },
    'media may have at most 3 collaboratorTags.',
  ],
  [
    'instagram',
    {
      type: 'story',
      media: [attachment(null, 'video')],
      mediaFiles: [
        {
          mediaId: 'med_1',
          contentType: 'video/mp4',
          bytes: 101 * 1_048_576,
          size: null,
          video: null,
        },
      ],
    },
    'media.0 cannot be published: On instagram, a video may have at most 100 MB; it has 101 MB.',
  ],
  ['twitter', { text: '$AAPL and $brk.b' }, 'text may have at most one cashtag.'],
  [
    'twitter',
    { networkOptions: { replySettings: 'mentioned_only' } },
    'networkOptions.replySettings must be everyone, following, mentionedUsers, subscribers or verified.',
  ],
  [
    'threads',
    { networkOptions: { replySettings: 'nobody' } },
    'networkOptions.replySettings must be everyone, accounts_you_follow, mentioned_only, parent_post_author_only or followers_only.',
  ],
  [
    'threads',
    { type: 'poll', text: 'Which?', options: ['a', 'b'], duration: 2 },
    'duration of a poll must be 1 day.',
  ],
  [
    'threads',
    { type: 'link', url: 'https://kiosk.example/0', text: withLinks(5) },
    'text may have at most 5 links, with the link of a link post.',
  ],
])('%s refuses a value that it does not have', (network, post, message) => {
  expect(checkContent(aPost({ network, text: 'Text', ...post }), network)).toEqual([
    expect.objectContaining({ message }),
  ]);
});

test.each<[string, Network, Partial<Post>]>([
  ['one cashtag, and a price', 'twitter', { text: '$AAPL costs $200, US$EUR' }],
  ['five links, each counted once', 'threads', { text: withLinks(5) }],
  [
    '30 hashtags, 20 mentions, 3 collaborators and a tagged user',
    'instagram',
    {
      type: 'photo',
      text: '#a '.repeat(30) + '@a '.repeat(20),
      media: [
        {
          ...attachment(),
          userTags: [{ name: 'ada', x: 0, y: 1 }],
          collaboratorTags: Array(3).fill({ name: 'a' }),
        },
      ],
    },
  ],
  [
    'a video of 100 MB',
    'instagram',
    {
      type: 'story',
      media: [attachment(null, 'video')],
      mediaFiles: [
        {
          mediaId: 'med_1',
          contentType: 'video/mp4',
          bytes: 100 * 1_048_576,
          size: null,
          video: null,
        },
      ],
    },
  ],
])('%s: taken by %s', (_name, network, post) => {
  expect(checkContent(aPost({ network, ...post }), network)).toEqual([]);
});

test('a change of a published post obeys the limits of what it changes', () => {
  const long = aPost({ network: 'mastodon', title: 'w'.repeat(400), text: 'a'.repeat(200) });
  expect(changedContentRefusals(long, 'mastodon', ['labels'])).toEqual([]);
  expect(changedContentRefusals(long, 'mastodon', ['title'])).toHaveLength(1);
  const poll = aPost({ network: 'mastodon', type: 'poll', options: ['a', 'b'.repeat(51)] });
  expect(changedContentRefusals(poll, 'mastodon', ['text'])).toEqual([]);
  expect(changedContentRefusals(poll, 'mastodon', ['options']).map(({ path }) => path)).toEqual([
    ['options', '1'],
  ]);
});

const EVENT = {
  type: 'event',
  title: 'E'.repeat(58),
  start: '2026-12-01',
  end: '2026-12-02T10:00:00.000Z',
};
const ON_GOOGLE: readonly (readonly [Partial<Post>, readonly string[]])[] = [
  [{ details: EVENT }, []],
  [{ details: { ...EVENT, type: 'offer' } }, []],
  [{ details: { type: 'photo' } }, []],
  [{ details: { ...EVENT, title: 'E'.repeat(59) } }, ['details.title']],
  [{ details: { type: 'offer' } }, ['details.title', 'details.start', 'details.end']],
  [{ link: { callToAction: 'SHOP' } }, []],
  [{ link: { callToAction: 'shop' } }, []],
  [{ link: { callToAction: 'CALL' } }, ['link.callToAction']],
  [{ link: { callToAction: 'CALL' }, url: null }, []],
  [{ link: { callToAction: 'SHOP' }, url: null }, ['link.callToAction']],
  [{ link: { callToAction: 'GET_OFFER' } }, ['link.callToAction']],
  [{ link: { callToAction: 'SHOP' }, details: { ...EVENT, type: 'offer' } }, ['link.callToAction']],
];
test.each(ON_GOOGLE)('on Google, the problems of %j are %j', (fields, paths) => {
  const post = { ...complete('google', 'status'), ...fields };
  expect(checkContent(post, 'google').map(({ path }) => path.join('.'))).toEqual(paths);
});

const OWN_VALUES: readonly (readonly [Network, PostType, Partial<Post>, boolean])[] = [
  ['pinterest', 'photo', { networkOptions: { boardId: '1', boardSectionId: '2' } }, true],
  ['pinterest', 'photo', { networkOptions: { boardId: 'b1' } }, false],
  ['pinterest', 'photo', { networkOptions: { boardId: '1', boardSectionId: 'x' } }, false],
  ['linkedin', 'status', { networkOptions: { visibility: 'LOGGED_IN' } }, true],
  ['linkedin', 'status', { networkOptions: { visibility: 'public' } }, false],
  ['linkedin', 'poll', { duration: 14 }, true],
  ['linkedin', 'poll', { duration: 13 }, false],
  ['youtube', 'video', { networkOptions: { category: '26', playlistId: 'PL_a-1' } }, true],
  ['youtube', 'video', { networkOptions: { category: 'Music' } }, false],
  ['youtube', 'video', { networkOptions: { playlistId: 'a b' } }, false],
  ['youtube', 'video', { title: 'a < b' }, false],
  ['youtube', 'short', { text: 'a > b' }, false],
  // A tag with a space counts its quotation marks.
  ['youtube', 'video', { tags: ['t'.repeat(248), 't'.repeat(251)] }, true],
  ['youtube', 'video', { tags: ['t'.repeat(248), 't'.repeat(252)] }, false],
  ['youtube', 'video', { tags: [`t ${'t'.repeat(246)}`, 't'.repeat(249)] }, true],
  ['youtube', 'video', { tags: [`t ${'t'.repeat(246)}`, 't'.repeat(250)] }, false],
  ['tiktok', 'video', { details: null }, false],
  ['tiktok', 'carousel', { media: [attachment(), attachment(null, 'video')] }, false],
];
test.each(OWN_VALUES)('%s, %s: %j is taken: %s', (network, type, fields, isTaken) => {
  const post = { ...complete(network, type), ...fields };
  expect(checkContent(post, network)).toHaveLength(isTaken ? 0 : 1);
});

test('paths of options and alternative texts contain the index', () => {
  const poll = aPost({ network: 'twitter', type: 'poll', options: ['Yes', 'N'.repeat(26)] });
  expect(checkContent(poll, 'twitter').map(({ path }) => path)).toEqual([['options', '1']]);
  const pin = {
    ...complete('pinterest', 'carousel'),
    media: [attachment('a'), attachment('b'.repeat(501))],
  };
  expect(checkContent(pin, 'pinterest').map(({ path }) => path)).toEqual([
    ['media', '1', 'caption'],
  ]);
});
