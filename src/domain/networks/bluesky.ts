import { MEGABYTE } from '../media/media-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  textLimit,
  type NetworkDefinition,
} from './network-definition.js';

export const bluesky = {
  name: 'Bluesky',
  description: 'Bluesky, a decentralized microblog.',
  source: 'D1',
  kind: {
    key: 'decentralized_microblog',
    description: 'Decentralized microblog.',
    source: 'Update post',
  },
  accountTypes: ['profile'],
  postTypes: ['status', 'link', 'photo', 'gif', 'video'],
  // Bytes first: they bound the text whose graphemes are counted, which is slow.
  limits: [textLimit(3_000, 'bytes'), textLimit(300, 'graphemes'), ...mediaLimits(4)],
  files: {
    photo: { maxBytes: 1_000_000 },
    gif: { maxBytes: 1_000_000 },
    video: { maxBytes: 100 * MEGABYTE, formats: ['video/mp4'] },
  },
  dailyCaps: [dailyCap('post', [25, 50, 100], 'Decentralized microblog posts')],
  edits: [LABELS],
  editRate: null,
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'exact',
    postTypes: ['status', 'link', 'photo'],
    mediaTypes: ['photo'],
  },
  pace: { intervalMs: 1_000, maxConcurrent: 1 },
  postDomains: ['bsky.app'],
  adapter: {
    verified: true,
    note: 'Publishes status, link and photo posts. Published posts cannot be edited on the network; labels can be changed in the gateway.',
    credentials: {
      service: {
        description: 'URL of the service that hosts the account. Default: https://bsky.social.',
        secret: false,
        optional: true,
      },
      handle: { description: 'Handle of the account, such as kiosk.bsky.social.', secret: false },
      appPassword: {
        description:
          'App password of the account (Settings → Privacy and security → App passwords).',
        secret: true,
      },
    },
    // `at://<account>/app.bsky.feed.post/<key>`
    remoteId: /^at:\/\/(did:[a-z]+:[\w.%:-]{1,256})\/app\.bsky\.feed\.post\/([\w.~:-]{1,512})$/,
  },
} as const satisfies NetworkDefinition;
