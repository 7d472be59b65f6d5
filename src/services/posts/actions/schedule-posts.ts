import { needsApproval } from '../../../domain/access/viewer.js';
import type { PostAction } from '../../../domain/actions/post-actions.js';
import { madeOccurrences } from '../../../domain/calendar/occurrence-dates.js';
import { newSlots } from '../../../domain/caps/daily-caps.js';
import { accountRefusals, checkContent } from '../../../domain/creation/check-publishable.js';
import {
  draftState,
  visibilityOf,
  type ShareMode,
} from '../../../domain/creation/creation-modes.js';
import type { Refusal } from '../../../domain/errors.js';
import type { PostPatch } from '../../../domain/posts/post-fields.js';
import type { Account, Post } from '../../../domain/posts/post.js';
import { isDraft, isScheduled, type StoredState } from '../../../domain/posts/states.js';
import {
  isReleasable,
  isSuspended,
  stateInWorkspace,
  storedStateAfter,
  transitionTo,
} from '../../../domain/posts/transitions.js';
import { formatRefusals } from '../../../domain/rules/format-rules.js';
import {
  createSlotFinder,
  readQueues,
  type SlotFinder,
} from '../../posting-schedules/slot-finder.js';
import {
  planDates,
  queueRefusals,
  repetitionRefusals,
  timeRefusals,
  toPostTime,
  withoutRepeatedFields,
} from '../creation/planning-rules.js';
import { newChildren } from '../series/plan-series.js';
import { completeRule } from '../series/series-dates.js';
import type { ScheduleInput } from './action-request.js';
import {
  duplicateCheck,
  refusedPlan,
  toPostChange,
  type PlanContext,
  type PlanPost,
  type PostActionPlanner,
  type PostPlan,
} from './post-plan.js';

const ACTIONS = {
  schedule: 'schedule',
  add_to_queue: 'add_to_queue',
  share_now: 'share_now',
} as const satisfies Record<Exclude<ShareMode, 'draft'>, PostAction>;

/** Gives posts a mode: drafts, failed and declined ones, and scheduled ones another time (D48). */
export const schedulePlanner = (input: ScheduleInput): PostActionPlanner => ({
  actionOn: (post) => {
    if (input.mode !== 'draft') return ACTIONS[input.mode];
    return isDraft(post.storedState) ? 'edit' : 'move_to_drafts';
  },
  prepare: (context, posts) => prepare(context, posts, input),
  ...duplicateCheck(input),
});

async function prepare(
  context: PlanContext,
  posts: readonly Post[],
  input: ScheduleInput,
): Promise<PlanPost> {
  const { viewer, workspaceRecords, now } = context;
  const { accountId, mode } = input;
  const accounts = accountId
    ? await workspaceRecords.accountsById(viewer.workspace.id, [accountId])
    : new Map<string, Account>();
  const account = (accountId && accounts.get(accountId)) || null;
  const queueAccounts = mode === 'add_to_queue' ? [...posts, { accountId }] : [];
  const queues = await readQueues(
    context,
    [...new Set(queueAccounts.flatMap((one) => one.accountId ?? []))],
    now,
  );
  const slots = createSlotFinder(queues, { plan: viewer.workspace.plan, now });
  return (post) => {
    const given = givenAccount(post, input, account);
    if (given.kind === 'refused') return refusedPlan(given.refusal);
    const placed = { ...post, ...given.values };
    return mode === 'draft'
      ? planDraft(context, placed, { before: post, input })
      : planTime(context, placed, { before: post, mode, given: input.scheduledAt, slots });
  };
}

interface TimeStep {
  readonly before: Post;
  readonly mode: Exclude<ShareMode, 'draft'>;
  /** The time in the request. */
  readonly given: Date | null;
  readonly slots: SlotFinder;
}

/** Whether the post has a time of the queue of its account, which has not come yet. */
const isInQueue = ({ auto, storedState, scheduledAt }: Post, now: Date): boolean =>
  auto && isScheduled(storedState) && scheduledAt !== null && scheduledAt > now;

/** The time that the post gets; null if there is none. */
function timeOf(post: Post, { before, mode, given, slots }: TimeStep, now: Date): Date | null {
  if (mode === 'share_now') return toPostTime(now);
  if (mode === 'schedule') return given ?? post.scheduledAt;
  if (isInQueue(before, now)) return before.scheduledAt;
  const request = { account: post.account!, type: post.type, from: null, until: null };
  const slot = slots.next(request);
  if (slot) slots.take(request, slot);
  return slot;
}

/** A post with an account gets a time, and the state that follows from it. */
async function planTime(context: PlanContext, post: Post, step: TimeStep): Promise<PostPlan> {
  const { viewer, now } = context;
  const { before, mode, given } = step;
  const isPlanned =
    isScheduled(before.storedState) &&
    before.storedState !== 'scheduled_declined' &&
    !isReleasable(before, viewer);
  const isSameTime =
    mode === 'schedule' && (given ?? post.scheduledAt)?.getTime() === post.scheduledAt?.getTime();
  // A time that a member gives is no time of the queue any more, even if it is the same (D61).
  const isAsBefore = mode === 'add_to_queue' ? isInQueue(before, now) : isSameTime && !before.auto;
  if (isPlanned && isAsBefore) return { kind: 'unchanged', post: before };

  const isNew = isDraft(before.storedState);
  const scheduledAt = timeOf(post, step, now);
  const timed: Post = {
    ...post,
    scheduledAt,
    recurring:
      isNew && post.recurring
        ? completeRule(post.recurring, { scheduledAt, recurring: null })
        : post.recurring,
  };
  const zone = viewer.workspace.timeZone;
  const refusals = withoutRepeatedFields([
    [
      ...(mode === 'add_to_queue'
        ? queueRefusals({ hasTime: given !== null, account: post.account, slot: scheduledAt })
        : isPlanned && isSameTime && scheduledAt !== null && scheduledAt > now
          ? []
          : timeRefusals(mode, timed, now)),
      ...(isSuspended(before.storedState) ? [] : accountRefusals(timed.account, timed)),
      ...(isNew ? repetitionRefusals(mode, timed, { now, zone }) : []),
    ],
    formatRefusals(before, timed, contentOf(timed)),
    checkContent(timed, timed.account!.network),
  ]);
  const planned = isNew
    ? planDates(viewer, { post: timed, dates: [], refusals }, now)
    : { post: timed, dates: [], refusals };
  if (planned.refusals.length > 0) return refusedPlan(...planned.refusals);
  return withChildren(context, { before, planned: planned.post, mode }, planned.dates);
}

/** The fields whose formats depend on the network. */
const contentOf = ({ type, details }: Post): PostPatch => ({ type, ...(details && { details }) });

/** The state of the post with its time. */
function stateOf({ viewer }: PlanContext, before: Post, planned: Post): Post['storedState'] {
  const isPending = needsApproval(viewer);
  const inWorkspace = (state: StoredState): StoredState =>
    stateInWorkspace(viewer.workspace, state);
  if (isDraft(before.storedState)) {
    const event =
      isPending && planned.storedState !== 'recurring' ? 'approval_requested' : 'planned';
    return inWorkspace(transitionTo(before.storedState, event, planned.storedState));
  }
  const isReplanned =
    before.storedState === 'failed' || before.storedState === 'scheduled_declined';
  if (isReplanned || isReleasable(before, viewer))
    return inWorkspace(
      storedStateAfter(before.storedState, isPending ? 'approval_requested' : 'planned'),
    );
  return isPending
    ? storedStateAfter(before.storedState, 'changed_without_approval')
    : before.storedState;
}

/** The change of the post, and of the occurrences of a series. */
async function withChildren(
  context: PlanContext,
  { before, planned, mode }: { before: Post; planned: Post; mode: ShareMode },
  dates: readonly Date[],
): Promise<PostPlan> {
  const { viewer, ids, store, now } = context;
  const { account, accountId, network, scheduledAt, recurring, extendAt, occurrenceState } =
    planned;
  const change = toPostChange(context, before, {
    account,
    accountId,
    network,
    scheduledAt,
    recurring,
    extendAt,
    occurrenceState,
    storedState: stateOf(context, before, planned),
    auto: mode === 'add_to_queue',
    queuedAt: null,
    retryAt: null,
    ownFields: ownFieldsAfter(before),
    ...(isReleasable(before, viewer) && { event: 'post.scheduled' }),
  });
  if (dates.length === 0) return change;
  const databaseIds = await store.reserveIds(dates.length);
  const children = newChildren(viewer, ids, {
    series: change.post,
    dates,
    childState: 'scheduled',
    now,
  }).map((child, index) => ({ ...child, databaseId: databaseIds[index]! }));
  return {
    ...change,
    series: madeOccurrences(dates),
    writes: [
      ...change.writes,
      ...children.map((after) => ({
        kind: 'insert' as const,
        after,
        slots: newSlots(null, after, viewer.workspace)!,
      })),
    ],
  };
}

/** A later change of its series does not move an occurrence that was moved (D23). */
const ownFieldsAfter = ({ parentId, ownFields }: Post): string[] =>
  parentId === null ? ownFields : [...new Set([...ownFields, 'scheduledAt'])];

const ONLY_CREATOR: Refusal = {
  code: 'FORBIDDEN',
  message: 'Only the creator of a post can make it a private draft.',
  path: ['visibility'],
  rule: 'D13',
};

/**
 * A post becomes a draft, or a draft gets another visibility, time or account (D48). A post that
 * was handed over is taken back (D55).
 */
function planDraft(
  context: PlanContext,
  post: Post,
  { before, input }: { readonly before: Post; readonly input: ScheduleInput },
): PostPlan {
  const { viewer, now } = context;
  const visibility = input.visibility ?? visibilityOf(before.storedState);
  const scheduledAt = input.scheduledAt ?? before.scheduledAt;
  const refusals = [
    ...(visibility === 'private' && before.creatorId !== viewer.user.id ? [ONLY_CREATOR] : []),
    ...(input.scheduledAt ? timeRefusals('draft', { ...post, scheduledAt }, now) : []),
    ...(post.network === before.network ? [] : formatRefusals(before, post, contentOf(post))),
  ];
  if (refusals.length > 0) return refusedPlan(...refusals);
  const { account, accountId, network } = post;
  const change = toPostChange(context, before, {
    account,
    accountId,
    network,
    scheduledAt,
    storedState: transitionTo(
      before.storedState,
      'moved_to_drafts',
      draftState(visibility, scheduledAt),
    ),
    auto: false,
    queuedAt: null,
    retryAt: null,
  });
  const [write] = change.writes;
  const isSame =
    isDraft(before.storedState) && write?.kind === 'update' && write.changed.length === 0;
  return isSame ? { kind: 'unchanged', post: before } : change;
}

type GivenAccount =
  | { readonly kind: 'given'; readonly values: Partial<Post> }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

const refuse = (message: string): GivenAccount => ({
  kind: 'refused',
  refusal: { code: 'RULE_VIOLATION', message, path: ['accountId'], rule: 'D48' },
});

/**
 * The account that a draft gets; other posts keep the one that they have (D48). `account`: the
 * account of `accountId`, null if the workspace has none with this ID.
 */
function givenAccount(
  post: Post,
  { mode, accountId }: Pick<ScheduleInput, 'mode' | 'accountId'>,
  account: Account | null,
): GivenAccount {
  if (accountId === null || accountId === post.accountId)
    return post.account || mode === 'draft'
      ? { kind: 'given', values: {} }
      : refuse('accountId is required: the draft has no account.');
  if (!account) return refuse('No account of this workspace has this ID.');
  if (post.account && !isDraft(post.storedState))
    return refuse(
      `The post belongs to the account ${post.account.name}. Only drafts can be given another one: make the post a draft first.`,
    );
  return { kind: 'given', values: { account, accountId: account.id, network: account.network } };
}
