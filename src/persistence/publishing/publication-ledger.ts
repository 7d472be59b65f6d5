import type pg from 'pg';
import { STATES_AHEAD } from '../../domain/caps/cap-slots.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import type {
  ArmedAttempt,
  OpenAttempt,
  PublicationJobSubject,
  PublicationLedger,
} from '../../services/publishing/publishing-ports.js';
import { changeConnectionsOf } from '../connections/change-connections.js';
import { LEASE_SECONDS } from '../jobs/job-claims.js';
import { toPostView, type PostRow } from '../posts/post-rows.js';
import { ALL_FIELDS, toSelectList } from '../posts/post-select-list.js';
import { readPostRows } from '../posts/related-rows.js';
import { run } from '../sql.js';
import { IS_PUBLISHING_PAUSED } from './due-conditions.js';
import { LEASE } from './publication-writes.js';

type AttemptRow = Pick<OpenAttempt, 'number'> & {
  [K in keyof ArmedAttempt]: K extends 'at' | 'notThereAt' ? string | null : ArmedAttempt[K] | null;
};
interface SubjectRow extends PostRow {
  publicationJob: Omit<
    PublicationJobSubject,
    'post' | 'openAttempt' | 'now' | 'handedOverAt' | 'mayBeLiveSince'
  > & {
    handedOverAt: string;
    mayBeLiveSince: string | null;
    now: string;
  };
  openAttemptRow: AttemptRow | null;
}

const ATTEMPT = `(SELECT json_build_object('number', t.number, 'at', t.armed_at, 'guarantee', t.guarantee, 'handle', t.handle,
    'looks', t.looks, 'notThereAt', t.not_there_at, 'error', t.error)
   FROM publication_attempt t WHERE t.post_id = p.id AND t.finished_at IS NULL)`;

/** Posts of a time before a restore were possibly published, until one attempt has looked for them. */
const MAY_BE_LIVE_SINCE = `(SELECT GREATEST(min(r.backup_at), p.scheduled_at) FROM publishing_pause r
   WHERE r.backup_at IS NOT NULL AND p.scheduled_at <= r.paused_at
     AND NOT EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = p.id AND NOT t.is_sent AND t.finished_at > r.paused_at)
  HAVING count(*) > 0)`;
const PUBLICATION_JOB = `(SELECT json_build_object('jobId', u.job_id, 'handedOverAt', u.handed_over_at, 'earlierAttempts', u.earlier_attempts,
    'isPaused', ${IS_PUBLISHING_PAUSED}, 'mayBeLiveSince', ${MAY_BE_LIVE_SINCE},
    'lateMinutes', w.late_minutes, 'timeZone', w.time_zone, 'now', clock_timestamp(),
    'plan', (SELECT o.plan FROM membership m JOIN app_user o ON o.id = m.user_id WHERE m.workspace_id = w.id AND m.role = 'owner'))
   FROM publication u WHERE u.post_id = p.id)`;

/** The first file of a post that is not there. */
const MISSING_MEDIA = `
SELECT COALESCE(f.error, 'The file was not sent before its upload address expired.') AS error
  FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id
 WHERE pm.post_id = $1 AND f.status <> 'ready' ORDER BY pm.position LIMIT 1`;

/** The publications that precede the post, in the 24 hours before its time (D39). */
const EARLIER = `
SELECT s.at FROM cap_slot s JOIN post o ON o.id = s.post_id
 WHERE s.account_id = $1 AND s.post_kind = $2 AND s.at > $3::timestamptz - interval '24 hours'
   AND (s.at, s.post_id) < ($3::timestamptz, $4::bigint)
   AND (o.queued_at IS NOT NULL OR o.retry_at IS NOT NULL OR o.stored_state NOT IN (${storedStateNumbers(STATES_AHEAD).join(', ')}))`;

/** $1: job, $2: its attempt, $3: post, $4: rate bucket of the account, $5: maximum in progress. */
const START = `
WITH busy AS (SELECT count(*) AS jobs FROM job WHERE rate_bucket = $4 AND leased_until > now() AND id <> $1),
lease AS (
  UPDATE job SET rate_bucket = $4
   WHERE id = $1 AND attempts = $2 AND status = 'working' AND leased_until IS NOT NULL AND (SELECT jobs FROM busy) < $5::int
  RETURNING 1
),
kept AS (SELECT number FROM publication_attempt WHERE post_id = $3 AND finished_at IS NULL),
counted AS (
  UPDATE publication SET attempts = attempts + 1
   WHERE post_id = $3 AND job_id = $1 AND EXISTS (SELECT FROM lease) AND NOT EXISTS (SELECT FROM kept)
  RETURNING attempts
),
opened AS (INSERT INTO publication_attempt (post_id, number) SELECT $3, attempts FROM counted RETURNING number)
SELECT number FROM opened UNION ALL SELECT number FROM kept WHERE EXISTS (SELECT FROM lease)`;

/**
 * $1: job, $2: its attempt, $3: post, $4: version, $5: queued_at, $6: number, $7: guarantee, $8:
 * handle, $9: since when the post may be live, null to send it. An attempt that only looks does not
 * count, and how late the post is counts from now. Updates the row of the post, so that a change of the post that was decided before fails.
 */
const ARM = `
WITH lease AS (
  UPDATE job SET leased_until = now() + interval '${LEASE_SECONDS} seconds'
   WHERE id = $1 AND attempts = $2 AND status = 'working' AND leased_until IS NOT NULL RETURNING 1
),
target AS (
  UPDATE post SET armed_at = clock_timestamp()
   WHERE id = $3::bigint AND version = $4 AND queued_at = $5::timestamptz AND armed_at IS NULL AND deleted_at IS NULL
     AND EXISTS (SELECT FROM lease)
     AND EXISTS (SELECT FROM publication_attempt WHERE post_id = $3::bigint AND number = $6 AND finished_at IS NULL)
  RETURNING armed_at
),
uncounted AS (
  UPDATE publication SET earlier_attempts = attempts, handed_over_at = now() WHERE post_id = $3::bigint AND $9::timestamptz IS NOT NULL AND EXISTS (SELECT FROM target)
)
UPDATE publication_attempt SET armed_at = COALESCE($9::timestamptz, target.armed_at), is_sent = $9::timestamptz IS NULL, guarantee = $7::delivery_guarantee, handle = $8::jsonb
  FROM target WHERE post_id = $3::bigint AND number = $6 AND finished_at IS NULL
RETURNING publication_attempt.armed_at AS at`;

/** $1: job, $2: its attempt, $3: post; $4 to $7: new values, null to keep the old one. */
const RECORD_LOOK = `
WITH ${LEASE}
UPDATE publication_attempt
   SET looks = COALESCE($4::int, looks), not_there_at = COALESCE($5::timestamptz, not_there_at),
       is_processing = COALESCE($6::boolean, is_processing), error = COALESCE($7::jsonb, error)
 WHERE post_id = $3 AND finished_at IS NULL AND EXISTS (SELECT FROM lease)
RETURNING 1`;

/** $1: job, $2: its attempt, $3: post, $4: queued_at, $5: number, $6: error, $7: pause in ms. */
const RELEASE = `
WITH ${LEASE},
target AS (
  UPDATE post SET queued_at = NULL, armed_at = NULL, retry_at = now() + $7::float8 * interval '1 millisecond'
   WHERE id = $3::bigint AND queued_at = $4::timestamptz AND EXISTS (SELECT FROM lease)
  RETURNING id
),
closed AS (
  UPDATE publication_attempt SET finished_at = now(), error = $6::jsonb
    FROM target WHERE post_id = target.id AND number = $5::int AND finished_at IS NULL
)
UPDATE publication SET error = COALESCE($6::jsonb, error) FROM target WHERE post_id = target.id
RETURNING 1`;

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));

function toSubject({ publicationJob, openAttemptRow, ...row }: SubjectRow): PublicationJobSubject {
  const { number = 0, at, notThereAt = null, ...attempt } = openAttemptRow ?? { at: null };
  return {
    ...publicationJob,
    post: toPostView(row as PostRow) as Post,
    handedOverAt: new Date(publicationJob.handedOverAt),
    mayBeLiveSince: toDate(publicationJob.mayBeLiveSince),
    now: new Date(publicationJob.now),
    openAttempt: openAttemptRow && {
      number,
      armed: at
        ? ({ ...attempt, at: new Date(at), notThereAt: toDate(notThereAt) } as ArmedAttempt)
        : null,
    },
  };
}

/** The ledger of attempts in PostgreSQL. Every method is one statement. */
export function createPublicationLedger(pool: pg.Pool): PublicationLedger {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const SUBJECT = `SELECT ${columns}, ${PUBLICATION_JOB} AS "publicationJob", ${ATTEMPT} AS "openAttemptRow" FROM post p ${join} WHERE p.id = $1 AND p.deleted_at IS NULL`;
  const changes = changeConnectionsOf(pool);
  return {
    async findSubject(postId) {
      const [row] = await readPostRows<SubjectRow>(
        pool,
        { text: SUBJECT, values: [postId] },
        ALL_FIELDS,
      );
      return row?.publicationJob ? toSubject(row) : null;
    },
    async earlierPublications({ accountId, scheduledAt, databaseId }, postKind) {
      const rows = await run<{ at: Date }>(pool, EARLIER, [
        accountId,
        postKind,
        scheduledAt,
        databaseId,
      ]);
      return rows.map(({ at }) => at);
    },
    async missingMedia({ databaseId }) {
      const [row] = await run<{ error: string }>(pool, MISSING_MEDIA, [databaseId]);
      return row?.error ?? null;
    },
    async start({ id, attempt }, { databaseId, accountId }, { intervalMs, maxConcurrent }) {
      const [opened] = await run<{ number: number }>(changes, START, [
        id,
        attempt,
        databaseId,
        `publish ${accountId}`,
        maxConcurrent,
      ]);
      return opened
        ? { kind: 'started', number: opened.number }
        : { kind: 'postponed', inMs: Math.max(intervalMs, BUSY_ACCOUNT_DELAY_MS) };
    },
    async arm({ id, attempt }, { databaseId, version, queuedAt }, armed) {
      const { number, guarantee, handle, mayBeLiveSince = null } = armed;
      const [row] = await run<{ at: Date }>(changes, ARM, [
        id,
        attempt,
        databaseId,
        version,
        queuedAt,
        number,
        guarantee,
        JSON.stringify(handle),
        mayBeLiveSince,
      ]);
      return row?.at ?? null;
    },
    async recordLook({ id, attempt }, postId, { looks, notThereAt, isProcessing, error }) {
      const rows = await run(changes, RECORD_LOOK, [
        id,
        attempt,
        postId,
        looks ?? null,
        notThereAt ?? null,
        isProcessing ?? null,
        error ? JSON.stringify(error) : null,
      ]);
      return rows.length > 0;
    },
    async release({ id, attempt: jobAttempt }, post, { attempt, error, inMs }) {
      const rows = await run(changes, RELEASE, [
        id,
        jobAttempt,
        post.databaseId,
        post.queuedAt,
        attempt,
        error && JSON.stringify(error),
        inMs,
      ]);
      return rows.length > 0;
    },
  };
}

/** Delay of a post whose account has as many posts in progress as its pace allows. */
const BUSY_ACCOUNT_DELAY_MS = 200;
