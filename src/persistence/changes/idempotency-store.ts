import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { GatewayError } from '../../domain/errors.js';
import { RETENTION } from '../../domain/jobs/retention.js';
import type {
  ClaimOutcome,
  FulfilledClaim,
  IdempotencyPlace,
  IdempotencyStore,
} from '../../services/ports.js';
import { run, type SqlRunner } from '../sql.js';

const KEPT = `${RETENTION.idempotencyRecords.hours} hours`;
const ABANDONED = '30 seconds'; // longer than any request runs: its process is gone

const PLACE = 'user_id = $1 AND workspace_id = $2 AND operation = $3 AND target = $4 AND key = $5';
const valuesOf = ({ userId, workspaceId, operation, target, key }: IdempotencyPlace): string[] => [
  userId,
  workspaceId,
  operation,
  target,
  key,
];

/** An id comes back as it was sent, and may hold what PostgreSQL's JSON does not: a NUL, half of a surrogate pair. */
const UNSTORABLE = /\\u(0000|d[89a-f])/i;

/** As JSON; as a text of JSON, in which escapes are only letters, where PostgreSQL would not take them. */
function writeOutcome(outcome: unknown): string {
  const json = JSON.stringify(outcome);
  return UNSTORABLE.test(json) ? JSON.stringify(json) : json;
}
const readOutcome = (stored: unknown): unknown =>
  typeof stored === 'string' ? (JSON.parse(stored) as unknown) : stored;

/** Writes the outcome into the claim that this request holds, in the transaction of the change. */
export async function fulfilClaim(
  sql: SqlRunner,
  { place, claim, outcome }: FulfilledClaim,
): Promise<void> {
  const rows = await run(
    sql,
    `UPDATE idempotency SET outcome = $7 WHERE ${PLACE} AND claim = $6 RETURNING 1`,
    [...valuesOf(place), claim, writeOutcome(outcome)],
  );
  if (rows.length === 0) throw new GatewayError('IDEMPOTENCY_IN_FLIGHT'); // it took so long that a twin took over
}

export function createIdempotencyStore(pool: pg.Pool): IdempotencyStore {
  return {
    async claim(place, fingerprint) {
      const claim = randomUUID();
      const taken = await run(
        pool,
        'INSERT INTO idempotency (user_id, workspace_id, operation, target, key, fingerprint, claim) VALUES ($1, $2, $3, $4, $5, $6, $7) ' +
          'ON CONFLICT (user_id, workspace_id, operation, target, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim, outcome = NULL, claimed_at = now() ' +
          `WHERE idempotency.claimed_at < now() - CASE WHEN idempotency.outcome IS NULL THEN interval '${ABANDONED}' ELSE interval '${KEPT}' END RETURNING 1`,
        [...valuesOf(place), fingerprint, claim],
      );
      if (taken.length > 0) return { kind: 'claimed', claim };
      const [row] = await run<{ fingerprint: string; outcome: unknown }>(
        pool,
        `SELECT fingerprint, outcome FROM idempotency WHERE ${PLACE}`,
        valuesOf(place),
      );
      if (!row) return this.claim(place, fingerprint); // given back between the two statements
      const outcome: ClaimOutcome =
        row.outcome === null
          ? { kind: 'in-flight', fingerprint: row.fingerprint }
          : { kind: 'recorded', fingerprint: row.fingerprint, outcome: readOutcome(row.outcome) };
      return outcome;
    },
    record: (fulfilled) => fulfilClaim(pool, fulfilled),
    async abandon(place, claim) {
      await run(pool, `DELETE FROM idempotency WHERE ${PLACE} AND claim = $6 AND outcome IS NULL`, [
        ...valuesOf(place),
        claim,
      ]);
    },
  };
}
