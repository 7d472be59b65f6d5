import type { Post } from './post.js';

/** The fields that every new post must define. */
type RequiredField =
  | 'id'
  | 'databaseId'
  | 'workspaceId'
  | 'storedState'
  | 'type'
  | 'network'
  | 'accountId'
  | 'account'
  | 'creatorId'
  | 'user'
  | 'scheduledAt'
  | 'createdAt'
  | 'updatedAt';

/** Default values of all other fields of a post. */
export const blankPost = (): Omit<Post, RequiredField> => ({
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
