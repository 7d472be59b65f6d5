import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { GatewayError } from '../../domain/errors.js';
import { RETENTION } from '../../domain/jobs/retention.js';
import type {
  ExistingRecord,
  IdempotencyResult,
  IdempotencyRecordKey,
  IdempotencyStore,
} from '../../services/posts/post-ports.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { run, type SqlRunner } from '../sql.js';

const RETENTION_INTERVAL = `${RETENTION.idempotencyRecords.hours} hours`;
const ABANDONED_AFTER = '30 seconds'; // longer than any request runs: its process has ended

const RECORD_KEY =
  'user_id = $1 AND workspace_id = $2 AND operation = $3 AND target = $4 AND key = $5';
const keyValues = ({
  userId,
  workspaceId,
  operation,
  target,
  key,
}: IdempotencyRecordKey): string[] => [userId, workspaceId, operation, target, key];

/**
 * Escapes that PostgreSQL's jsonb rejects: NUL and unpaired surrogates. An outcome can contain
 * them, since it repeats IDs as sent.
 */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/**
 * Serializes to JSON; if it contains unstorable escapes, to a JSON string of the JSON, in which
 * they are plain characters.
 */
function writeOutcome(outcome: unknown): string {
  const json = JSON.stringify(outcome);
  return UNSTORABLE.test(json) ? JSON.stringify(json) : json;
}
const readOutcome = (stored: unknown): unknown =>
  typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored;

const IS_OVER = `idempotency.started_at < now() - CASE WHEN idempotency.outcome IS NULL THEN interval '${ABANDONED_AFTER}' ELSE interval '${RETENTION_INTERVAL}' END`;

const toExistingRecord = ({
  fingerprint,
  outcome,
}: {
  fingerprint: string;
  outcome: unknown;
}): ExistingRecord =>
  outcome === null
    ? { kind: 'in-flight', fingerprint }
    : { kind: 'recorded', fingerprint, outcome: readOutcome(outcome) };

/**
 * Records the outcome of the request that holds the token, in the transaction of the change.
 * @throws GatewayError IDEMPOTENCY_IN_FLIGHT if a duplicate request has taken over the record
 */
export async function recordOutcome(
  sql: SqlRunner,
  { recordKey, token, outcome }: IdempotencyResult,
): Promise<void> {
  const rows = await run(
    sql,
    `UPDATE idempotency SET outcome = $7 WHERE ${RECORD_KEY} AND token = $6 RETURNING 1`,
    [...keyValues(recordKey), token, writeOutcome(outcome)],
  );
  // the request took so long that a duplicate took over
  if (rows.length === 0) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT');
}

/** Stores idempotency records in PostgreSQL. */
export function createIdempotencyStore(pool: pg.Pool): IdempotencyStore {
  const changes = changeConnectionsOf(pool);
  return {
    async start(recordKey, fingerprint) {
      const token = randomUUID();
      const started = await run(
        changes,
        'INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, token) VALUES ($1, $2, $3, $4, $5, $6, $7) ' +
          'ON CONFLICT (user_id, workspace_id, operation, target, key) DO UPDATE SET fingerprint = excluded.fingerprint, token = excluded.token, outcome = NULL, started_at = now() ' +
          `WHERE ${IS_OVER} RETURNING 1`,
        [...keyValues(recordKey), fingerprint, token],
      );
      if (started.length > 0) return { kind: 'started', token };
      // null: released between the two statements
      return (await this.find(recordKey)) ?? this.start(recordKey, fingerprint);
    },
    async find(recordKey) {
      const [row] = await run<{ fingerprint: string; outcome: unknown }>(
        pool,
        `SELECT fingerprint, outcome FROM idempotency WHERE ${RECORD_KEY} AND NOT (${IS_OVER})`,
        keyValues(recordKey),
      );
      return row ? toExistingRecord(row) : null;
    },
    record: (result) => recordOutcome(changes, result),
    async release(recordKey, token) {
      await run(
        changes,
        `DELETE FROM idempotency WHERE ${RECORD_KEY} AND token = $6 AND outcome IS NULL`,
        [...keyValues(recordKey), token],
      );
    },
  };
}
