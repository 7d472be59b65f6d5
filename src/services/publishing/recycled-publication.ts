import { newSlots, type CapContext } from '../../domain/caps/cap-slots.js';
import { nextRecycleDate } from '../../domain/calendar/recycle-dates.js';
import type { PostWrite } from '../../domain/changes/change.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateAfter } from '../../domain/posts/transitions.js';

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
export function recycledWrites(publication: RecycledPublication): readonly PostWrite[] {
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
export function missedWrites(post: Post, context: CapContext, at: Date): readonly PostWrite[] {
  const after = withNextDate(post, context, at);
  const slots = newSlots(post, after, context);
  return [{ kind: 'update', before: post, after, changed: CHANGED, event: 'post.missed', slots }];
}
