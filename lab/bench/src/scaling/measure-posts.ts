import type pg from 'pg';
import { searchRowOfText, STORED_STATES } from '../product.js';
import { textOf } from '../seed-texts.js';
import { growthOf, readTableSizes, type TableGrowth } from './storage.js';

const POSTS = 10_000;
/** As many as in the goal: posts of a workspace share the words in the index of the search. */
const POSTS_PER_WORKSPACE = 500;
const WORKSPACES = POSTS / POSTS_PER_WORKSPACE;
const BATCH = 25;
const padded = (number: string, digits = 9): string => `lpad((${number})::text, ${digits}, '0')`;

/**
 * Posts of the workspaces of `measureWorkspaces` in turn, each with a text, every second one with a label, and the rows that
 * the service writes for them. Indexes grow as they do in use.
 */
const INSERT = `
WITH given AS (
  SELECT g.*, 1 + (g.n * 7919) % ${WORKSPACES} AS w FROM jsonb_to_recordset($1::jsonb) AS g(n int, text text, normal text, tokens text[])
),
created AS (
  INSERT INTO post (doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
  SELECT substr(md5('scaling' || n), 1, 24), 'wks_Scaling' || ${padded('w')}, 'acc_Scaling' || ${padded('w * 10 + 1 + n % 5')}, 'usr_Scaling' || ${padded('w')},
         ${STORED_STATES.scheduled!.number}, 'status', 'mastodon', timestamptz '2030-01-01Z' + n * interval '7 seconds' FROM given
  RETURNING id, doc_id, account_id, scheduled_at
),
posts AS (SELECT created.*, given.* FROM created JOIN given ON doc_id = substr(md5('scaling' || n), 1, 24)),
bodies AS (INSERT INTO post_body (post_id, text) SELECT id, text FROM posts),
searched AS (INSERT INTO post_search (post_id, normal, tokens) SELECT id, normal, tokens FROM posts),
slots AS (INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM posts)
INSERT INTO post_label (label_id, post_id) SELECT 'lbl_Scaling' || ${padded('w * 100 + 1 + n % 10')}, id FROM posts WHERE n % 2 = 0`;

/** Measures the rows and bytes of a post, apart from its history, events and media. */
export async function measurePosts(pool: pg.Pool): Promise<TableGrowth[]> {
  const before = await readTableSizes(pool);
  for (let first = 0; first < POSTS; first += BATCH) {
    const posts = Array.from({ length: BATCH }, (_, index) => {
      const n = first + index;
      const text = textOf(n);
      const workspace = `wks_Scaling${String(1 + ((n * 7919) % WORKSPACES)).padStart(9, '0')}`;
      return { n, text, ...searchRowOfText(workspace, text) };
    });
    await pool.query(INSERT, [JSON.stringify(posts)]);
  }
  await pool.query('VACUUM post_search'); // moves tokens that wait into the index
  return growthOf(before, await readTableSizes(pool), POSTS);
}
