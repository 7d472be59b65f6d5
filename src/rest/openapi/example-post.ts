import type { Post } from '../../domain/posts/post.js';
import { BLANK_POST } from '../../domain/posts/post-fields.js';

/** The post in the examples of the OpenAPI document, presented like any other post. */
export const EXAMPLE_POST: Post = {
  ...BLANK_POST,
  id: '6740a1f2c3d4e5f607182930',
  databaseId: 1,
  workspaceId: 'wks_4fKq2mZx8RtB1nYc',
  version: 3,
  storedState: 'scheduled',
  type: 'link',
  network: 'mastodon',
  accountId: 'acc_9sVb3kLw7QpD2hXe',
  creatorId: 'usr_1aBc2dEf3gHi4jKl',
  text: 'Our autumn release is out. #release',
  url: 'https://example.com/autumn',
  scheduledAt: new Date('2026-12-01T09:30:00Z'),
  createdAt: new Date('2026-11-20T14:05:12Z'),
  updatedAt: new Date('2026-11-21T08:00:41Z'),
  hasMedia: true,
  link: {
    title: 'Autumn release',
    description: 'What is new.',
    defaultImage: 'https://example.com/autumn.png',
  },
  media: [
    {
      id: 'med_7uJm4nBv6YcX5zAs',
      type: 'photo',
      url: 'https://example.com/leaf.jpg',
      altText: 'A red leaf',
      title: null,
      defaultThumbnail: null,
      thumbnails: null,
      userTags: [],
      collaboratorTags: [],
      productTags: [],
    },
  ],
  labels: [{ id: 'lbl_2wEr5tYu8iOp1qAz', name: 'Release', color: '#2f9e44' }],
  user: { id: 'usr_1aBc2dEf3gHi4jKl', name: 'Ada Winter', picture: 'https://example.com/ada.png' },
  account: {
    id: 'acc_9sVb3kLw7QpD2hXe',
    type: 'profile',
    name: '@example',
    picture: null,
    network: 'mastodon',
    socialId: '109302',
    needsReauth: false,
    sandbox: false,
  },
};
