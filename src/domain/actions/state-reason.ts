import type { Post } from '../posts/post.js';
import { isDraft, type StoredState } from '../posts/states.js';
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
  | 'review'
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

/** A post that is published when its time comes. */
function plannedReason(post: StateSubject): string {
  const { armedAt, queuedAt, reminder, retryAt, publicationRecord } = post;
  const isApproved = post.storedState === 'scheduled_approved';
  if (armedAt)
    return publicationRecord?.openAttempt === 'processing'
      ? `${networkOf(post)} has the post and is processing it.`
      : `The post is being sent to ${networkOf(post)}.`;
  if (queuedAt && reminder)
    return `The post was due on ${timeOf(post)}: publish it on ${accountOf(post)} yourself, then enter its link with resolvePublication.`;
  if (queuedAt) return `Its time has come: the post is about to be sent to ${networkOf(post)}.`;
  const error = errorOf(post);
  if (retryAt && error)
    return `The last attempt did not publish the post: ${error}. The next one follows on ${formatTime(dueAtOf(post) ?? retryAt)}.`;
  const planned = isApproved ? 'Approved and scheduled' : 'Scheduled';
  return reminder
    ? `${planned} for ${timeOf(post)}, when its creator is reminded to publish it.`
    : `${planned} for ${timeOf(post)}, when it is published on ${accountOf(post)}.`;
}

function failedReason(post: StateSubject): string {
  const { publicationRecord: record } = post;
  const error = errorOf(post);
  if (isUnconfirmed(post))
    return `${error ?? 'It is unknown whether the post was published'}. Check ${networkOf(post)}, then use resolvePublication, or retryPosts with confirmNotLive.`;
  if (error === null)
    return 'The publication failed for an unknown reason. Retry it, or change the post.';
  if (record?.result === 'missed') return `${error}: retry it to publish it now.`;
  return record?.error?.retryable
    ? `Not published: ${error}. Retry it to publish it now.`
    : `Not published: ${error}. Change the post or its account, then retry it.`;
}

const publishedReason = (post: StateSubject): string =>
  post.publicationRecord?.publishedAt
    ? `Published on ${networkOf(post)} on ${formatTime(post.publicationRecord.publishedAt)}.`
    : `Published on ${networkOf(post)}.`;

const draftReason = (post: StateSubject): string => {
  const seenBy = post.storedState.startsWith('draft_private') ? ' that only its creator sees' : '';
  return post.scheduledAt
    ? `A draft${seenBy}, with the time ${timeOf(post)}: it is not published until it is scheduled.`
    : `A draft${seenBy}: it is not published until it is scheduled.`;
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

type Explain = (post: StateSubject) => string;

const REASONS: Readonly<Record<Exclude<StoredState, `draft_${string}`>, Explain>> = {
  scheduled: plannedReason,
  scheduled_approved: plannedReason,
  scheduled_pending: (post) => `Waiting for approval by an owner or admin before ${timeOf(post)}.`,
  scheduled_declined: declinedReason,
  scheduled_reauth: reauthReason,
  scheduled_locked: () => LOCKED,
  published_posted: publishedReason,
  published_deleted: (post) =>
    `Published on ${networkOf(post)}, and then deleted there. The gateway still has its record.`,
  published_hidden: (post) => `Published on ${networkOf(post)}, which no longer shows it.`,
  failed: failedReason,
  recycling_active: (post) => `Published repeatedly. The next date is ${timeOf(post)}.`,
  recycling_paused: () => 'The repeated publication is paused. Resume it to continue.',
  recycling_expired: () =>
    'The repeated publication has ended. Raise its limit or set a later last date to continue.',
  recycling_failed: (post) =>
    `The last publication failed${errorOf(post) ? `: ${errorOf(post)}` : ''}, so the repetition stopped.`,
  recycling_pending: () => 'The repeated publication is waiting for approval by an owner or admin.',
  recycling_declined: declinedReason,
  recycling_reauth: reauthReason,
  recycling_locked: () => LOCKED,
  recurring: (post) =>
    `A series, whose occurrences are separate posts. The next date is ${timeOf(post)}.`,
};

const isDraftState = (state: StoredState): state is Extract<StoredState, `draft_${string}`> =>
  isDraft(state);

/** Why the post is in its state and what happens next, as one or two sentences (D65). */
export const stateReason = (post: StateSubject): string =>
  isDraftState(post.storedState) ? draftReason(post) : REASONS[post.storedState](post);
