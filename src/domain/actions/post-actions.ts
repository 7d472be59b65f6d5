import { canApprove, type Viewer } from '../access/viewer.js';
import { accountRefusals, checkPublishable, lockRefusals } from '../creation/check-publishable.js';
import type { PostContent } from '../networks/network-definition.js';
import { enumKeys, type VocabularyEntry } from '../enums.js';
import type { ErrorCode, Refusal } from '../errors.js';
import type { Post } from '../posts/post.js';
import { isReleasable, isSuspended } from '../posts/transitions.js';
import {
  DECLINED_STATES,
  isDeclined,
  isDraft,
  isPending,
  STATE_FILTERS,
  type StoredState,
} from '../posts/states.js';
import { isPublishable, isUnconfirmed } from '../publishing/publication.js';
import { deletability, type DeleteSubject } from '../rules/delete-rules.js';
import { contentRefusal, editRefusal, PUBLISHING_REFUSAL } from '../rules/edit-rules.js';
import { removalRefusal, STATES_ON_NETWORK } from '../rules/removal-rules.js';

/** The fields of a post that the rules about actions read. */
export type ActionSubject = DeleteSubject &
  PostContent &
  Pick<
    Post,
    'account' | 'remoteId' | 'publicationRecord' | 'recurring' | 'recycling' | 'missingFiles'
  >;

/** Why a viewer may not do something with a post, or null. */
type Check = (post: ActionSubject, viewer: Viewer) => Refusal | null;

/** A refusal of a whole request. */
const refuse = (message: string, rule: string, code: ErrorCode = 'RULE_VIOLATION'): Refusal => ({
  code,
  message,
  path: [],
  rule,
});

/** Refuses a post in another state than these. */
const inStates =
  (states: readonly StoredState[], message: string, rule: string): Check =>
  ({ storedState }) =>
    states.includes(storedState) ? null : refuse(message, rule);

/** Refuses a post that is being sent to its network (D57). */
const notBeingSent: Check = ({ armedAt }) => (armedAt === null ? null : PUBLISHING_REFUSAL);

/** Refuses a post while it is unknown whether it is on its network (D54). */
const notUnconfirmed: Check = (post) =>
  isUnconfirmed(post)
    ? refuse(
        'It is unknown whether the post was published. Use resolvePublication, or retryPosts with confirmNotLive.',
        'D54',
      )
    : null;

/** Refuses what the service could not publish for the account (D48). */
const forUsableAccount: Check = (post) => accountRefusals(post.account, post)[0] ?? null;

/** Refuses what would be published at once in a locked workspace (D57). */
const inUnlockedWorkspace: Check = (_post, viewer) => lockRefusals(viewer)[0] ?? null;

/** Refuses content that the network of the post would not take (D47). */
const withValidContent: Check = (post) =>
  (post.account && checkPublishable(post, post.account)[0]) ?? null;

/** Refuses posts that the service cannot remove from their networks (D62). */
const removable: Check = (post) => removalRefusal(post);

/** Refuses members who cannot approve posts (D4). */
const byApprover: Check = (_post, viewer) =>
  canApprove(viewer.role)
    ? null
    : refuse('Only owners and admins can approve and decline posts.', 'D4', 'FORBIDDEN');

/** The rules of an action. The first check that refuses determines the reason. */
interface ActionRule extends VocabularyEntry {
  /** Who may do it. */
  readonly rights: Check;
  /** Whether the post already is as the action would make it, which is no error. */
  readonly isDone?: (post: ActionSubject) => boolean;
  readonly checks: readonly Check[];
  /** What the call needs in addition, or does besides, for some posts. */
  readonly note?: (post: ActionSubject, viewer: Viewer) => string | null;
}

const RETRY_NOTE =
  'It is unknown whether the post was published. Check its network, and set confirmNotLive if it is not there.';

const RELEASE_NOTE = 'The post needs no approval any more: the workspace does not require it.';

const plannedNote = (post: ActionSubject, viewer: Viewer): string | null => {
  if (!post.account) return 'accountId is required, because the draft has no account.';
  return isReleasable(post, viewer) ? RELEASE_NOTE : null;
};

/** What a post needs to get a time (D48). One that is suspended stays so, at its new time. */
const PLANNED_CHECKS: readonly Check[] = [
  notBeingSent,
  inStates(
    [...STATE_FILTERS.draft.storedStates, ...STATE_FILTERS.scheduled.storedStates, 'failed'],
    'Only drafts, scheduled posts and posts whose publication failed can be given a time.',
    'D48',
  ),
  notUnconfirmed,
  (post, viewer) => (isSuspended(post.storedState) ? null : forUsableAccount(post, viewer)),
  withValidContent,
];

/** What a post needs to be published at once (D48). */
const SHARED_CHECKS: readonly Check[] = [
  notBeingSent,
  inStates(
    [
      ...STATE_FILTERS.draft.storedStates,
      ...STATE_FILTERS.scheduled.storedStates.filter((state) => !isSuspended(state)),
      'failed',
    ],
    'Only drafts, posts whose publication failed, and scheduled posts that wait neither for an operator nor for their account can be published at once.',
    'D48',
  ),
  notUnconfirmed,
  inUnlockedWorkspace,
  forUsableAccount,
  withValidContent,
];

const publishedOnce: Check = ({ storedState, recurring, recycling }) =>
  isDraft(storedState) && (recurring || recycling)
    ? refuse('A draft that is to be published repeatedly requires the mode SCHEDULE.', 'D48')
    : null;

/** Owners and admins decide about posts that they can see and edit (D4). */
const reviewRights: Check = (post, viewer) => editRefusal(post, viewer) ?? byApprover(post, viewer);

const waitsForApproval = inStates(
  ['scheduled_pending', 'recycling_pending', 'recurring'],
  'Only posts that wait for approval can be approved or declined.',
  'D64',
);

/** Refuses a post with files that no member can have seen: an approval covers all of them (D64). */
const withAllFiles: Check = ({ missingFiles: [file] }) =>
  file === undefined
    ? null
    : refuse(
        `The file ${JSON.stringify(file)} has not arrived. Approve the post after all of its files have arrived, or replace the file.`,
        'D64',
      );

/** A recycling post that goes on: also one that needs no approval any more. */
const inResumableState: Check = (post, viewer) =>
  post.storedState === 'recycling_pending' && isReleasable(post, viewer)
    ? null
    : inStates(
        ['recycling_paused', 'recycling_failed'],
        'Only paused and failed recycling posts can be resumed.',
        'D59',
      )(post, viewer);

/** What members do with posts, and the rules about it: action, state, role and network (D65). */
export const POST_ACTIONS = {
  edit: {
    description: 'Change fields with `updatePost`. `editability` lists the fields.',
    source: 'D19',
    rights: editRefusal,
    checks: [contentRefusal],
  },
  delete: {
    description: 'Delete the post with `deletePosts`.',
    source: 'Delete posts',
    rights: deletability,
    checks: [],
  },
  schedule: {
    description: 'Schedule the post, or change its time, with `schedulePosts`.',
    source: 'D48',
    rights: editRefusal,
    checks: PLANNED_CHECKS,
    note: plannedNote,
  },
  add_to_queue: {
    description: 'Give the post the next free time of the posting schedule of its account.',
    source: 'D61',
    rights: editRefusal,
    checks: [...PLANNED_CHECKS, publishedOnce],
    note: plannedNote,
  },
  share_now: {
    description: 'Publish the post immediately, with `schedulePosts`.',
    source: 'D48',
    rights: editRefusal,
    isDone: ({ storedState, queuedAt, armedAt, reminder }) =>
      isPublishable(storedState) && !reminder && (queuedAt !== null || armedAt !== null),
    checks: [...SHARED_CHECKS, publishedOnce],
    note: plannedNote,
  },
  move_to_drafts: {
    description: 'Make the post a draft, with `schedulePosts` in mode DRAFT.',
    source: 'D48',
    rights: editRefusal,
    isDone: ({ storedState }) => isDraft(storedState),
    checks: [
      notBeingSent,
      inStates(
        [...STATE_FILTERS.scheduled.storedStates, 'failed'],
        'Only scheduled posts and posts whose publication failed can become drafts.',
        'D48',
      ),
      notUnconfirmed,
    ],
  },
  restore: {
    description: 'Restore a deleted post with `restorePosts`, within 30 days.',
    source: 'D71',
    rights: deletability,
    isDone: () => true,
    checks: [],
  },
  revert: {
    description: 'Go back to an earlier version with `revertPost`. `history` lists the versions.',
    source: 'D71',
    rights: editRefusal,
    checks: [contentRefusal],
  },
  unpublish: {
    description:
      'Remove the post from its network with `unpublishPosts`. The gateway keeps its record.',
    source: 'D62',
    rights: deletability,
    isDone: ({ storedState }) => storedState === 'published_deleted',
    checks: [
      inStates(
        STATES_ON_NETWORK,
        'Only published posts can be removed from their networks.',
        'D62',
      ),
      removable,
    ],
  },
  retry: {
    description: 'Publish a post with `retryPosts`, after its publication did not succeed.',
    source: 'D56',
    rights: editRefusal,
    checks: [
      inStates(['failed'], 'Only posts whose publication failed can be retried.', 'D56'),
      inUnlockedWorkspace,
      forUsableAccount,
      withValidContent,
    ],
    note: (post) => (isUnconfirmed(post) ? RETRY_NOTE : null),
  },
  resolve: {
    description:
      'Record with `resolvePublication` whether the post is on its network, if its publication is unconfirmed or its reminder is due.',
    source: 'D54',
    rights: editRefusal,
    checks: [
      notBeingSent,
      (post) =>
        isUnconfirmed(post) || (post.reminder && post.queuedAt !== null)
          ? null
          : refuse(
              'Only posts whose publication is unconfirmed and reminders that are due can be resolved.',
              'D58',
            ),
    ],
  },
  request_approval: {
    description: 'Request approval for the post, with `reviewPosts`.',
    source: 'D64',
    rights: editRefusal,
    isDone: ({ storedState }) => isPending(storedState),
    checks: [
      notBeingSent,
      ({ storedState }) =>
        isDraft(storedState)
          ? refuse('A draft cannot be approved. Schedule it first.', 'D64')
          : null,
      inStates(
        [
          'scheduled',
          'scheduled_approved',
          'recycling_active',
          'recycling_paused',
          ...DECLINED_STATES,
          'recurring',
        ],
        'Only scheduled, declined and recycling posts and series can wait for approval.',
        'D64',
      ),
    ],
  },
  approve: {
    description: 'Approve the post, with `reviewPosts`.',
    source: 'D64',
    rights: reviewRights,
    isDone: ({ storedState }) =>
      ['scheduled_approved', 'recycling_active', 'recycling_paused'].includes(storedState),
    checks: [waitsForApproval, forUsableAccount, withAllFiles],
    note: () => 'expectedVersion is required.',
  },
  decline: {
    description: 'Decline the post, with `reviewPosts`.',
    source: 'D64',
    rights: reviewRights,
    isDone: ({ storedState }) => isDeclined(storedState),
    checks: [waitsForApproval],
    note: () => 'note is required.',
  },
  pause: {
    description: 'Pause a recycling post with `pausePosts`.',
    source: 'D59',
    rights: editRefusal,
    isDone: ({ storedState }) => storedState === 'recycling_paused',
    checks: [
      notBeingSent,
      inStates(['recycling_active'], 'Only active recycling posts can be paused.', 'D59'),
    ],
  },
  resume: {
    description: 'Resume a recycling post with `resumePosts`.',
    source: 'D59',
    rights: editRefusal,
    isDone: ({ storedState }) => storedState === 'recycling_active',
    checks: [inResumableState, notUnconfirmed, forUsableAccount, withValidContent],
    note: (post, viewer) => (isReleasable(post, viewer) ? RELEASE_NOTE : null),
  },
} as const satisfies Record<string, ActionRule>;
/** Action that members can perform on posts. */
export type PostAction = keyof typeof POST_ACTIONS;

/** `done`: the post already is as the action would make it; nothing changes, and it is no error. */
type ActionDecision =
  | { readonly kind: 'allowed'; readonly note: string | null }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Whether this viewer may do this with this post now (D65). `Post.actions`, dry runs and the calls
 * themselves ask it. What depends on the input of a call, such as times, duplicates and daily caps,
 * is checked by the call.
 */
export function decideAction(
  action: PostAction,
  post: ActionSubject,
  viewer: Viewer,
): ActionDecision {
  const { rights, isDone, checks, note }: ActionRule = POST_ACTIONS[action];
  const noRight = rights(post, viewer);
  if (noRight) return { kind: 'refused', refusal: noRight };
  if (isDone?.(post)) return { kind: 'done' };
  for (const check of checks) {
    const refusal = check(post, viewer);
    if (refusal) return { kind: 'refused', refusal };
  }
  return { kind: 'allowed', note: note?.(post, viewer) ?? null };
}

/** Whether a viewer may do something with a post now, and why not or under which condition. */
interface ActionRight {
  readonly action: PostAction;
  readonly allowed: boolean;
  readonly code: Refusal['code'] | null;
  readonly reason: string | null;
  readonly rule: string | null;
}

/** What the viewer may do with the post: one entry for each action (D65). */
export const actionRights = (post: ActionSubject, viewer: Viewer): ActionRight[] =>
  enumKeys(POST_ACTIONS).map((action) => {
    const decision = decideAction(action, post, viewer);
    const allowed = decision.kind === 'allowed';
    if (decision.kind === 'refused') {
      const { code, message: reason, rule } = decision.refusal;
      return { action, allowed, code, reason, rule };
    }
    const reason =
      decision.kind === 'allowed' ? decision.note : 'The action would not change the post.';
    return { action, allowed, code: null, reason, rule: null };
  });

/** What members decide about posts that need approval (D64). */
export const REVIEW_DECISIONS = {
  request: {
    description: 'Request approval: the posts are not published until they are approved.',
    source: 'D64',
  },
  approve: {
    description: 'Approve the posts: they are published at their scheduled time.',
    source: 'D64',
  },
  decline: {
    description: 'Decline the posts: they are not published. Their creators are notified.',
    source: 'D64',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type ReviewDecision = keyof typeof REVIEW_DECISIONS;

/** The action of each decision. */
export const REVIEW_ACTIONS = {
  request: 'request_approval',
  approve: 'approve',
  decline: 'decline',
} as const satisfies Record<ReviewDecision, PostAction>;
