import type pg from 'pg';
import { EMPTY_CHANGE, type Change } from '../../domain/changes/change.js';
import { SERVICE } from '../../domain/events/actor.js';
import { eventsOf, updateEventOf } from '../../domain/events/events-of.js';
import { revisionChanges, type UpdateWrite } from '../changes/post-writer.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { callRows, shareStatements, toCallRows } from '../connections/statement-sharing.js';
import { insertEventsOfPosts } from '../events/insert-events.js';
import { POST_COLUMNS } from '../post-columns.js';
import { Parameters, run } from '../sql.js';

/** The columns that differ when a post was published, besides its version. */
const COLUMNS = POST_COLUMNS.filter(({ field }) =>
  ['storedState', 'postLink', 'remoteId', 'queuedAt', 'armedAt', 'retryAt'].includes(field),
);
const CHANGED = new Set(COLUMNS.map(({ field }) => field));

/** A change that records nothing but that the service has published a post. */
interface PublishedPost {
  readonly change: Change;
  readonly write: UpdateWrite;
  readonly attempt: number;
}

const OTHER_FIELDS = (Object.keys(EMPTY_CHANGE) as (keyof typeof EMPTY_CHANGE)[]).filter(
  (field) => field !== 'publications',
);

/** Null for any other change. */
function toPublishedPost(change: Change): PublishedPost | null {
  const [write, ...otherPosts] = change.posts;
  const [publication, ...otherPublications] = change.publications;
  if (write?.kind !== 'update' || !publication || change.actor !== SERVICE) return null;
  const { attempt, result, lease, copyTo } = publication;
  const isPublication =
    result === 'published' && attempt !== null && lease === null && copyTo === undefined;
  const isOnlyThat =
    otherPosts.length === 0 &&
    otherPublications.length === 0 &&
    OTHER_FIELDS.every((field) => change[field].length === 0) &&
    !change.requiredAccountStatus &&
    change.requiredLock === undefined;
  const isPlainUpdate =
    write.slots === null &&
    write.note === undefined &&
    write.changed.length === CHANGED.size &&
    write.changed.every((field) => CHANGED.has(field));
  return isPublication && isOnlyThat && isPlainUpdate ? { change, write, attempt } : null;
}

const toRecord = ({ change: { at, actor }, write, attempt }: PublishedPost) => ({
  postId: write.before.databaseId,
  attempt,
  at,
  readVersion: write.before.version,
  readQueuedAt: write.before.queuedAt,
  readArmedAt: write.before.armedAt,
  version: write.after.version,
  changes: revisionChanges(write),
  type: updateEventOf(write),
  api: actor.api,
  ...Object.fromEntries(COLUMNS.map(({ column, valueOf }) => [column, valueOf(write.after)])),
});
const RECORD = [
  '"postId" bigint, attempt int, at timestamptz, "readVersion" int, "readQueuedAt" timestamptz, "readArmedAt" timestamptz, version int, changes jsonb, type text, api text',
  ...COLUMNS.map(({ column, type }) => `${column} ${type}`),
].join(', ');

/**
 * Ends the attempts, updates the posts that are as they were read, and writes their history, events
 * and results. Posts whose row another transaction has locked are left out.
 */
const publish = (events: string): string => `
WITH read AS MATERIALIZED (
  SELECT a.* FROM ${callRows(RECORD)} a, LATERAL (
    SELECT FROM post p
     WHERE p.id = a."postId" AND p.version = a."readVersion" AND p.queued_at IS NOT DISTINCT FROM a."readQueuedAt"
       AND p.armed_at IS NOT DISTINCT FROM a."readArmedAt" AND p.deleted_at IS NULL AND EXISTS (SELECT FROM publication u WHERE u.post_id = p.id)
       FOR NO KEY UPDATE SKIP LOCKED
  ) p
),
closed AS (
  UPDATE publication_attempt t SET finished_at = r.at, error = NULL FROM read r
   WHERE t.post_id = r."postId" AND t.number = r.attempt AND t.finished_at IS NULL
  RETURNING t.post_id
),
target AS (
  UPDATE post p SET version = r.version, updated_at = r.at, ${COLUMNS.map(({ column }) => `${column} = r.${column}`).join(', ')}
    FROM read r JOIN closed ON closed.post_id = r."postId" WHERE p.id = r."postId"
  RETURNING p.id AS post_id
),
history AS (
  INSERT INTO revision (post_id, version, user_id, at, changes, type, api, note)
  SELECT r."postId", r.version, NULL, r.at, r.changes, r.type, r.api, NULL FROM read r JOIN target ON target.post_id = r."postId"
),
events AS (${events}),
results AS (
  UPDATE publication u SET result = 'published', error = NULL, published_at = r.at FROM read r JOIN target ON target.post_id = r."postId"
   WHERE u.post_id = r."postId"
)
SELECT post_id::int AS id FROM target`;

/** Whether each post was saved; undefined for those that need a statement of their own. */
async function savePublished(
  pool: pg.Pool,
  posts: readonly PublishedPost[],
): Promise<(true | undefined)[]> {
  const parameters = new Parameters(toCallRows(posts.map(toRecord)));
  const events = insertEventsOfPosts(
    posts.map(({ change }) => ({ change, event: eventsOf(change)[0]! })),
    'target',
    parameters,
  );
  const rows = await run<{ id: number }>(
    changeConnectionsOf(pool),
    publish(events),
    parameters.values,
  );
  const saved = new Set(rows.map(({ id }) => id));
  return posts.map(({ write }) => saved.has(write.before.databaseId) || undefined);
}

type SavePublished = (post: PublishedPost) => Promise<boolean>;
const sharedSaves = new WeakMap<pg.Pool, SavePublished>();

/**
 * Saves a change that records that a post was published, in one statement with those that are saved
 * at the same time. False if it is another change, or was not saved: it is to be saved like others.
 */
export async function saveIfPublished(pool: pg.Pool, change: Change): Promise<boolean> {
  const post = toPublishedPost(change);
  if (!post) return false;
  const save =
    sharedSaves.get(pool) ??
    shareStatements<PublishedPost, boolean>({
      together: (posts) => savePublished(pool, posts),
      alone: async () => false,
    });
  sharedSaves.set(pool, save);
  return save(post);
}
