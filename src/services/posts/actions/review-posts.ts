import { REVIEW_ACTIONS, type ReviewDecision } from '../../../domain/actions/post-actions.js';
import type { Change, UpsertWrite } from '../../../domain/changes/change.js';
import type { Refusal } from '../../../domain/errors.js';
import type { Post } from '../../../domain/posts/post.js';
import { hasVisibleText } from '../../../domain/input/readers.js';
import type { PostEventType } from '../../../domain/events/event.js';
import { isRecycling, type StoredState } from '../../../domain/posts/states.js';
import {
  storedStateAfter,
  transitionTo,
  type StateEvent,
} from '../../../domain/posts/transitions.js';
import { toPostTime } from '../creation/planning-rules.js';
import { resumedDate } from '../../../domain/calendar/recycling.js';
import type { ReviewInput } from './action-request.js';
import {
  refusedPlan,
  toPostChange,
  type PlanContext,
  type PlanPost,
  type PostActionPlanner,
  type PostChange,
  type PostPlan,
} from './post-plan.js';

const EVENTS = {
  request: 'approval_requested',
  approve: 'approved',
  decline: 'declined',
} as const satisfies Record<ReviewDecision, StateEvent>;

/** Asks for approval, approves or declines (D64). */
export const reviewPlanner = (input: ReviewInput): PostActionPlanner => ({
  actionOn: () => REVIEW_ACTIONS[input.decision],
  prepare: (context, posts) => prepare(context, posts, input),
});

const violation = (path: string, message: string, code: Refusal['code'] = 'RULE_VIOLATION') =>
  refusedPlan({ code, message, path: [path], rule: 'D64' });

/** Why the input does not suffice for the post, or null. */
function inputRefusal({ decision, note }: ReviewInput, post: Post, expected: number | null) {
  if (decision === 'decline' && !hasVisibleText(note))
    return violation('note', 'note is required: the reason, which the creator of the post gets.');
  if (decision === 'approve' && expected === null)
    return violation('expectedVersion', 'expectedVersion is required: the version that you saw.');
  return expected === null || expected === post.version
    ? null
    : violation(
        'expectedVersion',
        `The post has version ${post.version}, not the expected version ${expected}.`,
        'CONFLICT',
      );
}

async function prepare(
  context: PlanContext,
  posts: readonly Post[],
  input: ReviewInput,
): Promise<PlanPost> {
  const late = posts.filter((post) => post.scheduledAt && post.scheduledAt <= context.now);
  const datedAt =
    input.decision === 'approve'
      ? await context.store.datedAt(late.map(({ databaseId }) => databaseId))
      : new Map<number, Date>();
  /** Whether the time of the post had come when it was set: it was to be shared at once (D48). */
  const isShared = (post: Post): boolean =>
    post.scheduledAt! <= (datedAt.get(post.databaseId) ?? post.createdAt);
  return (post, expectedVersion) => {
    const refused = inputRefusal(input, post, expectedVersion);
    if (refused) return refused;
    if (post.storedState === 'recurring') return reviewSeries(context, post, input);
    const isLate = late.includes(post) && !isRecycling(post.storedState);
    if (isLate && input.decision === 'approve' && !input.publishLate && !isShared(post))
      return violation(
        'publishLate',
        'The time of the post has passed. Set publishLate to publish it now, or give it another time first.',
      );
    return reviewPost(context, post, input);
  };
}

/**
 * The time of the post after the decision: an approved post is not due for a time that has passed.
 */
function timeOf({ viewer, now }: PlanContext, post: Post, decision: ReviewDecision): Date | null {
  if (decision !== 'approve' || !post.scheduledAt || post.scheduledAt > now)
    return post.scheduledAt;
  // A paused post gets its next date when it is resumed.
  if (post.pausedAfterApproval) return post.scheduledAt;
  return isRecycling(post.storedState)
    ? resumedDate(post, viewer.workspace.timeZone, now)
    : toPostTime(now);
}

function reviewPost(
  context: PlanContext,
  post: Post,
  input: ReviewInput,
  events: readonly StateEvent[] = [EVENTS[input.decision]],
): PostChange {
  const { viewer, now } = context;
  const { decision, note } = input;
  const scheduledAt = timeOf(context, post, decision);
  // A recycling post without a date in the future is over (D59).
  const isOver = post.scheduledAt !== null && !scheduledAt;
  const isStillPaused = decision === 'approve' && post.pausedAfterApproval;
  const change = toPostChange(context, post, {
    ...(isStillPaused && { event: 'post.approved' as const }),
    storedState: stateOf(post, { isOver, isStillPaused, events }),
    scheduledAt: scheduledAt ?? post.scheduledAt,
    queuedAt: null,
    retryAt: null,
    review: decision === 'decline' ? { by: viewer.user.name, at: now, note } : null,
  });
  return {
    ...change,
    writes: withNote(change.writes, input),
    notifications: decision === 'decline' ? declinedNotification(context, post, note) : [],
  };
}

/** The state of the post after the decision. */
function stateOf(
  { storedState }: Post,
  {
    isOver,
    isStillPaused,
    events,
  }: { isOver: boolean; isStillPaused: boolean; events: readonly StateEvent[] },
): StoredState {
  if (isOver) return storedStateAfter(storedState, 'recycling_finished');
  return isStillPaused
    ? transitionTo(storedState, 'approved', 'recycling_paused')
    : events.reduce(storedStateAfter, storedState);
}

/** The note is kept in the history. */
const withNote = (writes: readonly UpsertWrite[], { note }: ReviewInput): UpsertWrite[] =>
  writes.map((write) => (write.kind === 'update' && note !== null ? { ...write, note } : write));

/** The creator of a post is notified that another member declined it. */
function declinedNotification(
  { viewer, ids }: PlanContext,
  { creatorId, databaseId }: Post,
  note: string | null,
): Change['notifications'] {
  if (creatorId === viewer.user.id) return [];
  return [
    {
      id: ids.prefixed('ntf'),
      userId: creatorId,
      kind: 'post_declined',
      message: `${viewer.user.name} declined your post: ${note}`,
      postId: databaseId,
    },
  ];
}

/** The decision about a series is one about its occurrences, those that are created later too. */
async function reviewSeries(
  context: PlanContext,
  series: Post,
  input: ReviewInput,
): Promise<PostPlan> {
  const events = SERIES_STEPS[input.decision];
  const children = await context.store.futureChildren(series.databaseId, context.now);
  const changes = children
    .filter(
      ({ armedAt, storedState }) =>
        armedAt === null && events.reduce(storedStateAfter, storedState) !== storedState,
    )
    .filter((child) => input.decision !== 'approve' || isSeenWith(series, child))
    .map((child) => reviewPost(context, child, input, events));
  const occurrenceState = OCCURRENCE_STATES[input.decision];
  if (changes.length === 0 && series.occurrenceState === occurrenceState)
    return { kind: 'unchanged', post: series };
  const change = toPostChange(context, series, {
    occurrenceState,
    event: SERIES_EVENTS[input.decision],
  });
  return {
    ...change,
    writes: [...withNote(change.writes, input), ...changes.flatMap(({ writes }) => writes)],
    publications: changes.flatMap(({ publications = [] }) => publications),
    notifications:
      input.decision === 'decline' ? declinedNotification(context, series, input.note) : [],
  };
}

/**
 * Whether those who saw this version of the series saw the occurrence as it is. An occurrence that a
 * member changed by itself since then, or whose files are missing, is approved by its own version.
 */
const isSeenWith = (series: Post, { ownFields, missingFiles, updatedAt }: Post): boolean =>
  missingFiles.length === 0 &&
  (updatedAt <= series.updatedAt || ownFields.every((field) => field === 'labels'));

/** The steps of each occurrence: one that was approved can be declined with its series. */
const SERIES_STEPS: Readonly<Record<ReviewDecision, readonly StateEvent[]>> = {
  request: ['approval_requested'],
  approve: ['approved'],
  decline: ['approval_requested', 'declined'],
};

/** What is kept about a series, for occurrences that are created later (D60). */
const OCCURRENCE_STATES = {
  request: 'scheduled_pending',
  approve: 'scheduled_approved',
  decline: 'scheduled_declined',
} as const satisfies Record<ReviewDecision, StoredState>;

/** The state of a series does not change with a decision. */
const SERIES_EVENTS = {
  request: 'post.approval_requested',
  approve: 'post.approved',
  decline: 'post.declined',
} as const satisfies Record<ReviewDecision, PostEventType>;
