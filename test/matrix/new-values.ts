import { NETWORKS } from '../../src/domain/networks/networks.js';
import type { PatchField, PostPatch } from '../../src/domain/posts/post-fields.js';
import { NOW, type DemoPost } from './matrix-gateway.js';

const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(NOW.getTime() + days * DAY_MS);

/** A type that the network of the post supports: another one if there is one. */
function otherType({ network, type }: DemoPost): PostPatch['type'] {
  const types = network ? NETWORKS[network].postTypes : (['status', 'link'] as const);
  // A poll needs options.
  return types.find((candidate) => candidate !== type && candidate !== 'poll') ?? type;
}

/** The setting of `details` that may change after publication, where there is one. */
function newDetails({ network }: DemoPost): PostPatch['details'] {
  return network === 'facebook' ? { textFormatPresetId: 'matrix' } : { language: 'is' };
}

/**
 * A value for each field that no demo post has, and that a post accepts if it accepts any change of
 * the field.
 */
export const NEW_VALUES: {
  readonly [F in PatchField]: (post: DemoPost) => NonNullable<PostPatch[F]>;
} = {
  type: (post) => otherType(post)!,
  text: () => 'A text of the matrix',
  url: ({ network }) => (network === 'wordpress' ? 'matrix-slug' : 'https://example.com/matrix'),
  title: () => 'A title of the matrix',
  excerpt: () => 'An excerpt of the matrix',
  question: () => 'A question of the matrix?',
  duration: () => 364,
  featuredMedia: () => ({ path: 'https://example.com/matrix-featured.jpg' }),
  media: () => [{ path: 'https://example.com/matrix.jpg', caption: 'A picture' }],
  link: () => ({ description: 'A description of the matrix' }),
  details: (post) => newDetails(post)!,
  recycling: () => ({ gap: 999, gapFreq: 'months' }),
  // Far from the dates of other posts, because daily caps apply to its occurrences; a whole week,
  // because a series keeps its weekdays.
  recurring: () => ({
    startDate: '2031-03-01',
    endDate: '2031-03-07',
    repeat: 'daily',
    repeatRate: 1,
  }),
  content: () => [{ type: 'paragraph', data: { text: 'A paragraph of the matrix' } }],
  location: () => ({ id: 'matrix', name: 'A place' }),
  labels: () => [{ name: 'Matrix', color: '#123456' }],
  options: () => ['One', 'Two', 'Three'],
  tags: () => ['matrix'],
  categories: () => ['Matrix'],
  sublinks: () => [{ url: 'https://example.com/matrix-sublink' }],
  networkOptions: () => ({ boardId: '101' }),
  scheduledAt: () => inDays(400),
};
