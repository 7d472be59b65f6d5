import type { Account } from '../../../src/domain/posts/post.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import { workspaceTokens } from '../../../src/persistence/posts/post-rows.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { withUnlimitedClient } from '../../setup/unlimited-client.js';
import type { Label } from '../../../src/domain/posts/post-content.js';

/**
 * A workspace of 100,000 posts, and 100,000 more in twelve others: enough to make bad plans
 * visible.
 */
export interface LargeWorkspace {
  readonly shop: TestServices;
  readonly owner: KeyedViewer;
  readonly editor: KeyedViewer;
  readonly account: Account;
  readonly label: Label;
}

const POSTS = 200_000;
const SMALL = 12;
/** Stored states of every ten posts; the owner created one in three of the drafts. */
const STATE_MIX: readonly StoredState[] = [
  'scheduled',
  'scheduled',
  'scheduled',
  'published_posted',
  'published_posted',
  'published_posted',
  'published_posted',
  'failed',
  'draft_undated',
  'draft_private_undated',
];
const UNDATED = [
  STORED_STATES.draft_undated.number,
  STORED_STATES.draft_private_undated.number,
].join(', ');

/** The tables that `aLargeWorkspace` fills. */
export const FILLED = [
  'post',
  'post_body',
  'post_search',
  'post_label',
  'post_media',
  'cap_slot',
  'post_analytics',
  'revision',
  'post_count',
  'post_count_detail',
  'post_count_change',
] as const;

const texts = (words: readonly string[]): string => `'{${words.join(',')}}'::text[]`;
const at = (list: string, index: string): string => `(${list})[1 + (${index})]`;

export async function aLargeWorkspace(): Promise<LargeWorkspace> {
  const shop = await testServices();
  const owner = await shop.aViewer();
  const workspaceId = owner.workspace.id;
  const editor = await shop.aViewer({ workspaceId });
  const others = await Promise.all(
    Array.from({ length: SMALL }, async () => (await shop.aWorkspace()).id),
  );
  const accounts = await Promise.all(
    Array.from({ length: 10 }, () => shop.anAccount({ workspaceId })),
  );
  const labels = await Promise.all(
    Array.from({ length: 30 }, (_, index) => shop.aLabel({ workspaceId, name: `label ${index}` })),
  );
  const picture = await shop.aMedia({ workspaceId });
  const marks = [workspaceId, ...others].map((id) => workspaceTokens(id, [''])[0]!);
  // Half of all in the large one; the others in turn.
  const place = `CASE WHEN n % 2 = 0 THEN 0 ELSE 1 + n / 2 % ${SMALL} END`;
  const statements = [
    `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at, created_at, parent_id, group_id)
      SELECT n, lpad(to_hex(n), 24, '0'), ${at(texts([workspaceId, ...others]), 'place')}, ${at(texts(accounts.map(({ id }) => id)), 'n / 2 % 10')}, ${at(texts([owner.user.id, editor.user.id, editor.user.id]), 'n / 2 % 3')},
             stored_state, 'status', 'mastodon', CASE WHEN stored_state NOT IN (${UNDATED}) THEN timestamptz '2026-01-01Z' + n * interval '1 minute' END, timestamptz '2025-01-01Z' + n * interval '1 minute', CASE WHEN n % 40 = 0 THEN 2 END, 'grp_' || n / 50
        FROM generate_series(1, ${POSTS}) n, LATERAL (SELECT ${place} AS place, ${at(`'{${STATE_MIX.map((storedState) => STORED_STATES[storedState].number).join(',')}}'::smallint[]`, 'n / 2 % 10')} AS stored_state) lot`,
    `INSERT INTO post_body (post_id, text, options, tags, categories) SELECT n, 'Post ' || n, '{}', '{}', '{}' FROM generate_series(1, ${POSTS}) n`,
    `INSERT INTO post_search (post_id, normal, tokens) SELECT n, ' post ' || n || ' ', ARRAY[mark || 'post', mark || n, mark || 'rare' || n / 2 % 1000 || 'x', mark || 'common' || n / 2 % 20]
        FROM generate_series(1, ${POSTS}) n, LATERAL (SELECT ${at(texts(marks), place)} AS mark) m`,
    `INSERT INTO post_label (label_id, post_id) SELECT ${at(texts(labels.map(({ id }) => id)), 'n / 20 % 30')}, n FROM generate_series(2, ${POSTS}, 20) n`,
    `INSERT INTO post_media (post_id, position, media_id) SELECT n, 0, '${picture.id}' FROM generate_series(2, ${POSTS}, 20) n`,
    `INSERT INTO cap_slot (account_id, post_kind, at, post_id) SELECT account_id, 'post', scheduled_at, id FROM post WHERE scheduled_at IS NOT NULL`,
    `INSERT INTO post_analytics (post_id, workspace_id, engagement, updated_at) SELECT id, workspace_id, id * 7919 % 1000, now() FROM post WHERE stored_state = ${STORED_STATES.published_posted.number}`,
    `INSERT INTO revision (post_id, version, user_id, at, changes) SELECT n, 1, $1, now(), '{}' FROM generate_series(1, ${POSTS}) n`,
  ];
  await withUnlimitedClient(shop.database.url, async (sql) => {
    await sql.query("BEGIN; SET LOCAL session_replication_role = 'replica'"); // neither checks nor triggers, row by row
    for (const text of statements)
      await sql.query({ text, values: text.includes('$1') ? [owner.user.id] : [] });
    await sql.query('SELECT recount_posts()');
    await sql.query(
      "INSERT INTO post_count (workspace_id, stored_state, creator_id, slot, posts) SELECT 'wks_' || n, 1, '', 0, 1 FROM generate_series(1, 20000) n",
    ); // of as many other workspaces
    for (const table of ['post_count_detail', 'post_count_change'])
      await sql.query(
        `INSERT INTO ${table} (workspace_id, account_id, creator_id, network, type, stored_state, posts) SELECT 'wks_' || n, '', '', 'mastodon', 'status', 1, 1 FROM generate_series(1, 20000) n`,
      );
    await sql.query("SELECT setval(pg_get_serial_sequence('post', 'id'), max(id)) FROM post");
    await sql.query('COMMIT');
    // no others: what a table of few rows is like, the planner never learns
    await sql.query(`VACUUM ANALYZE ${FILLED.join(', ')}`);
  });
  return { shop, owner, editor, account: accounts[3]!, label: labels[1]! };
}
