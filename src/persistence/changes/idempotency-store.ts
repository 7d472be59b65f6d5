import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../domain/errors.js';
import { RETENTION } from '../../domain/jobs/retention.js';
import type { Database } from '../database.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';
import type { Sql } from '../sql.js';

/** Identifies one idempotency record (D27). */
export interface IdempotencyRecordKey {
  userId: string;
  workspaceId: string;
  /** The kind of change, such as `update`. */
  operation: string;
  target: string;
  /** As the client sent it. */
  key: string;
}
/**
 * The outcome of a request that started an idempotency record; `token` proves that this request
 * started it.
 */
export interface IdempotencyResult {
  readonly recordKey: IdempotencyRecordKey;
  readonly token: string;
  readonly outcome: unknown;
}
/** The record of an earlier request with the same key. */
export type ExistingRecord =
  | { readonly kind: 'recorded'; readonly fingerprint: string; readonly outcome: unknown }
  | { readonly kind: 'in-flight'; readonly fingerprint: string };
/** Result of starting a record: started, or the state of the existing one. */
type IdempotencyStart = { readonly kind: 'started'; readonly token: string } | ExistingRecord;

const RETENTION_INTERVAL = `${RETENTION.idempotencyRecords.hours} hours`;
/** Start of the target of a record whose key was derived from the call (D93). */
export const REPEATS_OF = 'repeats of ';
/** How long the same call without a key counts as a repeat (D93). */
const REPEATED_WITHIN = '10 minutes';
const ABANDONED_AFTER = '30 seconds'; // longer than any request runs: its process has ended

const KEY_COLUMNS = ['user_id', 'workspace_id', 'operation', 'target', 'key'] as const;
const RECORD_KEY =
  'user_id = $1 AND workspace_id = $2 AND operation = $3 AND target = $4 AND key = $5';
/** The values of KEY_COLUMNS. */
const keyValues = ({
  userId,
  workspaceId,
  operation,
  target,
  key,
}: IdempotencyRecordKey): string[] => [userId, workspaceId, operation, target, key];
/** The values by their columns, whose names get a prefix. */
function keyColumns(recordKey: IdempotencyRecordKey, prefix = ''): Record<string, string> {
  const values = keyValues(recordKey);
  return Object.fromEntries(KEY_COLUMNS.map((column, n) => [`${prefix}${column}`, values[n]!]));
}

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

const IS_OVER = `idempotency.started_at < now() - CASE WHEN idempotency.outcome IS NULL THEN interval '${ABANDONED_AFTER}' WHEN starts_with(idempotency.target, '${REPEATS_OF}') THEN interval '${REPEATED_WITHIN}' ELSE interval '${RETENTION_INTERVAL}' END`;

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
  sql: Sql,
  { recordKey, token, outcome }: IdempotencyResult,
): Promise<void> {
  const rows = await sql(
    `UPDATE idempotency SET outcome = $7 WHERE ${RECORD_KEY} AND token = $6 RETURNING 1`,
    [...keyValues(recordKey), token, writeOutcome(outcome)],
  );
  // the request took so long that a duplicate took over
  if (rows.length === 0) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT');
}

/**
 * Records the outcomes of a shared statement of updates (`UpdateShape`). Updates whose request no
 * longer holds the token are not ready.
 */
export const OUTCOMES = {
  more: {
    types: [...KEY_COLUMNS, 'token', 'outcome']
      .map((column) => `"record_${column}" text`)
      .join(', '),
    valuesOf: ({ result }: { readonly result: IdempotencyResult | undefined }): object => {
      const { recordKey, token, outcome } = result!;
      return {
        ...keyColumns(recordKey, 'record_'),
        record_token: token,
        record_outcome: writeOutcome(outcome),
      };
    },
  },
  ready: `UPDATE idempotency i SET outcome = r.record_outcome::jsonb FROM read r
    WHERE i.user_id = r.record_user_id AND i.workspace_id = r.record_workspace_id AND i.operation = r.record_operation
      AND i.target = r.record_target AND i.key = r.record_key AND i.token = r.record_token RETURNING r."postId" AS post_id`,
};

/** A record to start. */
interface NewRecord {
  readonly recordKey: IdempotencyRecordKey;
  readonly fingerprint: string;
}

const COLUMNS = [...KEY_COLUMNS, 'fingerprint', 'token'];

/**
 * Leaves out records that exist, instead of letting ON CONFLICT find them: it would wait for a
 * transaction that saves a change with its outcome.
 */
const START_NEW = `
INSERT INTO idempotency (${COLUMNS.join(', ')})
SELECT ${COLUMNS.join(', ')} FROM ${callRows(COLUMNS.map((column) => `${column} text`).join(', '))} c
 WHERE NOT EXISTS (SELECT FROM idempotency i WHERE ${KEY_COLUMNS.map((column) => `i.${column} = c.${column}`).join(' AND ')})
 ORDER BY n
    ON CONFLICT DO NOTHING RETURNING token`;

/** Starts records that do not exist. Returns their tokens; undefined for the others. */
async function startNew(
  change: Sql,
  records: readonly NewRecord[],
): Promise<(string | undefined)[]> {
  const tokens = records.map(() => randomUUID());
  const calls = records.map(({ recordKey, fingerprint }, n) => ({
    ...keyColumns(recordKey),
    fingerprint,
    token: tokens[n],
  }));
  // in the same order in all processes: they wait for each other if they start the same records
  const sorted = calls.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const rows = await change<{ token: string }>(START_NEW, [toCallRows(sorted)]);
  const started = new Set(rows.map(({ token }) => token));
  return tokens.map((token) => (started.has(token) ? token : undefined));
}

/**
 * Starts a record, also in place of one that is over. Returns its token; null if there is another.
 * That one is locked, so that the commit waits for a synchronous standby: a recorded outcome that
 * only this server has would otherwise be returned.
 */
async function startOrTakeOver(
  change: Sql,
  { recordKey, fingerprint }: NewRecord,
): Promise<string | null> {
  const token = randomUUID();
  const started = await change(
    `INSERT INTO idempotency (${COLUMNS.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7) ` +
      `ON CONFLICT (${KEY_COLUMNS.join(', ')}) DO UPDATE SET fingerprint = excluded.fingerprint, token = excluded.token, outcome = NULL, started_at = now() ` +
      `WHERE ${IS_OVER} RETURNING 1`,
    [...keyValues(recordKey), fingerprint, token],
  );
  return started.length > 0 ? token : null;
}

/**
 * Records the outcomes of requests by idempotency key, in PostgreSQL. SQL: a single statement decides
 * which of the requests with a key runs, by the time of the server.
 */
export function createIdempotencyStore(database: Database) {
  const start = database.share<NewRecord, string | null>({
    together: (records) => startNew(database.change, records),
    alone: (record) => startOrTakeOver(database.change, record),
  });
  return {
    /**
     * Starts a record, or returns the existing one. A record left unfinished by a crashed process
     * can be started again after 30 seconds.
     */
    async start(recordKey: IdempotencyRecordKey, fingerprint: string): Promise<IdempotencyStart> {
      const token = await start({ recordKey, fingerprint });
      if (token !== null) return { kind: 'started', token };
      // null: released between the two statements
      return (await this.find(recordKey)) ?? this.start(recordKey, fingerprint);
    },
    /** The record that `start` would return; null if it would start one. Writes nothing. */
    async find(recordKey: IdempotencyRecordKey): Promise<ExistingRecord | null> {
      const [row] = await database.scan<{ fingerprint: string; outcome: unknown }>(
        `SELECT fingerprint, outcome FROM idempotency WHERE ${RECORD_KEY} AND NOT (${IS_OVER})`,
        keyValues(recordKey),
      );
      return row ? toExistingRecord(row) : null;
    },
    /** Records an outcome that changed nothing (refusals by rules). */
    record: (result: IdempotencyResult) => recordOutcome(database.change, result),
    /** Deletes an unfinished record, so that the next request with the key runs. */
    async release(recordKey: IdempotencyRecordKey, token: string): Promise<void> {
      await database.change(
        `DELETE FROM idempotency WHERE ${RECORD_KEY} AND token = $6 AND outcome IS NULL`,
        [...keyValues(recordKey), token],
      );
    },
  };
}
export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;
