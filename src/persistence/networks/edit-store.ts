import type pg from 'pg';
import type { EditStore, EditSubject, JobRun } from '../../services/jobs/job-ports.js';
import type { Post } from '../../domain/posts/post.js';
import { ALL_FIELDS, selectParts } from '../posts/post-parts.js';
import { readPostRows } from '../posts/related-rows.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { inTransaction, run, type SqlRunner } from '../sql.js';

type SubjectRow = PostRow & { sync: EditSubject['sync'] | null; pausedForMs: number };

/** A turn that is not taken within that time goes to waste: many that waited for something else would all run at once. */
const TURN_KEPT = "interval '5 seconds'";
/** Times are rounded on their way through the line. */
const EARLY = "interval '50 milliseconds'";
/** When a job whose lane is full looks again. */
const FULL_MS = 1_000;

type Lane = Parameters<EditStore['begin']>[1];
interface LaneRow {
  isFree: boolean;
  isMyTurn: boolean;
}

/** Waits for the lane's row, so that no two processes count at once. */
async function lockLane(sql: SqlRunner, lane: string): Promise<void> {
  await run(
    sql,
    "INSERT INTO network_lane (lane, next_at) VALUES ($1, '-infinity') ON CONFLICT DO NOTHING",
    [lane],
  );
  await run(sql, 'SELECT 1 FROM network_lane WHERE lane = $1 FOR UPDATE', [lane]);
}

/** The next turn that nobody has; it is this run's from now on. In milliseconds from now, 0 where it is now. */
async function takeTurn(
  sql: SqlRunner,
  { id }: JobRun,
  { lane, atOnce, perMinute }: Lane,
): Promise<number> {
  const apartMs = 60_000 / perMinute;
  const [row] = await run<{ inMs: number }>(
    sql,
    "WITH turn AS (SELECT GREATEST(next_at, clock_timestamp() - $4 * interval '1 millisecond') AS at FROM network_lane WHERE lane = $1), " +
      "moved AS (UPDATE network_lane SET next_at = turn.at + $2 * interval '1 millisecond' FROM turn WHERE lane = $1), " +
      'mine AS (UPDATE job SET turn_at = turn.at FROM turn WHERE id = $3) ' +
      'SELECT (EXTRACT(epoch FROM turn.at - clock_timestamp()) * 1000)::float8 AS "inMs" FROM turn',
    [lane, apartMs, id, apartMs * (atOnce - 1)], // who rested may begin as many together as may be out
  );
  return Math.max(0, Math.ceil(row!.inMs));
}

/** From here on nobody knows what is live if the worker dies. */
async function goOut(sql: SqlRunner, { id, postId }: JobRun, lane: string): Promise<void> {
  await run(sql, 'UPDATE job SET lane = $2, turn_at = NULL WHERE id = $1', [id, lane]);
  await run(sql, 'UPDATE post_sync SET in_doubt = true, attempted_at = now() WHERE post_id = $1', [
    postId,
  ]);
}

export function createEditStore(pool: pg.Pool): EditStore {
  const { columns, join } = selectParts(ALL_FIELDS);
  const SUBJECT =
    `SELECT ${columns}, ` +
    "(SELECT json_build_object('jobId', s.job_id, 'live', s.live, 'inDoubt', s.in_doubt) FROM post_sync s WHERE s.post_id = p.id) AS sync, " +
    'COALESCE((SELECT GREATEST(0, EXTRACT(epoch FROM a.paused_until - now()) * 1000) FROM account a WHERE a.id = p.account_id), 0)::float8 AS "pausedForMs" ' +
    `FROM post p ${join} WHERE p.id = $1 AND p.deleted_at IS NULL`;
  return {
    async subject(postId) {
      const [row] = await readPostRows<SubjectRow>(
        pool,
        { text: SUBJECT, values: [postId] },
        ALL_FIELDS,
      );
      if (!row) return null;
      const { sync, pausedForMs, ...post } = row;
      return {
        post: toPostView(post as PostRow) as Post,
        sync: sync ?? { jobId: null, live: {}, inDoubt: true },
        pausedForMs,
      };
    },
    begin: (one, place) =>
      inTransaction(pool, async (sql) => {
        const { lane, atOnce } = place;
        await lockLane(sql, lane);
        const [now] = await run<LaneRow>(
          sql,
          'SELECT (SELECT count(*) FROM job WHERE lane = $1 AND leased_until > now()) < $2 AS "isFree", ' +
            `(SELECT turn_at BETWEEN clock_timestamp() - ${TURN_KEPT} AND clock_timestamp() + ${EARLY} FROM job WHERE id = $3) IS TRUE AS "isMyTurn"`,
          [lane, atOnce, one.id],
        );
        const { isFree, isMyTurn } = now!;
        const inMs = isFree && isMyTurn ? 0 : await takeTurn(sql, one, place);
        if (isFree && inMs === 0) {
          await goOut(sql, one, lane);
          return { kind: 'begun' };
        }
        return { kind: 'later', inMs: isFree ? inMs : Math.max(inMs, FULL_MS) };
      }),
  };
}
