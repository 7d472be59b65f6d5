import type pg from 'pg';
import type { DeliveryGuarantee } from '../../domain/networks/publishing-capabilities.js';
import type { SandboxDeliveryStore } from '../../services/publishing/sandbox-ports.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { run } from '../sql.js';

const GUARANTEE = 'SELECT guarantee FROM sandbox_account WHERE account_id = $1';

/** Times of the list are measured by the sandbox clock of the workspace. */
const AHEAD =
  "(SELECT COALESCE((SELECT make_interval(secs => c.ahead_seconds) FROM sandbox_clock c JOIN account a ON a.workspace_id = c.workspace_id WHERE a.id = $1), interval '0'))";

const TAKE = `
INSERT INTO sandbox_delivery (account_id, post_doc_id, handle, content, taken_at, listed_at, is_exact)
SELECT $1, $2, $3, $4::jsonb, $5::timestamptz,
       $5::timestamptz + ${AHEAD} + COALESCE(make_interval(secs => s.list_lag_seconds), interval '0'), COALESCE(s.guarantee, 'exact') = 'exact'
  FROM (SELECT) one LEFT JOIN sandbox_account s ON s.account_id = $1
    ON CONFLICT (account_id, handle) WHERE is_exact DO UPDATE SET handle = excluded.handle
RETURNING id::text`;

const FIND_BY_HANDLE =
  'SELECT id::text FROM sandbox_delivery WHERE account_id = $1 AND handle = $2 AND removed_at IS NULL';
const FIND_BY_CONTENT =
  'SELECT id::text FROM sandbox_delivery WHERE account_id = $1 AND content = $2::jsonb AND taken_at >= $3 ' +
  `AND listed_at <= $4::timestamptz + ${AHEAD} AND removed_at IS NULL ORDER BY taken_at DESC LIMIT 1`;
const REMOVE =
  'UPDATE sandbox_delivery SET removed_at = $2 WHERE id = $1::bigint AND removed_at IS NULL';

const firstId = (rows: readonly { id: string }[]): string | null => rows[0]?.id ?? null;

/** The sandbox network's record in PostgreSQL. */
export function createSandboxDeliveryStore(pool: pg.Pool): SandboxDeliveryStore {
  const changes = changeConnectionsOf(pool);
  return {
    async guaranteeOf(accountId) {
      const [row] = await run<{ guarantee: DeliveryGuarantee }>(pool, GUARANTEE, [accountId]);
      return row?.guarantee ?? 'exact';
    },
    async take({ accountId, postId, handle, content, at }) {
      const rows = await run<{ id: string }>(changes, TAKE, [
        accountId,
        postId,
        handle,
        JSON.stringify(content),
        at,
      ]);
      return firstId(rows)!;
    },
    findByHandle: async (accountId, handle) =>
      firstId(await run<{ id: string }>(pool, FIND_BY_HANDLE, [accountId, handle])),
    findByContent: async (accountId, { content, since, at }) =>
      firstId(
        await run<{ id: string }>(pool, FIND_BY_CONTENT, [
          accountId,
          JSON.stringify(content),
          since,
          at,
        ]),
      ),
    async remove(deliveryId, at) {
      await run(changes, REMOVE, [deliveryId, at]);
    },
  };
}
