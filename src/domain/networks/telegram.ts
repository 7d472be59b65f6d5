import { MEGABYTE } from '../media/media-content.js';
import { MEDIA_TYPES } from '../posts/post-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  textLimit,
  type NetworkDefinition,
} from './network-definition.js';

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video', 'document', 'carousel'] as const;

export const telegram = {
  name: 'Telegram',
  description: 'Telegram, a messaging network.',
  source: 'D1',
  kind: { key: 'messaging', description: 'Messaging network.', source: 'Update post' },
  accountTypes: ['channel', 'group'],
  postTypes: POST_TYPES,
  limits: [
    textLimit(4_096, 'utf16', ['status', 'link']),
    textLimit(1_024, 'utf16', ['photo', 'gif', 'video', 'document', 'carousel']),
    ...mediaLimits(10),
  ],
  files: {
    photo: { maxBytes: 10 * MEGABYTE },
    gif: { maxBytes: 50 * MEGABYTE },
    video: { maxBytes: 50 * MEGABYTE },
    document: { maxBytes: 50 * MEGABYTE },
  },
  dailyCaps: [dailyCap('message', [5, 10, 15], 'Messaging network messages')],
  edits: [onNetwork('text'), LABELS],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'cannot_tell',
    postTypes: POST_TYPES,
    mediaTypes: MEDIA_TYPES,
  },
  // one message per second in a chat, 20 per minute in a group
  pace: { intervalMs: 3_000, maxConcurrent: 1 },
  postDomains: ['t.me', 'telegram.me'],
  adapter: {
    verified: false,
    note: 'The text of status and link posts, and the caption of other posts (on a carousel, the caption of its first item).',
    credentials: {
      botToken: {
        description:
          'Token of a bot that can post and edit messages in the chat. Create the bot with @BotFather.',
        secret: true,
      },
      chatId: {
        description: 'The @name of the channel or group, or its ID, such as -1001234567890.',
        secret: false,
      },
    },
    // an album consists of several messages
    remoteId: /^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,9}$/,
  },
} as const satisfies NetworkDefinition;
