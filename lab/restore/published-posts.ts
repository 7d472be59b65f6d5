import type { DeliveryGuarantee } from '../../src/domain/networks/network-definition.js';
import type { OpenDatabase } from '../../src/persistence/database.js';

/** The posts of an account at one moment, by their texts: the result of the publication and the copies on the network. */
export type PostResults = Readonly<Record<string, readonly [string | null, number]>>;

const COPIES = `
SELECT content->>'text' AS text, s.guarantee, count(*)::int AS copies
  FROM sandbox_delivery d JOIN sandbox_account s ON s.account_id = d.account_id
 WHERE d.removed_at IS NULL GROUP BY 1, 2`;
const RESULTS = `
WITH copies AS (${COPIES}),
posts AS (
  SELECT b.text, s.guarantee, u.result::text
    FROM post p JOIN post_body b ON b.post_id = p.id JOIN sandbox_account s ON s.account_id = p.account_id
    LEFT JOIN publication u ON u.post_id = p.id
)
SELECT guarantee, json_object_agg(text, json_build_array(result, COALESCE(copies, 0)) ORDER BY text) AS posts
  FROM posts FULL JOIN copies USING (text, guarantee) GROUP BY guarantee`;

/** The posts of the database and of the sandbox network, by the guarantee of their account. */
export async function readResults({
  pool,
}: Pick<OpenDatabase, 'pool'>): Promise<Record<DeliveryGuarantee, PostResults>> {
  const { rows } = await pool.query<{ guarantee: DeliveryGuarantee; posts: PostResults }>(RESULTS);
  return Object.fromEntries(rows.map(({ guarantee, posts }) => [guarantee, posts])) as Record<
    DeliveryGuarantee,
    PostResults
  >;
}

/** Reads what the sandbox network has, which no restore of the database changes on a real network. */
export async function readNetwork({ pool }: Pick<OpenDatabase, 'pool'>): Promise<string> {
  const { rows } = await pool.query<{ copies: string }>(
    "SELECT coalesce(json_agg(d), '[]')::text AS copies FROM sandbox_delivery d",
  );
  return rows[0]!.copies;
}

/** Gives the network of a restored database what it had before. */
export async function keepNetwork(
  { pool }: Pick<OpenDatabase, 'pool'>,
  copies: string,
): Promise<void> {
  await pool.query('DELETE FROM sandbox_delivery');
  await pool.query(
    'INSERT INTO sandbox_delivery SELECT * FROM json_populate_recordset(NULL::sandbox_delivery, $1)',
    [copies],
  );
  await pool.query(
    "SELECT setval(pg_get_serial_sequence('sandbox_delivery', 'id'), max(id)) FROM sandbox_delivery",
  );
}
