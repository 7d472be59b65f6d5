import type { Viewer } from '../../domain/access/viewer.js';
import type { ChangedPost } from '../../domain/events/post-change.js';
import { isHidden } from '../../domain/rules/edit-rights.js';
import type { EventHorizon, EventStore } from '../../services/events/event-ports.js';
import type { Database } from '../database.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { changesStatement, HORIZON } from './changes-statement.js';
import {
  CHANGED_WORKSPACES,
  eventsStatement,
  toStoredEvent,
  type StoredEventRow,
} from './events-statement.js';

interface HorizonRow {
  readonly horizon: string;
  readonly database: string;
}

/** A row of `changesStatement`; the columns of an event are null if there is none. */
type ChangeRow = HorizonRow & {
  readonly hasMore: boolean;
  readonly lastTransaction: string;
  readonly lastSequence: string;
  readonly lastAt: Date;
  readonly documentId: string | null;
  readonly changedAt: Date;
  readonly changedVersion: number | null;
  readonly wasHidden: boolean;
  readonly isVisible: boolean;
  readonly isDeleted: boolean;
} & PostRow;

/** A row of `eventsStatement`; the columns of an event are null if there is none. */
type EventRow = HorizonRow & {
  readonly hasMore: boolean;
  readonly hasPending: boolean;
} & StoredEventRow;

const toHorizon = ({ horizon, database }: HorizonRow): EventHorizon => ({
  database,
  transactionId: BigInt(horizon),
});

function toChangedPost(viewer: Viewer, row: ChangeRow): ChangedPost {
  const post = row.id && !row.isDeleted ? toPostView(row) : null;
  return {
    documentId: row.documentId!,
    version: row.changedVersion,
    at: row.changedAt,
    isVisible: row.isVisible,
    wasHidden: row.wasHidden,
    post: post && !isHidden(post, viewer) ? post : null,
  };
}

/** Reads events from PostgreSQL. */
export const createEventStore = (database: Database): EventStore => ({
  async horizon() {
    const [row] = await database.read<HorizonRow>(`SELECT ${HORIZON}`);
    return toHorizon(row!);
  },
  async eventsOf(workspaceId, query) {
    const statement = eventsStatement(workspaceId, query);
    const rows = await readPostRows<EventRow>(database, statement, query.fields);
    const { hasMore, hasPending } = rows[0]!;
    return {
      ...toHorizon(rows[0]!),
      events: rows.filter(({ eventType }) => eventType !== null).map(toStoredEvent),
      hasMore,
      hasPending,
    };
  },
  async changedWorkspaces(positions) {
    const rows = await database.read<{ id: string }>(CHANGED_WORKSPACES, [
      [...positions.keys()],
      [...positions.values()].map(({ transactionId }) => transactionId),
      [...positions.values()].map(({ sequence }) => sequence),
    ]);
    return rows.map(({ id }) => id);
  },
  async changedPosts(viewer, query) {
    const statement = changesStatement(viewer, query);
    const rows = await readPostRows<ChangeRow>(database, statement, query.fields);
    const { hasMore, lastTransaction, lastSequence, lastAt } = rows[0]!;
    const posts = rows
      .filter(({ documentId }) => documentId !== null)
      .map((row) => toChangedPost(viewer, row));
    if (posts.length > 0) await database.acknowledge();
    return {
      ...toHorizon(rows[0]!),
      posts,
      next: hasMore
        ? { transactionId: BigInt(lastTransaction), sequence: BigInt(lastSequence), at: lastAt }
        : null,
    };
  },
});
