import type { Change, PostWrite } from '../changes/change.js';
import type { JobKind } from '../jobs/job-kinds.js';
import type { Post } from '../posts/post.js';
import {
  isPrivateDraft,
  type StoredState,
  isDraft,
  isPending,
  isPublished,
  isRecycling,
  isScheduled,
} from '../posts/states.js';
import type { Event, PostEventType } from './event.js';

const NO_POST = {
  postId: null,
  documentId: null,
  accountId: null,
  version: null,
  changed: [],
  before: null,
  after: null,
  visibleTo: null,
} as const;

/** An event of a media item or a label. `visibleTo`: the only user who can see it, or null. */
export const recordEvent = (
  type: Extract<Event['type'], `media.${string}` | `label.${string}`>,
  recordId: string,
  visibleTo: string | null,
): Event => ({ ...NO_POST, type, recordId, visibleTo });

/** A label was created, changed or deleted. `visibleTo`: the only user who can see it, or null. */
export const labelChanged = (id: string, visibleTo: string | null): Event =>
  recordEvent('label.changed', id, visibleTo);

type EventSubject = Pick<Post, 'databaseId' | 'id' | 'accountId' | 'creatorId' | 'version'>;

/** What an event says about its post. The last state decides who could see the change. */
const about = (
  post: EventSubject,
  before: StoredState | null,
  after: StoredState | null,
): Omit<Event, 'type' | 'changed'> => ({
  postId: post.databaseId,
  documentId: post.id,
  accountId: post.accountId,
  recordId: null,
  version: post.version,
  before,
  after,
  visibleTo: isPrivateDraft((after ?? before)!) ? post.creatorId : null,
});

/** The type of the event of an updated post. */
export const updateEventOf = ({
  before,
  after,
  event,
}: Extract<PostWrite, { kind: 'update' }>): PostEventType =>
  event ?? updateEvent(before.storedState, after.storedState);

function eventsOfWrite(write: PostWrite): Event[] {
  if (write.kind === 'delete') {
    const { before } = write;
    return [{ ...about(before, before.storedState, null), type: 'post.deleted', changed: [] }];
  }
  const { after } = write;
  if (write.kind === 'update') {
    // Readers know that the post is deleted: nothing that they can see changes.
    if (write.isDeleted) return [];
    const { before, changed } = write;
    const type = updateEventOf(write);
    const subject = about(after, write.restores ? null : before.storedState, after.storedState);
    return [{ ...subject, type, changed: changed.flatMap((field) => publicName(field) ?? []) }];
  }
  const subject = { ...about(after, null, after.storedState), changed: [] };
  const next = write.event ?? creationEvent(after.storedState);
  const created: Event = { ...subject, type: 'post.created' };
  return next === null ? [created] : [created, { ...subject, type: next }];
}

/** The only user who can see the new posts of a change: all are that user's private drafts. */
function onlyViewer(posts: readonly PostWrite[]): string | null {
  const [first] = posts;
  const isPrivate = posts.every(
    (write) => write.kind === 'insert' && isPrivateDraft(write.after.storedState),
  );
  return first?.kind === 'insert' && isPrivate ? first.after.creatorId : null;
}

/**
 * The events of labels that are new, or that members can see from now on. Only its creator can see
 * a label that nothing but a private draft has (D13).
 */
function labelEvents({ newLabels, posts }: Pick<Change, 'newLabels' | 'posts'>): Event[] {
  const writes = posts.filter((write) => write.kind !== 'delete');
  const shown = writes
    .filter((write) => write.kind === 'update' && isPrivateDraft(write.before.storedState))
    .filter(({ after }) => !isPrivateDraft(after.storedState))
    .flatMap(({ after }) => after.labels);
  return [...new Set([...newLabels, ...shown].map(({ id }) => id))].map((id) => {
    const [first, ...others] = writes
      .map(({ after }) => after)
      .filter(({ labels }) => labels.some((label) => label.id === id));
    const isPrivate = first && [first, ...others].every((post) => isPrivateDraft(post.storedState));
    return labelChanged(id, isPrivate ? first.creatorId : null);
  });
}

/** Kinds of jobs that no user waits for: their end is no event. */
const SILENT_JOBS: ReadonlySet<JobKind> = new Set([
  'notification',
  'numbers',
  'purge',
  'publish',
  'connection',
]);

/** Whether the end of a job of this kind is an event. */
export const isAnnounced = (kind: JobKind): boolean => !SILENT_JOBS.has(kind);

/**
 * The events of a change (D70), in the order of its records: labels, posts, and jobs that are
 * finished when they are saved.
 */
export function eventsOf({ newLabels, posts, jobs }: Change): Event[] {
  const documentIds = new Map(
    posts.map((write) => {
      const { databaseId, id } = write.kind === 'delete' ? write.before : write.after;
      return [databaseId, id];
    }),
  );
  return [
    ...labelEvents({ newLabels, posts }),
    ...posts.flatMap(eventsOfWrite),
    ...jobs
      .filter(({ status, kind }) => status !== 'working' && isAnnounced(kind))
      .map(({ id, postId }): Event => ({
        ...NO_POST,
        type: 'job.finished',
        visibleTo: onlyViewer(posts),
        recordId: id,
        postId,
        documentId: postId === null ? null : (documentIds.get(postId) ?? null),
      })),
  ];
}

/**
 * Names under which the APIs present a property of a post, if they differ. Null: follows from
 * another property.
 */
const PUBLIC_NAMES: Partial<Record<keyof Post, string | null>> = {
  storedState: 'state',
  parentId: 'parent',
  hasMedia: null,
  mediaFiles: null,
  missingFiles: null,
  reminder: null,
  ownFields: null,
  queuedAt: null,
  armedAt: null,
  retryAt: null,
  remoteId: null,
  publishedCount: null,
  publicationRecord: null,
  publicationHold: null,
  review: null,
  workspaceId: null,
  creatorId: null,
  origin: null,
  hasQueuedChild: null,
  occurrenceDate: null,
  extendAt: null,
  occurrenceState: null,
  pausedAfterApproval: null,
};

/** The name under which the APIs present a property of a post; null if they do not. */
export const publicName = (field: keyof Post): string | null => {
  const name = PUBLIC_NAMES[field];
  return name === undefined ? field : name;
};

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
function creationEvent(after: StoredState): PostEventType | null {
  if (isPlanned(after)) return 'post.scheduled';
  return isPending(after) ? 'post.approval_requested' : null;
}
