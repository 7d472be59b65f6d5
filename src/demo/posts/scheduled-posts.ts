import type { StoredState } from '../../domain/posts/states.js';
import type { PostSpec } from './post-builder.js';
import {
  creatorAt,
  creatorFor,
  NETWORK_POST_TYPES,
  typeAt,
  type PostGroup,
} from './post-creators.js';

/** A scheduled post of every type of each network. */
export const scheduledPosts: PostGroup = ({ future }) =>
  NETWORK_POST_TYPES.map((networkAndType, i) => ({
    ...networkAndType,
    storedState: 'scheduled',
    creator: creatorAt(i),
    scheduledAt: future(Math.floor(i / 2)),
    auto: i % 6 === 0,
  }));

const APPROVAL_STATES: readonly StoredState[] = [
  'scheduled_approved',
  'scheduled_pending',
  'scheduled_declined',
  'scheduled_locked',
];
/**
 * Scheduled posts in the states of approval, and posts of an account that needs reauthorization.
 */
export const approvalAndReauthPosts: PostGroup = ({ future }, { accounts }) => [
  ...APPROVAL_STATES.flatMap((storedState, i) =>
    [0, 1, 2].map((n): PostSpec => ({
      ...typeAt(i * 5 + n + 2),
      storedState,
      creator: creatorFor(storedState, n === 0 ? 'editor' : creatorAt(n + 1)),
      scheduledAt: future(3 * n + i),
    })),
  ),
  ...(['photo', 'carousel', 'video'] as const).map((type, n): PostSpec => ({
    type,
    network: 'instagram',
    account: accounts.find(({ needsReauth }) => needsReauth)!,
    storedState: 'scheduled_reauth',
    creator: creatorAt(n),
    scheduledAt: future(n + 2),
  })),
];

/**
 * Queued posts, whose publication has started, and reminders. A queued post can be deleted only if
 * it is a reminder (delete rule 4).
 */
export const queuedPostsAndReminders: PostGroup = ({ hoursFromNow }) => [
  {
    type: 'status',
    network: 'mastodon',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(1),
    queuedAt: hoursFromNow(-0.05),
  },
  {
    type: 'photo',
    network: 'facebook',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(2),
    queuedAt: hoursFromNow(-0.1),
  },
  {
    type: 'story',
    network: 'instagram',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(3),
    queuedAt: hoursFromNow(-0.05),
    reminder: true,
    details: { reminder: true },
  },
  {
    type: 'reel',
    network: 'instagram',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(30),
    reminder: true,
    details: { reminder: true },
  },
];
