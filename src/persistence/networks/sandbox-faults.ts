import type {
  SandboxFailure,
  SandboxFaults,
  SandboxPublishFault,
  SandboxRemoveFault,
} from '../../domain/networks/sandbox.js';
import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';
import type { Database } from '../database.js';

interface FaultRow {
  postId: string;
  failCode: SandboxFailure | null;
  failTimes: number;
  delayMs: number | null;
  tokenExpired: boolean | null;
  publishFault: SandboxPublishFault | null;
  publishTimes: number;
  removeFault: SandboxRemoveFault | null;
  removeTimes: number;
  guarantee: DeliveryGuarantee | null;
  listLagSeconds: number | null;
  rateLimitedUntil: Date | null;
  aheadSeconds: number | null;
}
const FAULTS = `
SELECT p.doc_id AS "postId", f.fail_code AS "failCode", f.fail_times AS "failTimes", f.delay_ms AS "delayMs", a.token_expired AS "tokenExpired",
       f.publish_fault AS "publishFault", f.publish_times AS "publishTimes", f.remove_fault AS "removeFault", f.remove_times AS "removeTimes", a.guarantee, a.list_lag_seconds AS "listLagSeconds",
       a.rate_limited_until AS "rateLimitedUntil", c.ahead_seconds AS "aheadSeconds"
  FROM post p
  LEFT JOIN sandbox_fault f ON f.post_id = p.id
  LEFT JOIN sandbox_account a ON a.account_id = p.account_id
  LEFT JOIN sandbox_clock c ON c.workspace_id = p.workspace_id
 WHERE p.doc_id = ANY($1::char(24)[])`;

/** Reads the faults of posts; concurrent callers share a statement. */
export function createFaultReader(
  database: Database,
): (postId: string) => Promise<FaultRow | null> {
  async function together(postIds: readonly string[]): Promise<(FaultRow | null)[]> {
    const rows = await database.scan<FaultRow>(FAULTS, [postIds]);
    const byPost = new Map(rows.map((row) => [row.postId, row]));
    return postIds.map((id) => byPost.get(id) ?? null);
  }
  return database.share({ together, alone: async (postId) => (await together([postId]))[0]! });
}

/** The faults that apply at this time. */
export function toFaults(row: FaultRow | null, at: Date): SandboxFaults {
  const now = at.getTime() + (row?.aheadSeconds ?? 0) * 1000;
  const left = row?.rateLimitedUntil ? Math.ceil((row.rateLimitedUntil.getTime() - now) / 1000) : 0;
  return {
    fail: row?.failCode && row.failTimes > 0 ? { code: row.failCode, times: row.failTimes } : null,
    delayMs: row?.delayMs ?? null,
    rateLimitSeconds: left > 0 ? left : null,
    tokenExpired: row?.tokenExpired ?? false,
    publish:
      row?.publishFault && row.publishTimes > 0
        ? { fault: row.publishFault, times: row.publishTimes }
        : null,
    remove:
      row?.removeFault && row.removeTimes > 0
        ? { fault: row.removeFault, times: row.removeTimes }
        : null,
    guarantee: row?.guarantee ?? 'exact',
    listLagSeconds: row?.listLagSeconds ?? 0,
  };
}
