import { isPublishable } from '../publishing/publication.js';
import { STATE_FILTERS, type StoredState, isPending } from './states.js';
import type { Viewer } from '../access/viewer.js';
import type { Post } from './post.js';

/** The events that change a post's state (D11). */
export const STATE_EVENTS = {
  changed_without_approval: {
    description:
      'In a workspace that requires approval, a member who cannot approve changed the post.',
    source: 'D24',
  },
  series_started: { description: 'A recurrence rule was set on a scheduled post.', source: 'D17' },
  series_ended: {
    description: 'The recurrence rule of a series was cleared.',
    source: 'D20',
  },
  dated: { description: 'A date was set on a draft.', source: 'D9' },
  undated: { description: 'The date of a draft was cleared.', source: 'D9' },
  recycling_started: {
    description: 'Recycling settings were set on a scheduled post.',
    source: 'D59',
  },
  recycling_ended: {
    description: 'The recycling settings of a post that was never published were cleared.',
    source: 'D59',
  },
  recycled: {
    description: 'The post was published, and will be published again.',
    source: 'D59',
  },
  recycling_finished: {
    description: 'A recycling post reached its last date.',
    source: 'D59',
  },
  recycling_expired: {
    description: 'The expiry date of a recycling post was set to a date in the past.',
    source: 'D20',
  },
  recycling_renewed: {
    description: 'A later expiry date or a higher number of recycles was set on an expired post.',
    source: 'D20',
  },
  account_needs_reauth: {
    description: 'The network no longer accepts the account’s credentials.',
    source: 'D22',
  },
  account_reconnected: {
    description: 'The account was connected again, so the post returned to its previous state.',
    source: 'D22',
  },
  workspace_locked: { description: 'An operator locked the workspace.', source: 'D57' },
  workspace_unlocked: {
    description: 'An operator unlocked the workspace, so the post returned to its previous state.',
    source: 'D57',
  },
  deleted_on_network: {
    description:
      'The post no longer exists on its network: the network reported it, or the gateway removed it.',
    source: 'D22',
  },
  planned: {
    description:
      'The post was scheduled, shared immediately or retried by a member who does not need approval.',
    source: 'D48',
  },
  approval_requested: {
    description:
      'A member requested approval, a member who needs approval scheduled, retried or resumed the post, the creator changed the declined post, or a file of the approved post arrived.',
    source: 'D64',
  },
  approved: { description: 'An owner or admin approved the post.', source: 'D64' },
  declined: { description: 'An owner or admin declined the post.', source: 'D64' },
  moved_to_drafts: {
    description: 'The post became a draft, or the visibility of a draft changed.',
    source: 'D48',
  },
  paused: { description: 'Recycling was paused.', source: 'D59' },
  resumed: { description: 'Recycling was resumed.', source: 'D59' },
  restored_late: {
    description: 'The deleted post was restored after its time had passed.',
    source: 'D71',
  },
  published: { description: 'The post was published on its network.', source: 'D57' },
  publication_ended: {
    description: 'The publication of the post failed, or its result is unknown.',
    source: 'D57',
  },
} as const;
export type StateEvent = keyof typeof STATE_EVENTS;

interface Transition {
  readonly from: StoredState;
  readonly event: StateEvent;
  readonly to: StoredState;
}

const rows = (
  event: StateEvent,
  from: readonly StoredState[],
  to: (storedState: StoredState) => StoredState,
): Transition[] =>
  from
    .map((storedState) => ({ from: storedState, event, to: to(storedState) }))
    .filter((row) => row.from !== row.to);
const dated = (storedState: StoredState): StoredState =>
  storedState.replace(/(un)?dated$/, 'dated') as StoredState;
const undated = (storedState: StoredState): StoredState =>
  storedState.replace(/(un)?dated$/, 'undated') as StoredState;

/** A scheduled post that is recycled keeps its approval, and what suspends it. */
const SCHEDULED_TO_RECYCLING: readonly (readonly [StoredState, StoredState])[] = [
  ['scheduled', 'recycling_active'],
  ['scheduled_approved', 'recycling_active'],
  ['scheduled_pending', 'recycling_pending'],
  ['scheduled_declined', 'recycling_declined'],
  ['scheduled_reauth', 'recycling_reauth'],
  ['scheduled_locked', 'recycling_locked'],
];

const notLocked = (filter: 'scheduled' | 'recycling'): StoredState[] =>
  STATE_FILTERS[filter].storedStates.filter((state) => state !== `${filter}_locked`);

const DRAFTS = STATE_FILTERS.draft.storedStates;
const DATED_DRAFTS = STATE_FILTERS.draft_dated.storedStates;
const UNDATED_DRAFTS = STATE_FILTERS.draft_undated.storedStates;

/** All transitions. States change only through them, and each of them can occur (D11). */
export const TRANSITIONS: readonly Transition[] = [
  ...rows(
    'changed_without_approval',
    STATE_FILTERS.scheduled.storedStates,
    () => 'scheduled_pending',
  ),
  ...rows(
    'changed_without_approval',
    STATE_FILTERS.recycling.storedStates,
    () => 'recycling_pending',
  ),
  ...rows('series_started', STATE_FILTERS.scheduled.storedStates, () => 'recurring'),
  ...rows('series_ended', ['recurring'], () => 'scheduled'),
  ...rows('dated', STATE_FILTERS.draft_undated.storedStates, dated),
  ...rows('undated', STATE_FILTERS.draft_dated.storedStates, undated),
  ...SCHEDULED_TO_RECYCLING.map(([from, to]) => ({
    from,
    event: 'recycling_started' as const,
    to,
  })),
  ...SCHEDULED_TO_RECYCLING.filter(([from]) => from !== 'scheduled_approved').map(([to, from]) => ({
    from,
    event: 'recycling_ended' as const,
    to,
  })),
  ...rows('recycled', STATE_FILTERS.scheduled.storedStates, () => 'recycling_active'),
  ...rows('recycling_expired', ['recycling_active', 'recycling_paused'], () => 'recycling_expired'),
  ...rows(
    'recycling_finished',
    [...STATE_FILTERS.scheduled.storedStates, ...STATE_FILTERS.recycling.storedStates],
    () => 'recycling_expired',
  ),
  ...rows('recycling_renewed', ['recycling_expired'], () => 'recycling_active'),
  // A locked post stays locked: whether its account works matters when the workspace is unlocked.
  ...rows('account_needs_reauth', notLocked('scheduled'), () => 'scheduled_reauth'),
  ...rows('account_needs_reauth', notLocked('recycling'), () => 'recycling_reauth'),
  ...rows('workspace_locked', STATE_FILTERS.scheduled.storedStates, () => 'scheduled_locked'),
  ...rows('workspace_locked', STATE_FILTERS.recycling.storedStates, () => 'recycling_locked'),
  ...STATE_FILTERS.scheduled.storedStates.flatMap((state) =>
    rows('workspace_unlocked', ['scheduled_locked'], () => state),
  ),
  ...STATE_FILTERS.recycling.storedStates.flatMap((state) =>
    rows('workspace_unlocked', ['recycling_locked'], () => state),
  ),
  ...STATE_FILTERS.scheduled.storedStates.flatMap((state) =>
    rows('account_reconnected', ['scheduled_reauth'], () => state),
  ),
  ...STATE_FILTERS.recycling.storedStates.flatMap((state) =>
    rows('account_reconnected', ['recycling_reauth'], () => state),
  ),
  ...rows(
    'restored_late',
    [
      ...STATE_FILTERS.scheduled.storedStates,
      'recycling_active',
      'recycling_pending',
      'recycling_reauth',
      'recycling_locked',
      'recurring',
    ],
    () => 'draft_undated',
  ),
  ...rows('deleted_on_network', STATE_FILTERS.published.storedStates, () => 'published_deleted'),
  // An account may be rejected, or a workspace locked, while the call is in progress.
  ...rows(
    'published',
    [...STATE_FILTERS.scheduled.storedStates, 'failed'],
    () => 'published_posted',
  ),
  ...rows(
    'planned',
    [...DRAFTS, 'failed', 'scheduled_declined', 'scheduled_pending'],
    () => 'scheduled',
  ),
  ...rows('planned', DRAFTS, () => 'recycling_active'),
  ...rows('planned', DRAFTS, () => 'recurring'),
  ...rows(
    'approval_requested',
    [...DRAFTS, 'failed', 'scheduled', 'scheduled_approved', 'scheduled_declined'],
    () => 'scheduled_pending',
  ),
  ...rows(
    'approval_requested',
    [...DRAFTS, 'recycling_active', 'recycling_paused', 'recycling_failed', 'recycling_declined'],
    () => 'recycling_pending',
  ),
  ...DATED_DRAFTS.flatMap((state) =>
    rows(
      'moved_to_drafts',
      [...STATE_FILTERS.scheduled.storedStates, 'failed', ...DRAFTS],
      () => state,
    ),
  ),
  ...UNDATED_DRAFTS.flatMap((state) => rows('moved_to_drafts', UNDATED_DRAFTS, () => state)),
  ...rows('approved', ['scheduled_pending'], () => 'scheduled_approved'),
  ...rows('approved', ['recycling_pending'], () => 'recycling_active'),
  ...rows('approved', ['recycling_pending'], () => 'recycling_paused'),
  ...rows('declined', ['scheduled_pending'], () => 'scheduled_declined'),
  ...rows('declined', ['recycling_pending'], () => 'recycling_declined'),
  ...rows('paused', ['recycling_active'], () => 'recycling_paused'),
  ...rows(
    'resumed',
    ['recycling_paused', 'recycling_failed', 'recycling_pending'],
    () => 'recycling_active',
  ),
  ...rows('publication_ended', STATE_FILTERS.scheduled.storedStates, () => 'failed'),
  ...rows('publication_ended', STATE_FILTERS.recycling.storedStates, () => 'recycling_failed'),
];

/** The stored states that an event changes. */
export const storedStatesBefore = (event: StateEvent): readonly StoredState[] => [
  ...new Set(TRANSITIONS.filter((row) => row.event === event).map(({ from }) => from)),
];

/** The stored state after an event; unchanged if the event does not apply. */
export const storedStateAfter = (storedState: StoredState, event: StateEvent): StoredState =>
  TRANSITIONS.find((row) => row.from === storedState && row.event === event)?.to ?? storedState;

/**
 * One of the stored states to which an event can lead; also the one that the post has.
 * @throws Error if the event does not lead to it
 */
export function transitionTo(from: StoredState, event: StateEvent, to: StoredState): StoredState {
  const isPossible =
    from === to ||
    TRANSITIONS.some((row) => row.from === from && row.event === event && row.to === to);
  if (!isPossible) throw new Error(`The event ${event} does not change ${from} to ${to}.`);
  return to;
}

/** The states of posts that wait for an operator, or for the connection of their account. */
export const SUSPENDED_STATES = [
  'scheduled_reauth',
  'scheduled_locked',
  'recycling_reauth',
  'recycling_locked',
] as const satisfies readonly StoredState[];

/** What the state of a post that was suspended depends on. */
export interface SuspendedPost {
  readonly storedState: StoredState;
  /** Its last state that was not a suspension; null if unknown. */
  readonly previous: StoredState | null;
  readonly requiresApproval: boolean;
  /** Whether the workspace is locked. */
  readonly isLocked: boolean;
  /** Whether the account needs reauthorization. */
  readonly needsReauth: boolean;
}

/**
 * The stored state of a suspended post after its account was connected again, or its workspace was
 * unlocked: the other suspension if that still applies, else its previous state. If that is
 * unknown, the one that does not publish anything unapproved.
 */
export function restoredStoredState(event: RestoringEvent, post: SuspendedPost): StoredState {
  const { storedState, previous, requiresApproval, isLocked, needsReauth } = post;
  const candidates = TRANSITIONS.filter(
    (row) => row.event === event && row.from === storedState,
  ).map(({ to }) => to);
  const suspension = isLocked ? 'locked' : needsReauth ? 'reauth' : null;
  return (
    candidates.find((state) => suspension !== null && state.endsWith(`_${suspension}`)) ??
    candidates.find((state) => state === previous && !isSuspended(state)) ??
    candidates.find((state) => !isSuspended(state) && isPending(state) === requiresApproval) ??
    storedState
  );
}
type RestoringEvent = Extract<StateEvent, 'account_reconnected' | 'workspace_unlocked'>;
const SUSPENDED: ReadonlySet<StoredState> = new Set(SUSPENDED_STATES);

/** Whether the post waits for an operator, or for the connection of its account. */
export const isSuspended = (storedState: StoredState): boolean => SUSPENDED.has(storedState);

/** The state of a post that gets a time: in a locked workspace, nothing is going to be published. */
export const stateInWorkspace = (
  { locked }: Pick<Viewer['workspace'], 'locked'>,
  storedState: StoredState,
): StoredState =>
  locked && isPublishable(storedState)
    ? storedStateAfter(storedState, 'workspace_locked')
    : storedState;

/** What the state of a new occurrence depends on, besides the approval of its series. */
interface OccurrenceCircumstances {
  readonly requiresApproval: boolean;
  /** Whether an operator locked the workspace. */
  readonly isLocked?: boolean;
  /** Whether the account of the series needs reauthorization. */
  readonly needsReauth?: boolean;
}

/**
 * The stored state of a new occurrence (D60). It is approved only if its series is: `approval` is
 * the `occurrenceState` of the series, or null if that is unknown, which counts as approved only
 * where no approval is needed.
 */
export function occurrenceStateOf(
  approval: StoredState | null,
  { requiresApproval, isLocked = false, needsReauth = false }: OccurrenceCircumstances,
): StoredState {
  if (isLocked) return 'scheduled_locked';
  if (needsReauth) return 'scheduled_reauth';
  if (approval === 'scheduled' || approval === 'scheduled_approved') return approval;
  const isUnknown = approval === null || !APPROVALS.includes(approval);
  return isUnknown && !requiresApproval ? 'scheduled' : 'scheduled_pending';
}

/** The states that say whether a post is approved; the others hide it. */
const APPROVALS: readonly StoredState[] = ['scheduled_pending', 'scheduled_declined'];

/** Whether a post waits for an approval that its workspace does not require, or no longer. */
export const isReleasable = (
  { storedState }: Pick<Post, 'storedState'>,
  { workspace }: Pick<Viewer, 'workspace'>,
): boolean => isPending(storedState) && !workspace.requiresApproval;

/** The states of recycling posts that go on after an approval. */
const WITHOUT_APPROVAL: ReadonlySet<StoredState> = new Set([
  'recycling_pending',
  'recycling_declined',
]);

/**
 * Whether a recycling post is paused again once it is approved: only `resumePosts` ends a pause
 * (D59, D64). `after`: its new state.
 */
export function isPausedAfterApproval(
  { storedState, pausedAfterApproval }: Pick<Post, 'storedState' | 'pausedAfterApproval'>,
  after: StoredState,
): boolean {
  if (after === storedState) return pausedAfterApproval;
  return WITHOUT_APPROVAL.has(after) && (storedState === 'recycling_paused' || pausedAfterApproval);
}
