import type { OccurrenceChanges } from '../../domain/calendar/occurrence-dates.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import { WEEKDAYS, GAP_FREQUENCIES, REPEATS } from '../../domain/posts/post-settings.js';
import type { Label } from '../../domain/posts/post-content.js';
import type { PostAnalytics } from '../../domain/numbers/numbers.js';
import type { Account, Post, UserSummary } from '../../domain/posts/post.js';
import type { PostPage, PostView } from '../../domain/posts/post-query.js';
import {
  toPostLinkView,
  toRecurringRuleView,
  toRecyclingView,
} from '../../domain/posts/presented-settings.js';
import { POST_STATES, toPostState } from '../../domain/posts/states.js';
import { POST_TYPES, enumKeys } from '../../domain/enums.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import {
  field,
  postField,
  presentFields,
  presentPost,
  schemaOf,
  selectionOf,
  type PostBodyField,
} from '../body-fields.js';
import {
  BOOLEAN,
  withDescription,
  INTEGER,
  arrayOf,
  NUMBER,
  objectOf,
  enumOf,
  nullable,
  ref,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from '../../http/json-schema.js';
import { MEDIA } from '../media/media-bodies.js';
import { ACCOUNT_TYPES } from '../../domain/networks/network-definition.js';

/**
 * Posts per page of the list. Fixed by the interface document, which has no parameter for it (D14).
 */
export const PER_PAGE = 10;

const NULLABLE_TEXT: JsonSchema = nullable(TEXT);

/** A user. */
export const USER = {
  id: field(TEXT, ({ id }: UserSummary) => id),
  name: field(TEXT, ({ name }: UserSummary) => name),
  picture: field(NULLABLE_TEXT, ({ picture }: UserSummary) => picture),
};

/** The account of a post (D2). */
export const ACCOUNT_OF_POST = {
  id: field(TEXT, ({ id }: Account) => id),
  type: field(enumOf(enumKeys(ACCOUNT_TYPES)), ({ type }: Account) => type),
  name: field(TEXT, ({ name }: Account) => name),
  picture: field(NULLABLE_TEXT, ({ picture }: Account) => picture),
};

/** Metrics reported by the network (D7). Rates are fractions: 0.05 is 5 %. */
export const ANALYTICS = {
  reach: field(nullable(INTEGER), ({ reach }: PostAnalytics) => reach),
  engagement: field(nullable(INTEGER), ({ engagement }: PostAnalytics) => engagement),
  engagement_rate: field(nullable(NUMBER), ({ engagementRate }: PostAnalytics) => engagementRate),
  likes: field(nullable(INTEGER), ({ likes }: PostAnalytics) => likes),
  comments: field(nullable(INTEGER), ({ comments }: PostAnalytics) => comments),
  shares: field(nullable(INTEGER), ({ shares }: PostAnalytics) => shares),
  saves: field(nullable(INTEGER), ({ saves }: PostAnalytics) => saves),
  video_views: field(nullable(INTEGER), ({ videoViews }: PostAnalytics) => videoViews),
  link_clicks: field(nullable(INTEGER), ({ linkClicks }: PostAnalytics) => linkClicks),
  post_clicks: field(nullable(INTEGER), ({ postClicks }: PostAnalytics) => postClicks),
  click_through_rate: field(
    nullable(NUMBER),
    ({ clickThroughRate }: PostAnalytics) => clickThroughRate,
  ),
  reach_rate: field(nullable(NUMBER), ({ reachRate }: PostAnalytics) => reachRate),
  updated_at: field(TIMESTAMP, ({ updatedAt }: PostAnalytics) => timestamp(updatedAt)),
};

/** "Post summary (items of a list result)" of the interface document. */
export const SUMMARY = {
  id: postField(withDescription('Document ID: 24 hex digits.', TEXT), [], ({ id }) => id),
  text: postField(TEXT, ['text'], ({ text }) => text),
  url: postField(
    withDescription('URL of a link post; null for other types.', NULLABLE_TEXT),
    ['url', 'type'],
    ({ type, url }) => (type === 'link' ? url : null),
  ),
  state: postField(enumOf(enumKeys(POST_STATES)), [], ({ storedState }) =>
    toPostState(storedState),
  ),
  type: postField(enumOf(enumKeys(POST_TYPES)), ['type'], ({ type }) => type),
  account_id: postField(
    withDescription('Null for a draft without an account.', NULLABLE_TEXT),
    [],
    ({ accountId }) => accountId,
  ),
  user: postField(ref('User'), ['user'], ({ user }) => presentFields(USER, user)),
  scheduled_at: postField(nullable(TIMESTAMP), ['scheduledAt'], ({ scheduledAt }) =>
    timestampOrNull(scheduledAt),
  ),
  post_link: postField(NULLABLE_TEXT, ['postLink'], ({ postLink }) => postLink),
  has_media: postField(BOOLEAN, ['hasMedia'], ({ hasMedia }) => hasMedia),
  network: postField(nullable(enumOf(enumKeys(NETWORKS))), ['network'], ({ network }) => network),
} satisfies Record<string, PostBodyField>;

const LINK = objectOf({
  url: TEXT,
  title: NULLABLE_TEXT,
  description: NULLABLE_TEXT,
  image_url: NULLABLE_TEXT,
});
const presentLink = (link: ReturnType<typeof toPostLinkView>) =>
  link && {
    url: link.url,
    title: link.title,
    description: link.description,
    image_url: link.imageUrl,
  };

/** A label of a post, or in a list. */
export const LABEL = {
  id: field<Label>(TEXT, ({ id }) => id),
  name: field<Label>(TEXT, ({ name }) => name),
  color: field<Label>(withDescription('`#rrggbb`.', TEXT), ({ color }) => color),
};

const RECYCLING = objectOf({
  solo: BOOLEAN,
  gap: INTEGER,
  gap_freq: enumOf(GAP_FREQUENCIES),
  start_date: nullable({ ...TEXT, format: 'date' }),
  expire_count: nullable(INTEGER),
});
const presentRecycling = (recycling: ReturnType<typeof toRecyclingView>) =>
  recycling && {
    solo: recycling.solo,
    gap: recycling.gap,
    gap_freq: recycling.gapFreq,
    start_date: recycling.startDate ?? null,
    expire_count: recycling.expireCount ?? null,
  };

const RECURRING = objectOf({
  frequency: enumOf(REPEATS),
  repeat_every: INTEGER,
  weekdays: arrayOf(enumOf(WEEKDAYS)),
  start_date: nullable(TIMESTAMP),
});
const presentRecurring = (rule: ReturnType<typeof toRecurringRuleView>) =>
  rule && {
    frequency: rule.frequency,
    repeat_every: rule.repeatEvery,
    weekdays: rule.weekdays,
    start_date: timestampOrNull(rule.startDate),
  };

/** "Post detail (result of get and of update)" of the interface document. */
export const DETAIL = {
  id: SUMMARY.id,
  text: SUMMARY.text,
  state: SUMMARY.state,
  type: SUMMARY.type,
  account_id: SUMMARY.account_id,
  account: postField(
    nullable(ref('AccountOfPost')),
    ['account'],
    ({ account }) => account && presentFields(ACCOUNT_OF_POST, account),
  ),
  user: SUMMARY.user,
  scheduled_at: SUMMARY.scheduled_at,
  created_at: postField(TIMESTAMP, ['createdAt'], ({ createdAt }) => timestamp(createdAt)),
  updated_at: postField(TIMESTAMP, ['updatedAt'], ({ updatedAt }) => timestamp(updatedAt)),
  post_link: SUMMARY.post_link,
  media: postField(arrayOf(ref('Media')), ['media'], ({ media }) =>
    media.map((item) => presentFields(MEDIA, item)),
  ),
  link: postField(nullable(LINK), ['url', 'link', 'network'], (post) =>
    presentLink(toPostLinkView(post)),
  ),
  labels: postField(arrayOf(schemaOf(LABEL)), ['labels'], ({ labels }) =>
    labels.map((label) => presentFields(LABEL, label)),
  ),
  auto: postField(BOOLEAN, ['auto'], ({ auto }) => auto),
  recycling: postField(nullable(RECYCLING), ['recycling'], ({ recycling }) =>
    presentRecycling(toRecyclingView(recycling)),
  ),
  recurring: postField(nullable(RECURRING), ['recurring'], ({ recurring }) =>
    presentRecurring(toRecurringRuleView(recurring)),
  ),
} satisfies Record<string, PostBodyField>;

/** The post fields that a list loads. */
export const SUMMARY_SELECTION = selectionOf(SUMMARY);
/** Includes `version`, which is part of the ETag. */
const DETAIL_SELECTION: ReadonlySet<keyof Post> = new Set([...selectionOf(DETAIL), 'version']);
/** The post fields that a detail loads. */
export const detailSelection = (analytics: boolean): ReadonlySet<keyof Post> =>
  analytics ? new Set([...DETAIL_SELECTION, 'analytics', 'origin']) : DETAIL_SELECTION;

/**
 * Presents the detail of a post. With `analytics`, imported and synced posts have that field, too
 * (D7).
 */
export function presentDetail(
  post: PostView,
  { analytics }: { analytics: boolean },
): Record<string, unknown> {
  const detail = presentPost(DETAIL, post);
  if (!analytics || post.origin === 'service') return detail;
  const analyticsOrNull: PostAnalytics | null = post.analytics ?? null;
  return { ...detail, analytics: analyticsOrNull && presentFields(ANALYTICS, analyticsOrNull) };
}

const presentOccurrences = ({
  made,
  kept,
  moved,
  removed,
  independent,
}: OccurrenceChanges): Record<string, unknown> => ({
  made: made.map(timestamp),
  kept: kept.map(timestamp),
  moved: moved.map(({ from, to }) => ({ from: timestamp(from), to: timestamp(to) })),
  removed: removed.map(timestamp),
  independent,
});

/** The detail of a post that was changed, with what the change does to the occurrences of a series. */
export const withSeriesChange = (
  detail: Record<string, unknown>,
  series: OccurrenceChanges | null,
): Record<string, unknown> =>
  series ? { ...detail, series_change: presentOccurrences(series) } : detail;

/** Presents the "List result" of the interface document. A page past the end has no posts (D14). */
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

const SERIES_CHANGE = objectOf({
  made: withDescription('New occurrences.', arrayOf(TIMESTAMP)),
  kept: withDescription('Occurrences that keep their time.', arrayOf(TIMESTAMP)),
  moved: withDescription(
    'Occurrences that get another time.',
    arrayOf(objectOf({ from: TIMESTAMP, to: TIMESTAMP })),
  ),
  removed: withDescription('Occurrences that are deleted.', arrayOf(TIMESTAMP)),
  independent: withDescription(
    'Number of occurrences that become independent posts because the recurrence rule is cleared.',
    INTEGER,
  ),
});

/** Schemas of post bodies by component name. */
export const POST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PostSummary: schemaOf(SUMMARY),
  PostList: objectOf({
    posts: arrayOf(ref('PostSummary')),
    total: INTEGER,
    page: INTEGER,
    per_page: INTEGER,
    total_pages: INTEGER,
  }),
  PostDetail: objectOf(
    {
      ...(schemaOf(DETAIL).properties as Record<string, JsonSchema>),
      analytics: withDescription(
        'Present only with `analytics=true`, and only for imported and synced posts.',
        nullable(ref('Analytics')),
      ),
      series_change: withDescription(
        'What a change does to the future occurrences of a series, by publication time. Present only in responses to changes of series.',
        SERIES_CHANGE,
      ),
    },
    ['analytics', 'series_change'],
  ),
};
