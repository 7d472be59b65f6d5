import type { Problem } from '../../domain/errors.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { Network } from '../../domain/networks/networks.js';
import type { PostPatch } from '../../domain/posts/post-patch.js';
import type { TimeRange } from '../requests/time-range.js';
import { CREATION_STATES, DEFAULT_STATE, type CreationState } from './to-creation.js';

/** An account of an entry: what differs for it. */
export interface AccountInput {
  id: string;
  scheduled_at?: Date | null;
  /** A patch of the labels. */
  labels?: PostPatch | null;
}
/** The contents of an entry by network. */
export interface NetworksInput {
  readonly common: PostPatch;
  readonly variants: ReadonlyMap<Network, PostPatch>;
}
/** A period; a date is a whole UTC day. */
export interface RangeInput {
  start_date?: TimeRange | null;
  end_date?: TimeRange | null;
}
/** An entry of a creation: one content, for several accounts. */
export interface EntryInput {
  networks: NetworksInput;
  accounts?: AccountInput[] | null;
  /** A patch of the repetition. */
  recurring?: PostPatch | null;
  recycling?: PostPatch | null;
  /** Whether each account's queue determines the time. */
  auto?: boolean | null;
  share_next?: boolean | null;
  /** The period in which `auto` looks for free times. */
  range?: RangeInput | null;
}
/** The body of a creation. Posts that are shared now are scheduled ones: they need no state. */
export interface CreationInput {
  bulk: { state?: CreationState | null; posts: EntryInput[] };
}

/** `schedule`: posts have times and states. `publish`: all are shared now. */
export type CreationRoute = 'schedule' | 'publish';

const { newPosts: MAX_ACCOUNTS } = REQUEST_LIMITS;

/** Why an entry cannot be created, regardless of its accounts. Paths start at the entry. */
function findEntryProblems(
  { accounts, networks, recurring, auto, share_next: shareNext, range }: EntryInput,
  state: CreationState,
): Problem[] {
  const isDraft = CREATION_STATES[state].mode === 'draft';
  const isRecurring =
    recurring || [networks.common, ...networks.variants.values()].some((patch) => patch.recurring);
  const { start_date: start, end_date: end } = range ?? {};
  const rules: [key: keyof EntryInput, isBroken: boolean, message: string][] = [
    [
      'accounts',
      !isDraft && (accounts ?? []).length === 0,
      'must have an entry: only a draft can be without an account',
    ],
    ['recurring', state === 'recurring' && !isRecurring, 'required with the state recurring'],
    ['auto', auto === true && state !== 'scheduled', 'requires the state scheduled'],
    ['share_next', shareNext === true && state !== 'scheduled', 'requires the state scheduled'],
    ['range', Boolean(range) && auto !== true, 'requires auto: true'],
    ['range', Boolean(start && end && start.start > end.end), 'must not end before it starts'],
  ];
  return rules.flatMap(([key, isBroken, message]) => (isBroken ? [{ path: [key], message }] : []));
}

/** Problems of a body that concern several of its keys. */
export function findBodyProblems({ bulk: { state, posts } }: CreationInput): Problem[] {
  const total = posts.reduce((sum, { accounts }) => sum + Math.max(1, accounts?.length ?? 0), 0);
  const tooMany: Problem = {
    path: ['bulk', 'posts'],
    message: `may have at most ${MAX_ACCOUNTS} accounts in all; they have ${total}`,
  };
  return [
    ...posts.flatMap((entry, index) =>
      findEntryProblems(entry, state ?? DEFAULT_STATE).map(({ path, message }) => ({
        path: ['bulk', 'posts', index, ...path],
        message,
      })),
    ),
    ...(total > MAX_ACCOUNTS ? [tooMany] : []),
  ];
}
