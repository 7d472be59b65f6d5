import { NETWORKS } from '../../domain/networks/networks.js';
import {
  WEEKDAYS,
  GAP_FREQUENCIES,
  REPEATS,
  type Post,
  type PostAnalytics,
} from '../../domain/posts/post.js';
import type { PostPage, PostView } from '../../domain/posts/post-query.js';
import { linkView, recurringView, recyclingView } from '../../domain/posts/post-views.js';
import { POST_STATES, stateOfCell } from '../../domain/posts/states.js';
import { POST_TYPES, wordsOf } from '../../domain/vocabulary.js';
import {
  postField,
  presentFields,
  presentPost,
  schemaOf,
  selectionOf,
  timestamp,
  timestampOrNull,
  type PostBodyField,
} from './body-fields.js';
import {
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  objectOf,
  oneOf,
  orNull,
  ref,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from './json-schema.js';
import { ACCOUNT_OF_POST, ANALYTICS, MEDIA, USER } from './record-bodies.js';

/** Posts in one answer of the list: the document has no parameter for it (D14). */
export const PER_PAGE = 10;

const NAMED: JsonSchema = orNull(TEXT);

/** "Post summary (items of a list result)". */
export const SUMMARY = {
  id: postField(described('Document identifier, 24 hex digits (D3).', TEXT), [], ({ id }) => id),
  text: postField(TEXT, ['text'], ({ text }) => text),
  url: postField(
    described('Of link posts; null for others.', NAMED),
    ['url', 'type'],
    ({ type, url }) => (type === 'link' ? url : null),
  ),
  state: postField(oneOf(wordsOf(POST_STATES)), [], ({ cell }) => stateOfCell(cell)),
  type: postField(oneOf(wordsOf(POST_TYPES)), ['type'], ({ type }) => type),
  account_id: postField(
    described('Null on a draft without an account.', NAMED),
    [],
    ({ accountId }) => accountId,
  ),
  user: postField(ref('User'), ['user'], ({ user }) => presentFields(USER, user)),
  scheduled_at: postField(orNull(TIMESTAMP), [], ({ scheduledAt }) => timestampOrNull(scheduledAt)),
  post_link: postField(NAMED, ['postLink'], ({ postLink }) => postLink),
  has_media: postField(BOOLEAN, ['hasMedia'], ({ hasMedia }) => hasMedia),
  network: postField(orNull(oneOf(wordsOf(NETWORKS))), ['network'], ({ network }) => network),
} satisfies Record<string, PostBodyField>;

const LINK = objectOf({ url: TEXT, title: NAMED, description: NAMED, image_url: NAMED });
const presentLink = (link: ReturnType<typeof linkView>) =>
  link && {
    url: link.url,
    title: link.title,
    description: link.description,
    image_url: link.imageUrl,
  };

const LABEL = objectOf({ id: TEXT, name: TEXT, color: described('`#rrggbb`.', TEXT) });

const RECYCLING = objectOf({
  solo: BOOLEAN,
  gap: INTEGER,
  gap_freq: oneOf(GAP_FREQUENCIES),
  start_date: orNull({ ...TEXT, format: 'date' }),
  expire_count: orNull(INTEGER),
});
const presentRecycling = (recycling: ReturnType<typeof recyclingView>) =>
  recycling && {
    solo: recycling.solo,
    gap: recycling.gap,
    gap_freq: recycling.gapFreq,
    start_date: recycling.startDate ?? null,
    expire_count: recycling.expireCount ?? null,
  };

const RECURRING = objectOf({
  frequency: oneOf(REPEATS),
  repeat_every: INTEGER,
  weekdays: listOf(oneOf(WEEKDAYS)),
  start_date: orNull(TIMESTAMP),
});
const presentRecurring = (rule: ReturnType<typeof recurringView>) =>
  rule && {
    frequency: rule.frequency,
    repeat_every: rule.repeatEvery,
    weekdays: rule.weekdays,
    start_date: timestampOrNull(rule.startDate),
  };

/** "Post detail (result of get and of update)". */
export const DETAIL = {
  id: SUMMARY.id,
  text: SUMMARY.text,
  state: SUMMARY.state,
  type: SUMMARY.type,
  account_id: SUMMARY.account_id,
  account: postField(
    orNull(ref('AccountOfPost')),
    ['account'],
    ({ account }) => account && presentFields(ACCOUNT_OF_POST, account),
  ),
  user: SUMMARY.user,
  scheduled_at: SUMMARY.scheduled_at,
  created_at: postField(TIMESTAMP, [], ({ createdAt }) => timestamp(createdAt)),
  updated_at: postField(TIMESTAMP, ['updatedAt'], ({ updatedAt }) => timestamp(updatedAt)),
  post_link: SUMMARY.post_link,
  media: postField(listOf(ref('Media')), ['media'], ({ media }) =>
    media.map((one) => presentFields(MEDIA, one)),
  ),
  link: postField(orNull(LINK), ['url', 'link', 'network'], (post) => presentLink(linkView(post))),
  labels: postField(listOf(LABEL), ['labels'], ({ labels }) =>
    labels.map(({ id, name, color }) => ({ id, name, color })),
  ),
  auto: postField(BOOLEAN, ['auto'], ({ auto }) => auto),
  recycling: postField(orNull(RECYCLING), ['recycling'], ({ recycling }) =>
    presentRecycling(recyclingView(recycling)),
  ),
  recurring: postField(orNull(RECURRING), ['recurring'], ({ recurring }) =>
    presentRecurring(recurringView(recurring)),
  ),
} satisfies Record<string, PostBodyField>;

/** What a list reads of each post. */
export const SUMMARY_SELECTION = selectionOf(SUMMARY);
/** Its version is the tag. */
const DETAIL_SELECTION: ReadonlySet<keyof Post> = new Set([...selectionOf(DETAIL), 'version']);
/** What a detail reads of its post. */
export const detailSelection = (analytics: boolean): ReadonlySet<keyof Post> =>
  analytics ? new Set([...DETAIL_SELECTION, 'analytics', 'origin']) : DETAIL_SELECTION;

/** The detail; with `analytics` also that key, on imported and synced posts only (D7). */
export function presentDetail(
  post: PostView,
  { analytics }: { analytics: boolean },
): Record<string, unknown> {
  const detail = presentPost(DETAIL, post);
  if (!analytics || post.origin === 'service') return detail;
  const figures: PostAnalytics | null = post.analytics ?? null;
  return { ...detail, analytics: figures && presentFields(ANALYTICS, figures) };
}

/** "List result". A page past the end has no posts (D14). */
export function presentList(
  page: number,
  { posts, totalCount = 0 }: PostPage,
): Record<string, unknown> {
  return {
    posts: posts.map((post) => presentPost(SUMMARY, post)),
    total: totalCount,
    page,
    per_page: PER_PAGE,
    total_pages: Math.ceil(totalCount / PER_PAGE),
  };
}

export const POST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PostSummary: schemaOf(SUMMARY),
  PostList: objectOf({
    posts: listOf(ref('PostSummary')),
    total: INTEGER,
    page: INTEGER,
    per_page: INTEGER,
    total_pages: INTEGER,
  }),
  PostDetail: objectOf(
    {
      ...(schemaOf(DETAIL).properties as Record<string, JsonSchema>),
      analytics: described(
        'Only with `analytics=true`, and only on imported and synced posts (D7).',
        orNull(ref('Analytics')),
      ),
    },
    ['analytics'],
  ),
};
