import {
  isDraft,
  isPending,
  isPublished,
  isRecycling,
  isScheduled,
  type StoredState,
} from '../posts/states.js';
import type { PostEventType } from './event-types.js';

type IsState = (state: StoredState) => boolean;

const among =
  (...states: readonly StoredState[]): IsState =>
  (state) =>
    states.includes(state);

const isPlanned = among('scheduled', 'scheduled_approved', 'recycling_active', 'recurring');
const isDeclined = among('scheduled_declined', 'recycling_declined');
const isFailed = among('failed', 'recycling_failed');
/** Suspended posts return to the state in which they were. */
const isSuspended = among(
  'scheduled_reauth',
  'scheduled_locked',
  'recycling_reauth',
  'recycling_locked',
);
const isPosted = among('published_posted');
const isWithdrawn = among('published_deleted');

const not =
  (...rules: readonly IsState[]): IsState =>
  (state) =>
    !rules.some((rule) => rule(state));
const either =
  (...rules: readonly IsState[]): IsState =>
  (state) =>
    rules.some((rule) => rule(state));

/** The event of a change of state. The first row that matches applies. */
const TRANSITION_EVENTS: readonly {
  readonly from: IsState;
  readonly to: IsState;
  readonly type: PostEventType;
}[] = [
  { from: isPending, to: isPlanned, type: 'post.approved' },
  { from: either(isPending, isPlanned), to: isDeclined, type: 'post.declined' },
  { from: not(isPending, isSuspended), to: isPending, type: 'post.approval_requested' },
  { from: either(isDraft, isFailed, isDeclined), to: isPlanned, type: 'post.scheduled' },
  {
    from: either(isScheduled, isRecycling, among('recurring')),
    to: isDraft,
    type: 'post.unscheduled',
  },
  { from: not(isPublished), to: isPosted, type: 'post.published' },
  { from: isPublished, to: isWithdrawn, type: 'post.unpublished' },
  { from: not(isFailed), to: isFailed, type: 'post.failed' },
];

/** The event that the states of an updated post imply. */
export const updateEvent = (before: StoredState, after: StoredState): PostEventType =>
  before === after
    ? 'post.updated'
    : (TRANSITION_EVENTS.find(({ from, to }) => from(before) && to(after))?.type ?? 'post.updated');

/** The events that the state of a new post implies, besides its creation. */
export function creationEvent(after: StoredState): PostEventType | null {
  if (isPlanned(after)) return 'post.scheduled';
  return isPending(after) ? 'post.approval_requested' : null;
}
