import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';
import type { Database } from '../database.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';

/** What readers of the sandbox network see of a post; stored as JSON. */
type SandboxContent = Readonly<Record<string, unknown>>;

/** A post that is sent to the sandbox network. */
interface SandboxDelivery {
  readonly accountId: string;
  /** Document ID of the service's post, for tests only. */
  readonly postId: string;
  readonly handle: string;
  readonly content: SandboxContent;
  readonly at: Date;
}

const GUARANTEES =
  'SELECT account_id AS "accountId", guarantee FROM sandbox_account WHERE account_id = ANY($1::text[])';

/** Times of the list are measured by the sandbox clock of the workspace. */
const AHEAD =
  "(SELECT COALESCE((SELECT make_interval(secs => c.ahead_seconds) FROM sandbox_clock c JOIN account a ON a.workspace_id = c.workspace_id WHERE a.id = $1), interval '0'))";

/** The IDs of the posts, by their numbers. Posts of other accounts are not taken. */
const TAKE = `
WITH sent AS MATERIALIZED (
  SELECT d.n, nextval('sandbox_delivery_id_seq') AS id, d."accountId" AS account_id, d."postId" AS post_doc_id, d.handle, d.content, d.at AS taken_at,
         d.at + make_interval(secs => COALESCE(c.ahead_seconds, 0) + COALESCE(s.list_lag_seconds, 0)) AS listed_at, COALESCE(s.guarantee, 'exact') = 'exact' AS is_exact
    FROM ${callRows('"accountId" text, "postId" text, handle text, content jsonb, at timestamptz')} d
    LEFT JOIN sandbox_account s ON s.account_id = d."accountId"
    LEFT JOIN account a ON a.id = d."accountId" LEFT JOIN sandbox_clock c ON c.workspace_id = a.workspace_id
),
taken AS (
  INSERT INTO sandbox_delivery (id, account_id, post_doc_id, handle, content, taken_at, listed_at, is_exact)
  SELECT id, account_id, post_doc_id, handle, content, taken_at, listed_at, is_exact FROM sent ORDER BY account_id, handle
      ON CONFLICT (account_id, handle) WHERE is_exact DO UPDATE SET handle = excluded.handle
  RETURNING id, account_id, handle, is_exact
)
SELECT sent.n, taken.id::text FROM sent JOIN taken ON taken.id = sent.id OR (sent.is_exact AND taken.is_exact AND taken.account_id = sent.account_id AND taken.handle = sent.handle)`;

const FIND_BY_HANDLE =
  'SELECT id::text FROM sandbox_delivery WHERE account_id = $1 AND handle = $2 AND removed_at IS NULL';
const FIND_BY_CONTENT =
  'SELECT id::text FROM sandbox_delivery WHERE account_id = $1 AND content = $2::jsonb AND taken_at >= $3 ' +
  `AND listed_at <= $4::timestamptz + ${AHEAD} AND removed_at IS NULL ORDER BY taken_at DESC LIMIT 1`;
const REMOVE =
  'UPDATE sandbox_delivery SET removed_at = $2 WHERE id = $1::bigint AND account_id = $3 AND removed_at IS NULL';

const IS_DELIVERY_ID = /^[1-9]\d{0,17}$/;

const firstId = (rows: readonly { id: string }[]): string | null => rows[0]?.id ?? null;

/**
 * The sandbox network's own record of the posts that it has taken, in PostgreSQL. It knows nothing
 * of the service but the calls that it gets. SQL: publications share statements.
 */
export function createSandboxDeliveryStore(database: Database) {
  async function guaranteesOf(accountIds: readonly string[]): Promise<DeliveryGuarantee[]> {
    const rows = await database.scan<{ accountId: string; guarantee: DeliveryGuarantee }>(
      GUARANTEES,
      [accountIds],
    );
    const byAccount = new Map(rows.map(({ accountId, guarantee }) => [accountId, guarantee]));
    return accountIds.map((id) => byAccount.get(id) ?? 'exact');
  }
  async function takeAll(deliveries: readonly SandboxDelivery[]): Promise<string[]> {
    const rows = await database.change<{ n: number; id: string }>(TAKE, [toCallRows(deliveries)]);
    const ids = new Map(rows.map(({ n, id }) => [n, id]));
    return deliveries.map((_, n) => ids.get(n)!);
  }
  return {
    guaranteeOf: database.share<string, DeliveryGuarantee>({
      together: guaranteesOf,
      alone: async (accountId) => (await guaranteesOf([accountId]))[0]!,
    }),
    /**
     * Takes a post, and returns its ID. On accounts with the guarantee `exact` a second post with
     * the same handle is not taken: the ID of the first one is returned.
     */
    take: database.share<SandboxDelivery, string>({
      together: takeAll,
      alone: async (delivery) => (await takeAll([delivery]))[0]!,
    }),
    /** The ID of the post with this handle; null if it is not there. */
    findByHandle: async (accountId: string, handle: string): Promise<string | null> =>
      firstId(await database.read<{ id: string }>(FIND_BY_HANDLE, [accountId, handle])),
    /** The newest listed post with this content, taken since then; null if there is none. */
    findByContent: async (
      accountId: string,
      query: { readonly content: SandboxContent; readonly since: Date; readonly at: Date },
    ): Promise<string | null> =>
      firstId(
        await database.scan<{ id: string }>(FIND_BY_CONTENT, [
          accountId,
          JSON.stringify(query.content),
          query.since,
          query.at,
        ]),
      ),
    /** Removes the post with this ID, if the account has it. */
    async remove(accountId: string, deliveryId: string, at: Date): Promise<void> {
      // Posts that the service did not publish have other IDs.
      if (IS_DELIVERY_ID.test(deliveryId))
        await database.change(REMOVE, [deliveryId, at, accountId]);
    },
  };
}
export type SandboxDeliveryStore = ReturnType<typeof createSandboxDeliveryStore>;
