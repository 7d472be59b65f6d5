import { enumKeys } from '../enums.js';
import type { Post } from '../posts/post.js';
import { isDraft, type StoredState } from '../posts/states.js';
import type { PublicationHold } from '../publishing/publication-record.js';
import { dueAtOf, isUnconfirmed } from '../publishing/publication.js';

/** The fields of a post that explain its state. */
export type StateSubject = Pick<
  Post,
  | 'storedState'
  | 'network'
  | 'account'
  | 'scheduledAt'
  | 'queuedAt'
  | 'armedAt'
  | 'retryAt'
  | 'reminder'
  | 'publicationRecord'
  | 'publicationHold'
  | 'review'
  | 'createdAt'
  | 'updatedAt'
>;

/** A day as it is written in a sentence: `3 May 2026`, in UTC. */
const formatDay = (at: Date): string => formatTime(at).split(',')[0]!;

/** A time as it is written in a sentence: `3 May 2026, 09:30 UTC`. */
function formatTime(at: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\d+:\d+)/.exec(at.toUTCString())!;
  return `${Number(day)} ${month} ${year}, ${time} UTC`;
}

const timeOf = ({ scheduledAt }: StateSubject): string =>
  scheduledAt ? formatTime(scheduledAt) : 'an unknown time';
const accountOf = ({ account }: StateSubject): string => account?.name ?? 'its account';
const networkOf = ({ network }: StateSubject): string => network ?? 'its network';
/** The message of the last error as a clause, for the end of a sentence. */
const errorOf = ({ publicationRecord }: StateSubject): string | null =>
  publicationRecord?.error?.message.replace(/\.$/, '') ?? null;

type Explain = (post: StateSubject, now: Date) => string;

const HOLDS: Readonly<Record<PublicationHold, (post: StateSubject) => string>> = {
  media_failed: () => 'One of its files could not be fetched or was not sent: replace the file.',
  media_waiting: () => 'The post is published only after all of its files have arrived.',
  workspace_locked: () =>
    'The workspace is locked: nothing is published until an operator unlocks it.',
  queue_paused: (post) =>
    `The queue of ${accountOf(post)} is paused: the post is not published until it is resumed.`,
  publishing_paused: () =>
    'Publication is paused: nothing is published until an operator resumes it.',
};

const OPERATOR_HOLDS: readonly PublicationHold[] = ['workspace_locked', 'publishing_paused'];

/** The reason, and what keeps the post from being published, as far as these holds matter. */
function withHold(
  reason: string,
  post: StateSubject,
  holds: readonly PublicationHold[] = enumKeys(HOLDS),
): string {
  const { account, publicationHold: hold } = post;
  const sentences = [
    reason,
    ...(account?.needsReauth
      ? [
          `${networkOf(post)} no longer accepts the credentials of ${account.name}: connect it again.`,
        ]
      : []),
    ...(hold && holds.includes(hold) ? [HOLDS[hold](post)] : []),
  ];
  return sentences.join(' ');
}

/** A post that is being published; null if it waits. */
function progressReason(post: StateSubject): string | null {
  const { armedAt, queuedAt, reminder, publicationRecord } = post;
  if (armedAt)
    return publicationRecord?.openAttempt === 'processing'
      ? `${networkOf(post)} has the post and is processing it.`
      : `The post is being sent to ${networkOf(post)}.`;
  if (queuedAt && reminder)
    return `The post was due on ${timeOf(post)}: publish it on ${accountOf(post)} yourself, then enter its link with resolvePublication.`;
  return queuedAt
    ? withHold(
        `The post is due and is about to be sent to ${networkOf(post)}.`,
        post,
        OPERATOR_HOLDS,
      )
    : null;
}

/** A post that is published when its time comes: once, or repeatedly. */
function plannedReason(post: StateSubject, planned: string): string {
  const progress = progressReason(post);
  if (progress) return progress;
  const error = errorOf(post);
  return withHold(
    post.retryAt && error
      ? `The last attempt did not publish the post: ${error}. The next one follows on ${formatTime(dueAtOf(post) ?? post.retryAt)}.`
      : planned,
    post,
  );
}

const scheduledReason =
  (planned: string): Explain =>
  (post) =>
    plannedReason(
      post,
      post.reminder
        ? `${planned} for ${timeOf(post)}, when its creator is reminded to publish it.`
        : `${planned} for ${timeOf(post)}, when it is published on ${accountOf(post)}.`,
    );

/**
 * Whether the post was to be published at once when it was created or changed last: its time is the
 * time of that call, in whole seconds (D48).
 */
const isForNow = ({ scheduledAt, createdAt, updatedAt }: StateSubject): boolean =>
  scheduledAt !== null &&
  (scheduledAt <= createdAt ||
    (scheduledAt <= updatedAt && updatedAt.getTime() - scheduledAt.getTime() < 1_000));

function pendingReason(post: StateSubject, now: Date): string {
  const { scheduledAt } = post;
  const isLate = scheduledAt !== null && scheduledAt <= now;
  const next = isForNow(post)
    ? 'It is published as soon as it is approved.'
    : isLate
      ? `Its time, ${timeOf(post)}, has passed: approve it with publishLate to publish it, or give it another time.`
      : `It is planned for ${timeOf(post)}.`;
  return withHold(`Waiting for approval by an owner or admin. ${next}`, post);
}

/**
 * What matters for a post that is not going to be published before a member schedules or retries
 * it.
 */
const UNPLANNED_HOLDS: readonly PublicationHold[] = [
  'media_failed',
  'media_waiting',
  'workspace_locked',
];

function failedReason(post: StateSubject): string {
  const { publicationRecord: record } = post;
  const error = errorOf(post);
  if (isUnconfirmed(post))
    return `${error ?? 'It is unknown whether the post was published'}. Check ${networkOf(post)}, then use resolvePublication, or retryPosts with confirmNotLive.`;
  if (error === null)
    return 'The publication failed for an unknown reason. Retry it, or change the post.';
  if (record?.result === 'missed')
    return withHold(`${error}: retry it to publish it now.`, post, UNPLANNED_HOLDS);
  return withHold(
    record?.error?.retryable
      ? `Not published: ${error}. Retry it to publish it now.`
      : `Not published: ${error}. Change the post or its account, then retry it.`,
    post,
    UNPLANNED_HOLDS,
  );
}

const publishedReason = (post: StateSubject): string =>
  post.publicationRecord?.publishedAt
    ? `Published on ${networkOf(post)} on ${formatTime(post.publicationRecord.publishedAt)}.`
    : `Published on ${networkOf(post)}.`;

const draftReason = (post: StateSubject): string => {
  const seenBy = post.storedState.startsWith('draft_private') ? ' that only its creator sees' : '';
  const withTime = post.scheduledAt ? `, with the time ${timeOf(post)}` : '';
  return withHold(
    `A draft${seenBy}${withTime}: it is not published until it is scheduled.`,
    post,
    UNPLANNED_HOLDS,
  );
};

const reauthReason = (post: StateSubject): string =>
  `${networkOf(post)} no longer accepts the credentials of ${accountOf(post)}: connect the account again to continue.`;
const LOCKED =
  'The workspace is locked. The post continues when an operator unlocks the workspace.';

/** A post that an owner or admin declined: who, when and why, as far as it is known. */
function declinedReason({ review }: StateSubject): string {
  const decision = review
    ? `Declined${review.by === null ? '' : ` by ${review.by}`} on ${formatDay(review.at)}`
    : 'Declined';
  const note = review?.note?.trim().replace(/[.!]$/, '');
  return `${decision}${note ? `: ${note}` : ''}. Change the post to request approval again.`;
}

const REASONS: Readonly<Record<Exclude<StoredState, `draft_${string}`>, Explain>> = {
  scheduled: scheduledReason('Scheduled'),
  scheduled_approved: scheduledReason('Approved and scheduled'),
  scheduled_pending: pendingReason,
  scheduled_declined: declinedReason,
  scheduled_reauth: reauthReason,
  scheduled_locked: () => LOCKED,
  published_posted: publishedReason,
  published_deleted: (post) =>
    `Published on ${networkOf(post)}, and then deleted there. The gateway still has its record.`,
  published_hidden: (post) => `Published on ${networkOf(post)}, which no longer shows it.`,
  failed: failedReason,
  recycling_active: (post) =>
    plannedReason(post, `Published repeatedly. The next date is ${timeOf(post)}.`),
  recycling_paused: (post) =>
    progressReason(post) ?? 'Recycling is paused. Resume the post to continue.',
  recycling_expired: () =>
    'Recycling has ended. To continue, raise the limit or set a later last date.',
  recycling_failed: (post) =>
    `The last publication failed${errorOf(post) ? `: ${errorOf(post)}` : ''}, so recycling has stopped.`,
  recycling_pending: () => 'Recycling is waiting for approval by an owner or admin.',
  recycling_declined: declinedReason,
  recycling_reauth: reauthReason,
  recycling_locked: () => LOCKED,
  recurring: (post) =>
    withHold(
      `A series, whose occurrences are separate posts. The next date is ${timeOf(post)}.`,
      post,
    ),
};

const isDraftState = (state: StoredState): state is Extract<StoredState, `draft_${string}`> =>
  isDraft(state);

/** Why the post is in its state and what happens next, as one or two sentences (D65). */
export const stateReason = (post: StateSubject, now: Date): string =>
  isDraftState(post.storedState) ? draftReason(post) : REASONS[post.storedState](post, now);
