import type { VocabularyEntry } from '../enums.js';
import { DECLINED_STATES, isDeclined, isDraft, isPending, STATE_FILTERS } from '../posts/states.js';
import { isPublishable, isUnconfirmed } from '../publishing/publication.js';
import { deletability } from '../rules/delete-rules.js';
import { editRefusal } from '../rules/edit-rights.js';
import { STATES_ON_NETWORK } from '../rules/removal-rules.js';
import {
  byApprover,
  forUsableAccount,
  inStates,
  notBeingSent,
  notUnconfirmed,
  refuse,
  removable,
  withValidContent,
  type ActionSubject,
  type Check,
} from './action-checks.js';

/** The rules of an action. The first check that refuses determines the reason. */
export interface ActionRule extends VocabularyEntry {
  /** Who may do it. */
  readonly rights: Check;
  /** Whether the post already is as the action would make it, which is no error. */
  readonly isDone?: (post: ActionSubject) => boolean;
  readonly checks: readonly Check[];
  /** What the call needs in addition, for some posts. */
  readonly note?: (post: ActionSubject) => string | null;
}

const RETRY_NOTE =
  'It is unknown whether the post was published. Check its network, and set confirmNotLive if it is not there.';

const accountNote = ({ account }: ActionSubject): string | null =>
  account ? null : 'accountId is required, because the draft has no account.';

/** What a post needs to get a time (D48). */
const PLANNED_CHECKS: readonly Check[] = [
  notBeingSent,
  inStates(
    [
      ...STATE_FILTERS.draft.storedStates,
      'scheduled',
      'scheduled_approved',
      'scheduled_pending',
      'scheduled_declined',
      'failed',
    ],
    'Only drafts, scheduled posts and posts whose publication failed can be given a time.',
    'D48',
  ),
  notUnconfirmed,
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

/** What members do with posts, and the rules about it: action, state, role and network (D65). */
export const POST_ACTIONS = {
  edit: {
    description: 'Change fields with `updatePost`. `editability` lists the fields.',
    source: 'D19',
    rights: editRefusal,
    checks: [notBeingSent],
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
    note: accountNote,
  },
  add_to_queue: {
    description: 'Give the post the next free time of the posting schedule of its account.',
    source: 'D61',
    rights: editRefusal,
    checks: [...PLANNED_CHECKS, publishedOnce],
    note: accountNote,
  },
  share_now: {
    description: 'Publish the post immediately, with `schedulePosts`.',
    source: 'D48',
    rights: editRefusal,
    isDone: ({ storedState, queuedAt, armedAt, reminder }) =>
      isPublishable(storedState) && !reminder && (queuedAt !== null || armedAt !== null),
    checks: [...PLANNED_CHECKS, publishedOnce],
    note: accountNote,
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
    checks: [notBeingSent],
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
    checks: [waitsForApproval, forUsableAccount],
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
    checks: [
      inStates(
        ['recycling_paused', 'recycling_failed'],
        'Only paused and failed recycling posts can be resumed.',
        'D59',
      ),
      notUnconfirmed,
      forUsableAccount,
      withValidContent,
    ],
  },
} as const satisfies Record<string, ActionRule>;
/** Action that members can perform on posts. */
export type PostAction = keyof typeof POST_ACTIONS;
