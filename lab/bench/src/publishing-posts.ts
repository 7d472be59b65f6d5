import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { searchRowOfText, STORED_STATES } from './product.js';

const WORKSPACE = 'wks_Publishing';
const OWNER = 'usr_Publishing';
const NETWORK = 'threads'; // the highest daily cap
/** Accounts that the posts are spread over. */
export const ACCOUNTS = 200;
const TEXT = 'A text of a usual length, which is published on the sandbox network at its time.';
const { number: SCHEDULED } = STORED_STATES.scheduled!;

/** Creates a workspace and its accounts on the sandbox network. */
export async function addAccounts(pool: pg.Pool): Promise<void> {
  await pool.query(
    `INSERT INTO app_user (id, name, email, plan) VALUES ('${OWNER}', 'Owner', 'owner@bench.example', 'business')`,
  );
  await pool.query(
    `INSERT INTO workspace (id, name, time_zone) VALUES ('${WORKSPACE}', 'Workspace', 'Europe/Berlin')`,
  );
  await pool.query(
    `INSERT INTO membership (workspace_id, user_id, role, post_actions) VALUES ('${WORKSPACE}', '${OWNER}', 'owner', true)`,
  );
}

/** Accounts without posts: no daily cap is used. */
async function addAccountsOf(pool: pg.Pool, phase: string): Promise<void> {
  await pool.query(
    `INSERT INTO account (id, workspace_id, network, type, name, social_id, sandbox)
     SELECT 'acc_${phase}' || n, '${WORKSPACE}', '${NETWORK}', 'profile', 'Account ' || n, '${phase}' || n, true FROM generate_series(0, ${ACCOUNTS - 1}) n`,
  );
}

const POSTS = (phase: string): string =>
  `INSERT INTO post (doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
   SELECT substr(md5('${phase}' || n), 1, 24), '${WORKSPACE}', 'acc_${phase}' || n % ${ACCOUNTS}, '${OWNER}', ${SCHEDULED}, 'status', '${NETWORK}', $2::timestamptz + (n - 1) / $3::int * interval '1 second'
     FROM generate_series(1, $1::int) n RETURNING id`;

/**
 * Schedules posts with the rows that the product creates, the first at `from`, and so many for each
 * second.
 */
export async function schedulePosts(
  pool: pg.Pool,
  phase: string,
  { posts, from, perSecond }: { posts: number; from: Date; perSecond: number },
): Promise<void> {
  await addAccountsOf(pool, phase);
  const { normal, tokens } = searchRowOfText(WORKSPACE, TEXT);
  await pool.query(
    `WITH created AS (${POSTS(phase)}),
     bodies AS (INSERT INTO post_body (post_id, text) SELECT id, $4 FROM created)
     INSERT INTO post_search (post_id, normal, tokens) SELECT id, $5, $6::text[] FROM created`,
    [posts, from, perSecond, TEXT, normal, tokens],
  );
  await pool.query(
    `INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM post WHERE account_id LIKE 'acc_${phase}%'`,
  );
  await pool.query('VACUUM ANALYZE post');
}

/** Scheduled posts that are not due for years: without relations, as the search reads none. */
export async function scheduleForLater(pool: pg.Pool, posts: number): Promise<void> {
  await addAccountsOf(pool, 'later');
  const client = await pool.connect();
  try {
    // Triggers count posts one by one.
    await client.query("SET session_replication_role = 'replica'");
    await client.query(POSTS('later'), [posts, new Date(Date.UTC(2031, 0, 1)), 1]);
    await client.query('VACUUM ANALYZE post');
  } finally {
    client.release(true);
  }
}

const POLL_MS = 250;
/** Waits until all of these posts are published. @throws Error if one failed */
export async function waitUntilPublished(pool: pg.Pool, phase: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ waiting: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE stored_state = ${SCHEDULED})::int AS waiting, count(*) FILTER (WHERE stored_state = ${STORED_STATES.failed!.number})::int AS failed
         FROM post WHERE account_id LIKE 'acc_${phase}%'`,
    );
    const { waiting, failed } = rows[0]!;
    if (failed > 0) throw new Error(`${failed} posts failed`);
    if (waiting === 0) return;
    await sleep(POLL_MS);
  }
}

/** How late the network got the posts. Durations are in seconds. */
export interface Lateness {
  readonly posts: number;
  readonly median: number;
  readonly p99: number;
  readonly max: number;
  /** From the first time of a post to the last publication. */
  readonly duration: number;
  /** How much later the time of a post was that was published before an older one: the maximum. */
  readonly overtaken: number;
  /** When the posts of the first and of the last account were all published. */
  readonly firstAccount: number;
  readonly lastAccount: number;
}

const LATENESS = (phase: string): string => `
WITH called AS (
  SELECT p.account_id, p.scheduled_at AS due, d.taken_at AS at, max(p.scheduled_at) OVER (ORDER BY d.taken_at, d.id) AS latest
    FROM post p JOIN sandbox_delivery d ON d.post_doc_id = p.doc_id WHERE p.account_id LIKE 'acc_${phase}%'
),
late AS (SELECT *, EXTRACT(epoch FROM at - due)::float8 AS seconds, EXTRACT(epoch FROM at - (SELECT min(due) FROM called))::float8 AS since FROM called),
accounts AS (SELECT max(since) AS since FROM late GROUP BY account_id)
SELECT count(*)::int AS posts, percentile_disc(0.5) WITHIN GROUP (ORDER BY seconds) AS median, percentile_disc(0.99) WITHIN GROUP (ORDER BY seconds) AS p99,
       max(seconds) AS max, max(since) AS duration, max(EXTRACT(epoch FROM latest - due))::float8 AS overtaken,
       (SELECT min(since) FROM accounts) AS "firstAccount", (SELECT max(since) FROM accounts) AS "lastAccount" FROM late`;

export const readLateness = async (pool: pg.Pool, phase: string): Promise<Lateness> =>
  (await pool.query<Lateness>(LATENESS(phase))).rows[0]!;
