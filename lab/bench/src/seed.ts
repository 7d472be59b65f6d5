import type pg from 'pg';
import {
  STORED_STATES,
  KEY_ENTROPY_BYTES,
  keyHash,
  createKeyValue,
  searchRowOfText,
  workspaceTokens,
} from './product.js';
import { logProgress } from './progress.js';
import { TEXTS, textOf } from './seed-texts.js';

export interface SeedSize {
  readonly posts: number;
}

/** Posts of a normal workspace. From 2,000,000 posts on there is also one of a million. */
export const WORKSPACE_POSTS = 8_000;
const LARGE_POSTS = 1_000_000;
const MEMBERS = 8;
const ACCOUNTS = 10;
const LABELS = 20;
const MEDIA = 200;
/** The first token of rows of the search index in builds before 28 November 2026 (`--against`). */
const MARK_OF_EARLIER_BUILDS = '2';

/** ID of the nth member of every workspace. */
const memberId = (member: number): string => `usr_Bench${String(member).padStart(11, '0')}`;
/** The user of most requests: owner of every workspace. */
export const VIEWER = memberId(0);
/** API keys of the members, only valid in the database of the benchmark. The first one is that of VIEWER. */
export const API_KEYS = Array.from({ length: MEMBERS }, (_, member) =>
  createKeyValue(new Uint8Array(KEY_ENTROPY_BYTES).fill(7 + member)),
);

/**
 * Distribution of 10,000 posts over the stored states. None is recycling, so that there is a filter
 * without a match.
 */
const SHARES: readonly (readonly [storedState: string, upTo: number])[] = [
  ['scheduled', 3_000],
  ['scheduled_approved', 3_200],
  ['scheduled_pending', 3_300],
  ['scheduled_declined', 3_350],
  ['scheduled_reauth', 3_380],
  ['scheduled_locked', 3_400],
  ['published_posted', 7_900],
  ['published_deleted', 8_000],
  ['published_hidden', 8_100],
  ['draft_dated', 8_400],
  ['draft_undated', 8_600],
  ['draft_public_dated', 8_800],
  ['draft_public_undated', 8_900],
  ['draft_private_dated', 9_200],
  ['draft_private_undated', 9_400],
  ['failed', 9_900],
  ['recurring', 10_000],
];
const storedStateSql = (share: string): string =>
  `CASE ${SHARES.map(([storedState, upTo]) => `WHEN ${share} < ${upTo} THEN ${STORED_STATES[storedState]!.number}`).join(' ')} END::smallint`;

const id = (prefix: string, number: string): string =>
  `'${prefix}_Bench' || lpad((${number})::text, 11, '0')`;
const UNDATED = ['draft_undated', 'draft_public_undated', 'draft_private_undated']
  .map((storedState) => STORED_STATES[storedState]!.number)
  .join(', ');
const NETWORKS = [
  'facebook',
  'instagram',
  'threads',
  'twitter',
  'mastodon',
  'bluesky',
  'linkedin',
  'pinterest',
  'google',
  'telegram',
];
const TYPES = ['status', 'link', 'photo', 'video', 'status', 'photo', 'link', 'status'];
const array = (values: readonly string[], type: string): string =>
  `'{${values.join(',')}}'::${type}[]`;
const at = (list: string, index: string): string => `(${list})[1 + (${index})::int]`;

/**
 * Number of the text of a post: it differs within a workspace, so that each topic is in the same
 * number of posts.
 */
const TEXT = `(p.n * 7919 + p.w * 104729) % ${TEXTS}`;

/**
 * Cap slots of scheduled and published posts: created here, and again when deletions of the
 * benchmark are undone.
 */
export const CAP_SLOTS = `INSERT INTO cap_slot (account_id, post_kind, at, post_id)
  SELECT account_id, 'post', scheduled_at, id FROM post WHERE stored_state BETWEEN 1 AND 12 AND account_id IS NOT NULL AND scheduled_at IS NOT NULL ON CONFLICT DO NOTHING`;

/**
 * The tables, in the order in which they are filled. `bench_plan` has a row for each post: p.id by
 * time over all workspaces, so that the posts of a workspace are scattered like real ones; p.n its
 * number in the workspace; p.r its share of 10,000.
 */
const STATEMENTS: readonly string[] = [
  `INSERT INTO app_user (id, name, email, picture, plan, rate_limit_override)
    SELECT ${id('usr', 'n')}, 'Member ' || n, 'member' || n || '@bench.example', 'https://bench.example/faces/' || n || '.png', 'business', 1000000000 FROM generate_series(0, ${MEMBERS - 1}) n`,
  `INSERT INTO workspace (id, name, time_zone) SELECT id, 'Workspace ' || n, 'Europe/Berlin' FROM bench_workspace`,
  `INSERT INTO membership (workspace_id, user_id, role, post_actions)
    SELECT w.id, ${id('usr', 'k')}, (CASE k WHEN 0 THEN 'owner' ELSE 'editor' END)::role, true FROM bench_workspace w, generate_series(0, ${MEMBERS - 1}) k`,
  `INSERT INTO account (id, workspace_id, network, type, name, social_id, picture)
    SELECT ${id('acc', 'w.n * 1000 + k')}, w.id, ${at(array(NETWORKS, 'network'), 'k')}, 'page', 'Account ' || k, 's' || k, 'https://bench.example/accounts/' || k || '.png'
      FROM bench_workspace w, generate_series(0, ${ACCOUNTS - 1}) k`,
  `INSERT INTO label (id, workspace_id, name, name_key, color)
    SELECT ${id('lbl', 'w.n * 1000 + k')}, w.id, 'Label ' || k, 'label ' || k, '#' || lpad(to_hex(k * 800000), 6, '0') FROM bench_workspace w, generate_series(0, ${LABELS - 1}) k`,
  `INSERT INTO media (id, workspace_id, type, url, title, alt_text, in_library)
    SELECT ${id('med', 'w.n * 1000 + k')}, w.id, 'photo', 'https://media.bench.example/' || w.n || '/' || k || '.jpg', 'Picture ' || k, 'A picture of number ' || k, true
      FROM bench_workspace w, generate_series(0, ${MEDIA - 1}) k`,
  `CREATE UNLOGGED TABLE bench_plan AS
    SELECT row_number() OVER (ORDER BY k::float8 / w.posts, w.n) AS id, w.n AS w, k::bigint AS n,
           CASE WHEN NOT w.private THEN share WHEN share % 2 = 0 THEN 9000 + share % 400 ELSE share END AS r
      FROM bench_workspace w CROSS JOIN LATERAL generate_series(1, w.posts) k CROSS JOIN LATERAL (SELECT (k::bigint * 7919 + w.n * 104729) % 10000 AS share) lot`,
  `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, version, scheduled_at, created_at, updated_at, has_media, auto, post_link)
    SELECT p.id, lpad(to_hex(1700000000 + p.id), 8, '0') || '0be9c40000' || lpad(to_hex(p.id % 16777216), 6, '0'), ${id('wks', 'p.w')}, ${id('acc', `p.w * 1000 + p.n % ${ACCOUNTS}`)},
           ${id('usr', `p.n / 3 % ${MEMBERS}`)}, c.stored_state, ${at(array(TYPES, 'post_type'), `p.n % ${TYPES.length}`)}, ${at(array(NETWORKS, 'network'), `p.n % ${ACCOUNTS}`)}, 1,
           CASE WHEN c.stored_state IN (${UNDATED}) THEN NULL WHEN c.stored_state BETWEEN 10 AND 12 OR c.stored_state = 30 THEN timestamptz '2026-01-01Z' - p.id * interval '7 seconds' ELSE timestamptz '2030-01-01Z' + p.id * interval '7 seconds' END,
           timestamptz '2025-01-01Z' + p.id * interval '1 second', timestamptz '2025-06-01Z' + p.id * interval '1 second', p.n % 5 < 3, p.n % 7 = 0,
           CASE WHEN c.stored_state = 10 THEN 'https://network.example/posts/' || p.id END
      FROM bench_plan p CROSS JOIN LATERAL (SELECT ${storedStateSql('p.r')} AS stored_state) c ORDER BY p.id`,
  `INSERT INTO post_body (post_id, text, title, url, link, recurring, options, tags)
    SELECT p.id, t.text, CASE p.n % 4 WHEN 0 THEN 'Title ' || p.n END, CASE type WHEN 'link' THEN 'https://pages.bench.example/' || p.n END,
           CASE type WHEN 'link' THEN jsonb_build_object('title', 'Page ' || p.n, 'description', 'What page ' || p.n || ' is about', 'defaultImage', 'https://pages.bench.example/' || p.n || '.png') END,
           CASE o.stored_state WHEN ${STORED_STATES.recurring!.number} THEN jsonb_build_object('repeat', 'weekly', 'repeatRate', 1, 'daysOfWeek', jsonb_build_array(0, 3), 'startDate', '2030-01-01T09:00:00.000Z') END,
           '{}', CASE p.n % 3 WHEN 0 THEN array['tag' || p.n % 17] ELSE '{}' END
      FROM bench_plan p JOIN post o USING (id) JOIN bench_text t ON t.n = ${TEXT} ORDER BY p.id`,
  `INSERT INTO post_search (post_id, normal, tokens)
    SELECT p.id, CASE p.n % 4 WHEN 0 THEN ' title ' || p.n || ' ' ELSE '' END || t.normal,
           array['${MARK_OF_EARLIER_BUILDS}'] || CASE p.n % 4 WHEN 0 THEN array[w.mark || 'title', w.mark || p.n] ELSE '{}' END || ARRAY(SELECT w.mark || token FROM unnest(t.tokens) token)
      FROM bench_plan p JOIN bench_workspace w ON w.n = p.w JOIN bench_text t ON t.n = ${TEXT} ORDER BY p.id`,
  `INSERT INTO post_label (label_id, post_id)
    SELECT DISTINCT ${id('lbl', `p.w * 1000 + (p.n * 3 + k * 7) % ${LABELS}`)}, p.id FROM bench_plan p CROSS JOIN LATERAL generate_series(1, p.n % 4) k`,
  `INSERT INTO post_media (post_id, position, media_id, title, alt_text)
    SELECT p.id, k, m.id, m.title, m.alt_text FROM bench_plan p CROSS JOIN LATERAL generate_series(0, p.n % 5 / 2) k
      JOIN media m ON m.id = ${id('med', `p.w * 1000 + (p.n + k) % ${MEDIA}`)} WHERE p.n % 5 < 3`,
  CAP_SLOTS,
  'DROP TABLE bench_plan',
];

/**
 * Fills an empty database: workspaces of 8,000 posts, half of the last one private drafts of other
 * users, and one workspace of a million if the size allows.
 */
export async function seed(pool: pg.Pool, { posts }: SeedSize): Promise<void> {
  const client = await pool.connect();
  try {
    // Foreign keys are true by construction; checking five million rows of them takes longer than
    // making them.
    await client.query("SET session_replication_role = 'replica'").catch(() => undefined);
    await client.query("SET maintenance_work_mem = '512MB'");
    await client.query("SET work_mem = '256MB'");
    await addWorkspaces(client, posts);
    await addTexts(client);
    const indexes = await dropIndexes(client);
    for (const statement of STATEMENTS) await client.query(statement);
    await client.query("SELECT setval(pg_get_serial_sequence('post', 'id'), max(id)) FROM post");
    for (const [member, key] of API_KEYS.entries())
      await client.query(
        `INSERT INTO api_key (id, user_id, name, hash, prefix, scopes) VALUES ($1, $2, 'bench', $3, $4, '{workspaces,accounts,posts,media}')`,
        [
          memberId(member).replace('usr', 'key'),
          memberId(member),
          Buffer.from(keyHash(key)),
          key.slice(0, 12),
        ],
      );
    await client.query('SELECT recount_posts()'); // triggers are off while seeding
    logProgress('Indexing …');
    for (const index of indexes) await client.query(index);
    await client.query('VACUUM ANALYZE');
  } finally {
    client.release(true); // a connection with these settings is not reused
  }
}

async function addWorkspaces(client: pg.PoolClient, posts: number): Promise<void> {
  const largePosts = posts >= 2 * LARGE_POSTS ? LARGE_POSTS : 0;
  const workspaceCount = Math.max(1, Math.floor((posts - largePosts) / WORKSPACE_POSTS));
  // added to the first one: 10,000 posts are one workspace
  const extraPosts = posts - largePosts - workspaceCount * WORKSPACE_POSTS;
  const sizes = [
    ...Array.from(
      { length: workspaceCount },
      (_, index) => WORKSPACE_POSTS + (index === 0 ? extraPosts : 0),
    ),
    ...(largePosts ? [largePosts] : []),
  ];
  const rows = sizes.map((size, index) => {
    const workspaceId = `wks_Bench${String(index + 1).padStart(11, '0')}`;
    return {
      n: index + 1,
      id: workspaceId,
      posts: size,
      private: workspaceCount > 1 && index === workspaceCount - 1,
      mark: workspaceTokens(workspaceId, [''])[0],
    };
  });
  await client.query(
    'CREATE TABLE bench_workspace AS SELECT * FROM jsonb_to_recordset($1::jsonb) AS w(n bigint, id text, posts int, private boolean, mark text)',
    [JSON.stringify(rows)],
  );
}

async function addTexts(client: pg.PoolClient): Promise<void> {
  const prefixLength = workspaceTokens('', [''])[0]!.length;
  const rows = Array.from({ length: TEXTS }, (_, n) => {
    const text = textOf(n);
    const { normal, tokens } = searchRowOfText('', text);
    return { n, text, normal, tokens: tokens.slice(1).map((token) => token.slice(prefixLength)) };
  });
  await client.query(
    'CREATE TABLE bench_text (n bigint PRIMARY KEY, text text, normal text, tokens text[])',
  );
  await client.query(
    'INSERT INTO bench_text SELECT * FROM jsonb_to_recordset($1::jsonb) AS t(n bigint, text text, normal text, tokens text[])',
    [JSON.stringify(rows)],
  );
}

/**
 * Drops the indexes that are faster to create afterwards.
 * @returns the statements that create them
 */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = ANY('{post,post_body,post_search,post_label,post_media,cap_slot}'::regclass[]) AND NOT i.indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}
