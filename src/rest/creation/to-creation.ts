import type { CreationItem } from '../../services/posts/creation/creation-request.js';
import type { CreationInput, CreationRoute, EntryInput } from './creation-input.js';

type Mode = Pick<CreationItem, 'mode' | 'visibility'>;

/** The states that a creation of v1 can ask for (D50). */
export const CREATION_STATES = {
  scheduled: { mode: 'schedule', visibility: 'account' },
  draft: { mode: 'draft', visibility: 'account' },
  draft_private: { mode: 'draft', visibility: 'private' },
  draft_public: { mode: 'draft', visibility: 'public' },
  recurring: { mode: 'schedule', visibility: 'account' },
} as const satisfies Record<string, Mode>;
export type CreationState = keyof typeof CREATION_STATES;
/** The state of posts that are shared now. */
export const DEFAULT_STATE: CreationState = 'scheduled';

const SHARE_NOW: Mode = { mode: 'share_now', visibility: 'account' };

const toItem = (
  { networks, accounts, recurring, recycling, auto, share_next: shareNext, range }: EntryInput,
  mode: Mode,
): CreationItem => ({
  targets: (accounts ?? []).map(({ id, scheduled_at: scheduledAt, labels }) => ({
    accountId: id,
    scheduledAt: scheduledAt ?? null,
    post: labels ?? {},
  })),
  post: { ...networks.common, ...recurring, ...recycling },
  variants: networks.variants,
  scheduledAt: null,
  ...mode,
  ...((auto || shareNext) && {
    mode: 'add_to_queue',
    queuePeriod: {
      from: range?.start_date?.start ?? null,
      until: range?.end_date?.end ?? null,
    },
  }),
});

/** The items of a creation: one for each entry of the body. */
export const toCreationItems = (
  { bulk: { state, posts } }: CreationInput,
  route: CreationRoute,
): CreationItem[] => {
  const mode = route === 'publish' ? SHARE_NOW : CREATION_STATES[state ?? DEFAULT_STATE];
  return posts.map((entry) => toItem(entry, mode));
};
