import { nextRecycleDate } from '../../domain/calendar/recycling.js';
import { newSlots, type CapContext } from '../../domain/caps/daily-caps.js';
import { EMPTY_CHANGE, type Change, type PostWrite } from '../../domain/changes/change.js';
import type { Actor } from '../../domain/access/viewer.js';
import type { PostEventType } from '../../domain/events/event.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateAfter } from '../../domain/posts/transitions.js';
import type {
  PublicationError,
  PublicationResult,
} from '../../domain/publishing/publication-record.js';
import type { JobRun } from '../../persistence/jobs/job-queue.js';
import type { Ids } from '../ids.js';
import { removePrevious } from '../removals/removal-job.js';
import type { LivePost } from '../networks/network-ports.js';

/** How the publication of a post ended. */
export type PublicationEnd =
  | {
      readonly kind: 'published';
      /** The network's ID is unknown if a person found the post there. */
      readonly live: Pick<LivePost, 'url' | 'remoteId'>;
    }
  | {
      readonly kind: Exclude<PublicationResult, 'published'>;
      readonly error: PublicationError;
      /** A notification that several posts share; by default, each post has its own. */
      readonly sharedNotification?: { readonly id: string; readonly message: string };
    };

/** The post after its publication ended, before its version is raised. */
const endedPost = (post: Post, end: PublicationEnd): Post => ({
  ...post,
  queuedAt: null,
  armedAt: null,
  retryAt: null,
  ...(end.kind === 'published'
    ? {
        storedState: storedStateAfter(post.storedState, 'published'),
        postLink: end.live.url,
        remoteId: end.live.remoteId,
      }
    : { storedState: storedStateAfter(post.storedState, 'publication_ended') }),
});

const CHANGED_BY_END = [
  'storedState',
  'postLink',
  'remoteId',
  'queuedAt',
  'armedAt',
  'retryAt',
] as const satisfies readonly (keyof Post)[];

/** Kind and text of the notification of the creator. */
const NOTIFICATIONS: Readonly<
  Record<Exclude<PublicationResult, 'published'>, { kind: string; text: string }>
> = {
  failed: { kind: 'publication_failed', text: 'Your post was not published' },
  missed: { kind: 'publication_missed', text: 'Your post was not published in time' },
  unconfirmed: {
    kind: 'publication_unconfirmed',
    text: 'It is unknown whether your post was published',
  },
};

/** The events that the states of the post do not imply. */
const EVENTS: Partial<Record<PublicationResult, PostEventType>> = {
  unconfirmed: 'post.unconfirmed',
  missed: 'post.missed',
};

interface EndedPublication {
  readonly post: Post;
  readonly context: CapContext;
  /**
   * Database ID for the post that is published for a recycling post; null if it is not recycled.
   */
  readonly copyId: number | null;
  /** What the new publication replaces on the network; null if it replaces nothing (D59). */
  readonly previous: Post | null;
  /** Number of the open attempt; null if there is none. */
  readonly attempt: number | null;
  /** The run that found the result; null if a person decided. */
  readonly run: JobRun | null;
  readonly actor: Actor;
  readonly end: PublicationEnd;
  readonly at: Date;
}

/** The post after the end of its publication; a recycling post goes on. */
function postWrites(
  ids: Ids,
  { post, end, at, context, copyId }: EndedPublication,
  note: string | null,
): readonly PostWrite[] {
  if (end.kind === 'published' && copyId !== null) {
    const copy = { id: ids.document(), databaseId: copyId };
    return recycledWrites({ post, live: end.live, at, context, copy, note });
  }
  if (end.kind === 'missed' && post.recycling) return missedWrites(post, context, at);
  return [
    {
      kind: 'update',
      before: post,
      after: { ...endedPost(post, end), version: post.version + 1, updatedAt: at },
      changed: CHANGED_BY_END,
      ...(EVENTS[end.kind] && { event: EVENTS[end.kind] }),
      slots: end.kind === 'failed' || end.kind === 'missed' ? [] : null,
    },
  ];
}

/**
 * The change that ends a publication (D54 to D57): the state of the post, the ledger, and one
 * notification for a failure. The slots of a post that may be live are kept (D54).
 */
export function toPublicationChange(ids: Ids, ended: EndedPublication): Change {
  const { post, attempt, run, actor, end, at, copyId, previous } = ended;
  const { note, ...removal } = removePrevious(ids, previous, at);
  const error = end.kind === 'published' ? null : end.error;
  const isLeaseNeeded = run !== null && end.kind !== 'published';
  return {
    ...EMPTY_CHANGE,
    workspaceId: post.workspaceId,
    actor,
    at,
    posts: postWrites(ids, ended, note),
    ...removal,
    publications: [
      {
        postId: post.databaseId,
        attempt,
        lease: isLeaseNeeded ? { jobId: run.id, jobAttempt: run.attempt } : null,
        result: end.kind,
        error,
        publishedAt: end.kind === 'published' ? at : null,
        ...(end.kind === 'published' && copyId !== null && { copyTo: copyId }),
      },
    ],
    notifications:
      end.kind === 'published' || run === null
        ? []
        : [
            {
              id: ids.prefixed('ntf'),
              message: `${NOTIFICATIONS[end.kind].text}: ${end.error.message}`,
              ...end.sharedNotification,
              userId: post.creatorId,
              kind: NOTIFICATIONS[end.kind].kind,
              postId: post.databaseId,
            },
          ],
  };
}

/** Where and when a recycling post was published. */
interface RecycledPublication {
  readonly post: Post;
  readonly live: { readonly url: string | null; readonly remoteId: string | null };
  readonly at: Date;
  readonly context: CapContext;
  /** IDs of the published post. */
  readonly copy: { readonly id: string; readonly databaseId: number };
  /** For the history: why the previous publication stays on the network; null if it does not. */
  readonly note: string | null;
}

const ENDED = { queuedAt: null, armedAt: null, retryAt: null } as const;

const CHANGED = [
  'storedState',
  'scheduledAt',
  'publishedCount',
  'queuedAt',
  'armedAt',
  'retryAt',
] as const satisfies readonly (keyof Post)[];

/** The post with its next date, or expired; the end of its publication is not counted. */
function withNextDate(post: Post, { timeZone }: CapContext, at: Date): Post {
  const next = nextRecycleDate(post, timeZone, at);
  const storedState = storedStateAfter(post.storedState, next ? 'recycled' : 'recycling_finished');
  return {
    ...post,
    ...ENDED,
    storedState,
    scheduledAt: next ?? post.scheduledAt,
    version: post.version + 1,
    updatedAt: at,
  };
}

/** The published post: a record of its own, which its network edits and analytics belong to. */
const publishedCopy = ({ post, live, at, copy }: RecycledPublication): Post => ({
  ...post,
  ...ENDED,
  ...copy,
  storedState: 'published_posted',
  version: 1,
  recycling: null,
  recycledFromId: post.id,
  publishedCount: 0,
  publicationRecord: null,
  postLink: live.url,
  remoteId: live.remoteId,
  createdAt: at,
  updatedAt: at,
});

/**
 * The writes after a recycling post was published (D59): a published post of its own, and the next
 * date of the recycling post, or its expiry.
 */
function recycledWrites(publication: RecycledPublication): readonly PostWrite[] {
  const { post, at, context, note } = publication;
  const published = publishedCopy(publication);
  const next = {
    ...withNextDate(post, context, at),
    publishedCount: post.publishedCount + 1,
  };
  return [
    {
      kind: 'update',
      before: post,
      after: next,
      changed: CHANGED,
      event: 'post.recycled',
      ...(note !== null && { note }),
      slots: newSlots(post, next, context),
    },
    {
      kind: 'insert',
      after: published,
      event: 'post.published',
      slots: newSlots(null, published, context)!,
    },
  ];
}

/** A recycling post whose date was missed waits for its next date, or expires (D56, D59). */
function missedWrites(post: Post, context: CapContext, at: Date): readonly PostWrite[] {
  const after = withNextDate(post, context, at);
  const slots = newSlots(post, after, context);
  return [{ kind: 'update', before: post, after, changed: CHANGED, event: 'post.missed', slots }];
}
