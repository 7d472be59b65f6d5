import type { Post } from '../../../src/domain/posts/post.js';
import { presentDetail, presentList } from '../../../src/rest/posts/post-bodies.js';
import { EXAMPLE_POST } from '../../../src/rest/openapi/openapi-examples.js';

const aPost = (changes: Partial<Post> = {}): Post => ({ ...EXAMPLE_POST, ...changes });
/** The detail of a changed example post. */
export const detail = (changes: Partial<Post> = {}, analytics = false) =>
  presentDetail(aPost(changes), { analytics });
/** The summary of a changed example post. */
export const summary = (changes: Partial<Post> = {}) =>
  (
    presentList(0, {
      posts: [aPost(changes)],
      totalCount: 1,
      hasNextPage: false,
      hasPreviousPage: false,
    }).posts as Record<string, unknown>[]
  )[0]!;

/** A post in which every optional field is unset. */
export const EMPTY: Partial<Post> = {
  type: 'status',
  storedState: 'draft_undated',
  accountId: null,
  account: null,
  network: null,
  scheduledAt: null,
  text: '',
  url: null,
  link: null,
  media: [],
  labels: [],
  user: { id: 'usr_1', name: 'A', picture: null },
};
export const ANALYTICS = {
  reach: 10,
  engagement: 2,
  engagementRate: 0.2,
  likes: 1,
  comments: 1,
  shares: null,
  saves: 0,
  videoViews: null,
  linkClicks: null,
  postClicks: null,
  clickThroughRate: null,
  reachRate: null,
  pollVotes: null,
  updatedAt: new Date('2026-11-20T00:00:00.999Z'),
};
