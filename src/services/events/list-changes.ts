import type { Viewer } from '../../domain/access/viewer.js';
import { invalidArguments } from '../../domain/errors.js';
import { toPostChange, type PostChange } from '../../domain/events/post-change.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { Post } from '../../domain/posts/post.js';
import type { EventStore } from '../../persistence/events/event-store.js';
import type { Clock } from '../clock.js';
import { writeEventCursor } from './event-cursor.js';
import { createEventPositions } from './event-positions.js';

/** Which changes to list. */
export interface ChangesRequest {
  /** Cursor of an earlier page; null starts with the present. */
  readonly after: string | null;
  /** Maximum number of changes. */
  readonly first: number;
  /** Properties of the posts to read. */
  readonly fields: ReadonlySet<keyof Post>;
}

/** A page of changes, in the order in which they happened. */
export interface ChangePage {
  /** One for each post. Fewer than requested, or none, even if there are more. */
  readonly changes: readonly PostChange[];
  readonly nextCursor: string;
  /** Whether more changes can be read now. */
  readonly hasMore: boolean;
}

export interface ChangesDependencies {
  readonly store: Pick<EventStore, 'horizon' | 'changedPosts'>;
  readonly clock: Clock;
  /** Days for which events are kept. */
  readonly eventRetentionDays: number;
}

/** Changes of the posts that a viewer can see. */
export interface Changes {
  /** @throws GatewayError BAD_USER_INPUT, CURSOR_EXPIRED */
  list(viewer: Viewer, request: ChangesRequest): Promise<ChangePage>;
}

function assertSize(first: number): void {
  const { changes: max } = REQUEST_LIMITS;
  if (first >= 1 && first <= max) return;
  throw invalidArguments([{ path: ['first'], message: `must be 1 to ${max}, got ${first}.` }]);
}

/** Creates the use case of synchronization (D73). */
export function createChanges({ store, ...dependencies }: ChangesDependencies): Changes {
  const positions = createEventPositions({ store, ...dependencies });
  const start = async (workspaceId: string): Promise<ChangePage> => {
    const horizon = await store.horizon();
    const { database } = horizon;
    const nextCursor = writeEventCursor({ database, workspaceId }, positions.present(horizon));
    return { changes: [], nextCursor, hasMore: false };
  };

  return {
    async list(viewer, { after, first, fields }) {
      assertSize(first);
      const workspaceId = viewer.workspace.id;
      if (after === null) return start(workspaceId);
      const from = await positions.read(workspaceId, after, 'after');
      const page = await store.changedPosts(viewer, { after: from.position, limit: first, fields });
      positions.assertContinues(from, page);
      const scope = { database: page.database, workspaceId };
      return {
        changes: page.posts.flatMap((post) => toPostChange(post) ?? []),
        nextCursor: writeEventCursor(scope, page.next ?? positions.present(page)),
        hasMore: page.next !== null,
      };
    },
  };
}
