import type { Recycling } from '../../domain/posts/post-settings.js';
import type { StoredState } from '../../domain/posts/states.js';
import { toDateString } from '../demo-dates.js';
import type { PostSpec } from './post-builder.js';
import { creatorFor, type PostGroup } from './post-creators.js';

const RECYCLING_STATES: readonly StoredState[] = [
  'recycling_active',
  'recycling_paused',
  'recycling_expired',
  'recycling_failed',
  'recycling_pending',
  'recycling_declined',
  'recycling_reauth',
  'recycling_locked',
];
/** Recycled posts in every state. */
export const recyclingPosts: PostGroup = ({ past, future }) =>
  RECYCLING_STATES.flatMap((storedState, i) =>
    (['status', 'link'] as const).map((type, n): PostSpec => {
      const rule: Recycling = {
        solo: n === 1,
        gap: 1 + i,
        gapFreq: n === 0 ? 'weeks' : 'days',
        label: 'evergreen',
        startDate: toDateString(past(30 + i)),
        expireCount: storedState === 'recycling_expired' ? 3 : 10 + i,
      };
      return {
        type,
        network: n === 0 ? 'mastodon' : 'facebook',
        storedState,
        creator: creatorFor(storedState, n === 0 ? 'owner' : 'editor'),
        scheduledAt: storedState === 'recycling_expired' ? past(5 + n) : future(i + n),
        recycling: rule,
      };
    }),
  );
