import type { Post } from './post.js';

/** What a post has from the first: where it belongs, what it is, and its times. */
type Given =
  | 'id'
  | 'databaseId'
  | 'workspaceId'
  | 'cell'
  | 'type'
  | 'network'
  | 'accountId'
  | 'account'
  | 'creatorId'
  | 'user'
  | 'scheduledAt'
  | 'createdAt'
  | 'updatedAt';

/** All the rest of a post of which nothing has been said yet. */
export const blankPost = (): Omit<Post, Given> => ({
  version: 1,
  text: '',
  title: null,
  excerpt: null,
  question: null,
  duration: null,
  url: null,
  postLink: null,
  remoteId: null,
  auto: false,
  queuedAt: null,
  parentId: null,
  hasMedia: false,
  reminder: false,
  origin: 'service',
  featuredMedia: null,
  link: null,
  details: null,
  recycling: null,
  recurring: null,
  content: [],
  location: null,
  options: [],
  tags: [],
  categories: [],
  sublinks: [],
  ownFields: [],
  hasQueuedChild: false,
  media: [],
  labels: [],
  analytics: null,
  networkSync: null,
});
