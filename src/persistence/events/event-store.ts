import type pg from 'pg';
import type { Viewer } from '../../domain/access/viewer.js';
import type { ChangedPost } from '../../domain/events/post-change.js';
import { isHidden } from '../../domain/posts/visibility.js';
import { storedStateByNumber } from '../../domain/posts/states.js';
import type { EventHorizon, EventStore } from '../../services/events/event-ports.js';
import { pipelinedConnectionsOf } from '../pipelined-connections.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { run } from '../sql.js';
import { changesStatement, HORIZON } from './changes-statement.js';

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
  readonly firstState: number | null;
  readonly wasHidden: boolean;
  readonly isVisible: boolean;
  readonly visibleTo: string | null;
  readonly isDeleted: boolean;
} & PostRow;

const toHorizon = ({ horizon, database }: HorizonRow): EventHorizon => ({
  database,
  transactionId: BigInt(horizon),
});

/** The creator of a post whose row was purged is known only from events of a private draft. */
function wasVisibleTo(viewer: Viewer, { firstState, creatorId, visibleTo }: ChangeRow): boolean {
  if (firstState === null) return false;
  const storedState = storedStateByNumber.get(firstState)!;
  return !isHidden({ storedState, creatorId: creatorId ?? visibleTo ?? '' }, viewer);
}

function toChangedPost(viewer: Viewer, row: ChangeRow): ChangedPost {
  const wasVisible = wasVisibleTo(viewer, row);
  const post = row.id && !row.isDeleted ? toPostView(row) : null;
  return {
    documentId: row.documentId!,
    version: row.changedVersion,
    at: row.changedAt,
    wasVisible,
    isVisible: row.isVisible,
    wasHidden: row.wasHidden,
    post: post && !isHidden(post, viewer) ? post : null,
  };
}

/** Reads events of posts from PostgreSQL. */
export const createEventStore = (pool: pg.Pool): EventStore => ({
  async horizon() {
    const [row] = await run<HorizonRow>(pipelinedConnectionsOf(pool), `SELECT ${HORIZON}`);
    return toHorizon(row!);
  },
  async changedPosts(viewer, query) {
    const statement = changesStatement(viewer, query);
    const rows = await readPostRows<ChangeRow>(pool, statement, query.fields);
    const { hasMore, lastTransaction, lastSequence, lastAt } = rows[0]!;
    return {
      ...toHorizon(rows[0]!),
      posts: rows
        .filter(({ documentId }) => documentId !== null)
        .map((row) => toChangedPost(viewer, row)),
      next: hasMore
        ? { transactionId: BigInt(lastTransaction), sequence: BigInt(lastSequence), at: lastAt }
        : null,
    };
  },
});
