import type { PostAnalytics } from '../../domain/numbers/numbers.js';

/** The columns of the tables of numbers, by property of PostAnalytics, with their types. */
export const METRIC_COLUMNS = {
  reach: { column: 'reach', type: 'int' },
  engagement: { column: 'engagement', type: 'int' },
  engagementRate: { column: 'engagement_rate', type: 'float8' },
  likes: { column: 'likes', type: 'int' },
  comments: { column: 'comments', type: 'int' },
  shares: { column: 'shares', type: 'int' },
  saves: { column: 'saves', type: 'int' },
  videoViews: { column: 'video_views', type: 'int' },
  linkClicks: { column: 'link_clicks', type: 'int' },
  postClicks: { column: 'post_clicks', type: 'int' },
  clickThroughRate: { column: 'click_through_rate', type: 'float8' },
  reachRate: { column: 'reach_rate', type: 'float8' },
  pollVotes: { column: 'poll_votes', type: 'int[]' },
} as const satisfies Record<
  keyof Omit<PostAnalytics, 'updatedAt'>,
  { readonly column: string; readonly type: string }
>;
