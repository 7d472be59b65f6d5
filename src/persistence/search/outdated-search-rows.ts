import type pg from 'pg';
import type { SearchedPost } from '../../domain/search/searched-fields.js';
import { inTransaction, run, type SqlRunner, type Statement } from '../sql.js';
import { isOutdated, outdatedOrder, searchRow } from './search-index.js';

/** Rows of one transaction: few, since changes of their posts wait for it. */
const MAX_ROWS = 50;

/**
 * Locks rows before their posts are read: a process of an earlier release that changes a post at the
 * same time then either was faster, or writes its row afterwards, which is outdated again.
 */
const LOCK_ROWS = `SELECT s.post_id::int AS id FROM post_search s WHERE ${isOutdated('s')} ORDER BY ${outdatedOrder('s')} LIMIT $1 FOR UPDATE SKIP LOCKED`;
const READ_POSTS = `
SELECT p.id::int, p.workspace_id AS "workspaceId", b.title, b.text, b.question, b.options, b.excerpt, b.link, b.featured_media AS "featuredMedia",
       COALESCE((SELECT json_agg(json_build_object('altText', pm.alt_text) ORDER BY pm.position) FROM post_media pm WHERE pm.post_id = p.id), '[]') AS media
  FROM post p JOIN post_body b ON b.post_id = p.id WHERE p.id = ANY($1::bigint[])`;
const WRITE_ROWS =
  'UPDATE post_search s SET normal = r.normal, tokens = r.tokens FROM json_to_recordset($1::json) AS r(id bigint, normal text, tokens text[]) WHERE s.post_id = r.id';

/** The statement that finds rows of earlier rules. */
export const outdatedRowsStatement = (max: number): Statement => ({
  text: LOCK_ROWS,
  values: [max],
});

interface PostRow extends SearchedPost {
  readonly id: number;
  readonly workspaceId: string;
}

async function rewriteBatch(sql: SqlRunner): Promise<number> {
  const { text, values } = outdatedRowsStatement(MAX_ROWS);
  const locked = await run<{ id: number }>(sql, text, values);
  if (locked.length === 0) return 0;
  const posts = await run<PostRow>(sql, READ_POSTS, [locked.map(({ id }) => id)]);
  const rows = posts.map(({ id, workspaceId, ...post }) => ({
    id,
    ...searchRow(workspaceId, post),
  }));
  await run(sql, WRITE_ROWS, [JSON.stringify(rows)]);
  return rows.length;
}

/** Rewrites rows of the search index that an earlier release has written. */
export interface OutdatedSearchRows {
  /**
   * Rewrites rows for about `maxMs` milliseconds, and returns their number. Every process can do this
   * at any time: each row is rewritten once. Costs almost nothing if there is none.
   */
  rewrite(maxMs: number): Promise<number>;
}

/** Rewrites outdated rows of the search index in small transactions. */
export const createOutdatedSearchRows = (pool: pg.Pool): OutdatedSearchRows => ({
  async rewrite(maxMs) {
    const startedAt = performance.now();
    let rewritten = 0;
    for (;;) {
      const rows = await inTransaction(pool, rewriteBatch);
      rewritten += rows;
      if (rows < MAX_ROWS || performance.now() - startedAt > maxMs) return rewritten;
    }
  },
});
