/** Metrics of a published post (D7, D91). Null: its network does not report them. Rates are fractions of 1. */
export interface PostAnalytics {
  reach: number | null;
  engagement: number | null;
  engagementRate: number | null;
  likes: number | null;
  comments: number | null;
  shares: number | null;
  saves: number | null;
  videoViews: number | null;
  linkClicks: number | null;
  postClicks: number | null;
  clickThroughRate: number | null;
  reachRate: number | null;
  /** Votes of each option of a poll, in the order of `options`. */
  pollVotes: number[] | null;
  updatedAt: Date;
}

/** A range of scheduled times, whose days are those of an IANA time zone. `to` is excluded. */
export interface DayRange {
  readonly from: Date;
  readonly to: Date;
  readonly timeZone: string;
}

/** Sums of the latest numbers of the posts of a day; null if no post has the number. */
export interface AnalyticsDay extends Pick<
  PostAnalytics,
  'reach' | 'engagement' | 'likes' | 'comments' | 'shares' | 'videoViews'
> {
  readonly day: Date;
  readonly posts: number;
}

/** What networks count of a published post (D91). The other metrics follow from these. */
export const COUNTED_METRICS = [
  'reach',
  'likes',
  'comments',
  'shares',
  'saves',
  'videoViews',
  'linkClicks',
  'postClicks',
  'pollVotes',
] as const satisfies readonly (keyof PostAnalytics)[];
export type CountedMetric = (typeof COUNTED_METRICS)[number];

/** What a network has counted of a post. Absent: the network did not say. */
export type PostNumbers = Readonly<{
  [Metric in CountedMetric]?: PostAnalytics[Metric];
}>;

/** Where the numbers of a network come from. */
export interface NumberSources {
  /** By metric: the call and the field of the network's API. */
  readonly sources: Readonly<Partial<Record<CountedMetric, string>>>;
  /** Why the other metrics are null: one sentence. */
  readonly missing: string;
}

/** The metrics that `engagement` is the sum of. */
const REACTIONS = ['likes', 'comments', 'shares', 'saves'] as const;

/** The sum of the known counts; null if none is known. */
export function sumOf(counts: readonly (number | null | undefined)[]): number | null {
  const known = counts.flatMap((count) => count ?? []);
  return known.length > 0 ? known.reduce((sum, count) => sum + count, 0) : null;
}

/** The metrics that a network has, those that are calculated included. */
export function metricsOf({ sources }: NumberSources): Exclude<keyof PostAnalytics, 'updatedAt'>[] {
  const counted = COUNTED_METRICS.filter((metric) => sources[metric] !== undefined);
  const engagement = REACTIONS.some((metric) => counted.includes(metric));
  const reach = counted.includes('reach');
  return [
    ...counted,
    ...(engagement ? (['engagement'] as const) : []),
    ...(engagement && reach ? (['engagementRate'] as const) : []),
    ...(reach && counted.includes('linkClicks') ? (['clickThroughRate'] as const) : []),
  ];
}

/** A fraction of the reach, with four digits; null if one of them is unknown or the reach is 0. */
const rateOf = (count: number | null, reach: number | null): number | null =>
  count === null || !reach ? null : Math.round((count / reach) * 10_000) / 10_000;

/** The numbers of a post, with the metrics that follow from them. `at`: when they were read. */
export function toAnalytics(numbers: PostNumbers, at: Date): PostAnalytics {
  const engagement = sumOf(REACTIONS.map((metric) => numbers[metric]));
  const { reach = null, linkClicks = null } = numbers;
  return {
    reach,
    engagement,
    engagementRate: rateOf(engagement, reach),
    likes: numbers.likes ?? null,
    comments: numbers.comments ?? null,
    shares: numbers.shares ?? null,
    saves: numbers.saves ?? null,
    videoViews: numbers.videoViews ?? null,
    linkClicks,
    postClicks: numbers.postClicks ?? null,
    clickThroughRate: rateOf(linkClicks, reach),
    reachRate: null,
    pollVotes: numbers.pollVotes ?? null,
    updatedAt: at,
  };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;

/** How old a post is when its numbers are read for the first time. */
export const FIRST_READING_MS = HOUR_MS;

/** How old a post is when its numbers are read: often at first, then monthly for a year. */
const READING_AGES_MS: readonly number[] = [
  FIRST_READING_MS,
  6 * HOUR_MS,
  DAY_MS,
  3 * DAY_MS,
  7 * DAY_MS,
  ...Array.from({ length: 12 }, (_, month) => (month + 1) * MONTH_MS),
];

/** When the numbers of a post are read next; null after the last time. */
export function nextReadingAt(publishedAt: Date, now: Date): Date | null {
  const ageMs = now.getTime() - publishedAt.getTime();
  const next = READING_AGES_MS.find((age) => age > ageMs);
  return next === undefined ? null : new Date(publishedAt.getTime() + next);
}
