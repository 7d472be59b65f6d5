import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import type { EventPosition } from '../../domain/events/event-position.js';
import { toPostChange, type PostChange } from '../../domain/events/post-change.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import type { Post } from '../../domain/posts/post.js';
import type { Clock } from '../clock.js';
import { readEventCursor, writeEventCursor } from './event-cursor.js';
import type { EventHorizon, EventStore } from './event-ports.js';

const DAY_MS = 86_400_000;
/** Days for which a cursor can be used, unless events are kept for fewer (D73). */
const MAX_CURSOR_DAYS = 30;

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
  readonly store: EventStore;
  readonly clock: Clock;
  /** Days for which events are kept. */
  readonly eventRetentionDays: number;
}

/** Changes of the posts that a viewer can see. */
export interface Changes {
  /** @throws GatewayError BAD_USER_INPUT, CURSOR_EXPIRED */
  list(viewer: Viewer, request: ChangesRequest): Promise<ChangePage>;
}

const badInput = (argument: 'after' | 'first', message: string): GatewayError =>
  new GatewayError('BAD_USER_INPUT', message, [{ path: [argument], message }]);

function assertSize(first: number): void {
  const { changes: max } = REQUEST_LIMITS;
  if (first < 1 || first > max) throw badInput('first', `first must be 1 to ${max}, got ${first}.`);
}

/** Creates the use case of synchronization (D73). */
export function createChanges({ store, clock, eventRetentionDays }: ChangesDependencies): Changes {
  const maxAge = Math.min(MAX_CURSOR_DAYS, eventRetentionDays) * DAY_MS;
  const present = ({ transactionId }: EventHorizon): EventPosition => ({
    transactionId,
    sequence: 0n,
    at: clock.now(),
  });

  /** The database, as far as this process knows: the restore of a backup changes it. */
  let knownDatabase: string | undefined;
  const readDatabase = async (): Promise<string> => {
    const { database } = await store.horizon();
    knownDatabase = database;
    return database;
  };

  const start = async (workspaceId: string): Promise<ChangePage> => {
    const horizon = await store.horizon();
    const { database } = horizon;
    const nextCursor = writeEventCursor({ database, workspaceId }, present(horizon));
    return { changes: [], nextCursor, hasMore: false };
  };

  async function readPosition(
    workspaceId: string,
    cursor: string,
  ): Promise<{ position: EventPosition; database: string }> {
    let database = knownDatabase ?? (await readDatabase());
    let reading = readEventCursor({ database, workspaceId }, cursor);
    if (reading.kind === 'other_database') {
      database = await readDatabase();
      reading = readEventCursor({ database, workspaceId }, cursor);
    }
    if (reading.kind === 'invalid')
      throw badInput('after', 'after must be an unmodified cursor of this workspace.');
    if (reading.kind === 'other_database') throw new GatewayError('CURSOR_EXPIRED');
    const { position } = reading;
    if (clock.now().getTime() - position.at.getTime() > maxAge)
      throw new GatewayError('CURSOR_EXPIRED');
    return { position, database };
  }

  return {
    async list(viewer, { after, first, fields }) {
      assertSize(first);
      const workspaceId = viewer.workspace.id;
      if (after === null) return start(workspaceId);
      const { position, database } = await readPosition(workspaceId, after);
      const page = await store.changedPosts(viewer, { after: position, limit: first, fields });
      // A backup was restored in the meantime, or the server has an older state of its files.
      if (page.database !== database || position.transactionId > page.transactionId)
        throw new GatewayError('CURSOR_EXPIRED');
      return {
        changes: page.posts.flatMap((post) => toPostChange(post) ?? []),
        nextCursor: writeEventCursor({ database, workspaceId }, page.next ?? present(page)),
        hasMore: page.next !== null,
      };
    },
  };
}
