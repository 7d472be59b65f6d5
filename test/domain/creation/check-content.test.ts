import { checkContent } from '../../../src/domain/creation/check-content.js';
import {
  CONTENT_LIMITS,
  type ContentLimit,
  CONTENT_NEEDS,
} from '../../../src/domain/creation/content-rules.js';
import type { LimitUnit } from '../../../src/domain/creation/limit-units.js';
import { enumKeys, type PostType } from '../../../src/domain/enums.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import type { Attachment } from '../../../src/domain/posts/post-content.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { aPost } from '../../fixtures/posts.js';

const attachment = (altText: string | null = null): Attachment => ({
  id: 'med_1',
  type: 'photo',
  url: 'https://media.example/1.jpg',
  altText,
  title: null,
  defaultThumbnail: null,
  thumbnails: null,
  userTags: [],
  collaboratorTags: [],
  productTags: [],
});
const attachments = (count: number): Attachment[] =>
  Array.from({ length: count }, () => attachment());

/** A post that has what any network needs, within the limits of all of them. */
const complete = (network: Network, type: PostType): Post =>
  aPost({
    network,
    type,
    text: 'Text',
    title: 'Title',
    url: 'https://example.com',
    options: type === 'poll' ? ['Yes', 'No'] : [],
    content: type === 'article' ? [{ type: 'paragraph', data: { text: 'Text' } }] : [],
    media:
      type === 'carousel'
        ? attachments(2)
        : ['status', 'link', 'poll', 'article'].includes(type)
          ? []
          : attachments(1),
    networkOptions: { boardId: '1' },
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
  code_points: (length) => '💚'.repeat(length),
  utf16: (length) => '💚'.repeat(length / 2) + 'a'.repeat(length % 2),
  graphemes: (length) => 'e\u0301'.repeat(length),
  bytes: (length) => '👨‍👩‍👧‍👦'.repeat(length / 25) + 'a'.repeat(length % 25),
  weighted: (length) => '語'.repeat(length / 2) + 'a'.repeat(length % 2),
};

function withLength(post: Post, { field, unit }: ContentLimit, length: number): Post {
  if (field === 'media') return { ...post, media: attachments(length) };
  if (field === 'options' && unit === 'items')
    return { ...post, options: Array.from({ length }, (_, index) => `Option ${index}`) };
  const text = TEXT_OF[unit as keyof typeof TEXT_OF](length);
  if (field === 'options') return { ...post, options: [text, 'No'] };
  if (field === 'tags') return { ...post, tags: [text.slice(0, 2), [...text].slice(2).join('')] };
  if (field === 'media.altText')
    return { ...post, media: [attachment(text), ...post.media.slice(1)] };
  return { ...post, [field]: text };
}

test.each(TYPES)('%s takes a complete %s', (network, type) => {
  expect(checkContent(complete(network, type), network)).toEqual([]);
});

test.each(LIMITS)('$network takes a $type with $name of $max and not one more', (limit) => {
  const post = complete(limit.network, limit.type);
  expect(checkContent(withLength(post, limit, limit.max), limit.network)).toEqual([]);
  const refusals = checkContent(withLength(post, limit, limit.max + 1), limit.network);
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

test('on the federated microblog a link counts as 23', () => {
  const link = `https://example.com/${'a'.repeat(1_000)}`;
  const textOf = (length: number) => aPost({ text: `${'a'.repeat(length - 24)} ${link}` });
  expect(checkContent(textOf(500), 'mastodon')).toEqual([]);
  expect(checkContent(textOf(501), 'mastodon')).toHaveLength(1);
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
