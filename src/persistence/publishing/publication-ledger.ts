import { STATES_AHEAD } from '../../domain/caps/daily-caps.js';
import type { Plan } from '../../domain/enums.js';
import type {
  DeliveryGuarantee,
  PublicationHandle,
  PublicationPace,
} from '../../domain/networks/network-definition.js';
import type { Post } from '../../domain/posts/post.js';
import { storedStateNumbers } from '../../domain/posts/states.js';
import type { PublicationError } from '../../domain/publishing/publication-record.js';
import { isOnNetwork } from '../../domain/rules/removal-rules.js';
import type { Database } from '../database.js';
import { LEASE_SECONDS, type JobRun } from '../jobs/job-queue.js';
import { type PostRow, toPostView, ALL_FIELDS, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';
import { IS_PUBLISHING_PAUSED } from './due-conditions.js';
import { LEASE } from './publication-writes.js';
import { callRows, toCallRows } from '../shared-statements/statement-sharing.js';

/** An attempt that has not ended. */
interface OpenAttempt {
  /** 1 for the first attempt at the post. */
  readonly number: number;
  /** Null until the attempt is armed: then the post may have been sent. */
  readonly armed: ArmedAttempt | null;
  /** What the network has already got of a post that is still being prepared (D85). */
  readonly preparation: PublicationHandle | null;
}

/** An attempt whose post may have been sent. */
export interface ArmedAttempt {
  /** When the call was made, at the earliest. */
  readonly at: Date;
  readonly guarantee: DeliveryGuarantee;
  readonly handle: PublicationHandle;
  /** Times that the network was asked without a clear answer. */
  readonly looks: number;
  /**
   * When the network first said that the post is not there, or when the call was made once more to
   * find out; null if neither happened.
   */
  readonly notThereAt: Date | null;
  /** The failure of the call that publishes; null if it did not end, or has not been recorded. */
  readonly error: PublicationError | null;
}

/** A post that was handed over for publication. */
export interface PublicationJobSubject {
  readonly post: Post;
  /** The job that the post was last handed over with. */
  readonly jobId: string;
  /** The first time at which the post was handed over for its scheduled time (D56). */
  readonly handedOverAt: Date;
  readonly lateMinutes: number;
  readonly plan: Plan;
  /**
   * How many posts of the account use its daily cap in the 24 hours up to the time of the post, the
   * post included: not fewer than are published. Null if the post uses no cap at its time.
   */
  readonly capUse: { readonly postKind: string; readonly slots: number } | null;
  /** IANA zone of the workspace. */
  readonly timeZone: string;
  /** Attempts for earlier times of the post. */
  readonly earlierAttempts: number;
  readonly openAttempt: OpenAttempt | null;
  /** Why a media file of the post is not available; null if all files can be read. */
  readonly missingMedia: string | null;
  /** Whether publication is paused (D56). */
  readonly isPaused: boolean;
  /**
   * Set if the post became due before the database was restored from a backup, and has not been
   * looked for since: it may have been published from this time on (D56).
   */
  readonly mayBeLiveSince: Date | null;
  /** The time of the database, which the other times were read from. */
  readonly now: Date;
}

/** Result of starting an attempt. */
type AttemptStart =
  | { readonly kind: 'started'; readonly number: number }
  /** The account has as many posts in progress as its pace allows. */
  | { readonly kind: 'postponed'; readonly inMs: number };

/** What changed about an armed attempt after a call. Absent properties are unchanged. */
interface RecordedLook {
  readonly looks?: number;
  readonly notThereAt?: Date | null;
  readonly isProcessing?: boolean;
  readonly error?: PublicationError;
  readonly handle?: PublicationHandle;
}

/** Why and until when a post is taken back from publication. */
interface Release {
  /** Null if no attempt is open. */
  readonly attempt: number | null;
  readonly error: PublicationError | null;
  /** Null if the post may be handed over immediately. */
  readonly inMs: number | null;
}

/** Start of the name of the rate bucket of an account, to which its ID is added. */
export const BUCKET_PREFIX = 'publish ';

/** The rate bucket of the publications and removals of an account. */
export const publicationBucketOf = (accountId: string): string => `${BUCKET_PREFIX}${accountId}`;

const MIN_DELAY_MS = 200;
/** Delay of a call whose account has as many publications in progress as its pace allows. */
export const busyAccountDelayMs = ({ intervalMs }: PublicationPace): number =>
  Math.max(intervalMs, MIN_DELAY_MS);

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

/**
 * Posts of a time before a restore were possibly published, until one attempt has looked for them.
 */
const MAY_BE_LIVE_SINCE = `(SELECT GREATEST(min(r.backup_at), p.scheduled_at) FROM publishing_pause r
   WHERE r.backup_at IS NOT NULL AND p.scheduled_at <= r.paused_at
     AND NOT EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = p.id AND NOT t.is_sent AND t.finished_at > r.paused_at)
  HAVING count(*) > 0)`;
/** Why the first missing media file of a post is not available. */
const MISSING_MEDIA = `(SELECT COALESCE(f.error, 'The file was not sent before its upload URL expired.')
   FROM post_media pm JOIN media_file f ON f.media_id = pm.media_id
  WHERE pm.post_id = p.id AND f.status <> 'ready' ORDER BY pm.position LIMIT 1)`;
/**
 * How much of its daily cap the account has used or planned at the time of the post, the post
 * included.
 */
const CAP_USE = `(SELECT json_build_object('postKind', own.post_kind, 'slots', (
    SELECT count(*) FROM cap_slot s
     WHERE s.account_id = own.account_id AND s.post_kind = own.post_kind AND s.at > own.at - interval '24 hours' AND s.at <= own.at))
   FROM cap_slot own WHERE own.post_id = p.id AND own.account_id = p.account_id AND own.at = p.scheduled_at)`;
const PUBLICATION_JOB = `(SELECT json_build_object('jobId', u.job_id, 'handedOverAt', u.handed_over_at, 'earlierAttempts', u.earlier_attempts,
    'isPaused', ${IS_PUBLISHING_PAUSED}, 'mayBeLiveSince', ${MAY_BE_LIVE_SINCE}, 'missingMedia', ${MISSING_MEDIA},
    'lateMinutes', w.late_minutes, 'timeZone', w.time_zone, 'now', clock_timestamp(),
    'capUse', ${CAP_USE},
    'plan', (SELECT o.plan FROM membership m JOIN app_user o ON o.id = m.user_id WHERE m.workspace_id = w.id AND m.role = 'owner'))
   FROM publication u WHERE u.post_id = p.id)`;

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
      preparation: at ? null : ((attempt as Partial<ArmedAttempt>).handle ?? null),
      armed: at
        ? ({ ...attempt, at: new Date(at), notThereAt: toDate(notThereAt) } as ArmedAttempt)
        : null,
    },
  };
}

/** Finds posts that were handed over; concurrent callers share a statement. */
function createSubjectReader(
  database: Database,
): (postId: number) => Promise<PublicationJobSubject | null> {
  const { columns, join } = toSelectList(ALL_FIELDS);
  const text = `SELECT ${columns}, ${PUBLICATION_JOB} AS "publicationJob", ${ATTEMPT} AS "openAttemptRow" FROM post p ${join} WHERE p.id = ANY($1::bigint[]) AND p.deleted_at IS NULL`;
  async function together(postIds: readonly number[]): Promise<(PublicationJobSubject | null)[]> {
    const rows = await readPostRows<SubjectRow>(database, { text, values: [postIds] }, ALL_FIELDS);
    const byId = new Map(rows.map((row) => [row.databaseId, row]));
    return postIds.map((id) => {
      const row = byId.get(id);
      return row?.publicationJob ? toSubject(row) : null;
    });
  }
  return database.share({ together, alone: async (postId) => (await together([postId]))[0]! });
}

/**
 * What a statement does about rows that another transaction has locked: nothing is to wait for
 * them.
 */
type Locked = 'SKIP LOCKED' | '';

/**
 * The calls of a statement, each with the row of its job, which is locked until the statement ends.
 * Subqueries that lock rows are run for each call, with an index.
 */
const leased = (columns: string, locked: Locked): string => `
leased AS MATERIALIZED (
  SELECT a.*, j.is_held, j.due_at FROM ${callRows(`"jobId" text, "jobAttempt" int, "postId" bigint, ${columns}`)} a, LATERAL (
    SELECT attempts = a."jobAttempt" AND status = 'working' AND leased_until IS NOT NULL AS is_held, due_at
      FROM job WHERE id = a."jobId" FOR NO KEY UPDATE ${locked}
  ) j
)`;

/**
 * Opens attempts of the jobs that hold their lease, as many for each account as its pace allows,
 * those that were due first. Returns no number for the others. Locks the rows of the posts as the
 * foreign key of the attempts does.
 */
const start = (locked: Locked): string => `
WITH ${leased('bucket text, "maxConcurrent" int', locked)},
busy AS (
  SELECT b.bucket, count(*) AS jobs FROM (SELECT DISTINCT bucket FROM leased) b JOIN job j ON j.rate_bucket = b.bucket
   WHERE j.leased_until > now() AND j.id <> ALL (SELECT "jobId" FROM leased) GROUP BY b.bucket
),
present AS MATERIALIZED (SELECT l.* FROM leased l, LATERAL (SELECT FROM post WHERE id = l."postId" FOR KEY SHARE ${locked}) p),
started AS MATERIALIZED (
  SELECT s.* FROM (
    SELECT l.*, row_number() OVER (PARTITION BY bucket ORDER BY due_at, "jobId") AS nth FROM present l WHERE is_held
  ) s LEFT JOIN busy USING (bucket) WHERE nth + COALESCE(busy.jobs, 0) <= "maxConcurrent"
),
marked AS (UPDATE job j SET rate_bucket = s.bucket FROM started s WHERE j.id = s."jobId"),
kept AS (SELECT t.post_id, t.number FROM started s JOIN publication_attempt t ON t.post_id = s."postId" WHERE t.finished_at IS NULL),
counted AS (
  UPDATE publication u SET attempts = attempts + 1 FROM started s
   WHERE u.post_id = s."postId" AND u.job_id = s."jobId" AND NOT EXISTS (SELECT FROM kept WHERE kept.post_id = u.post_id)
  RETURNING u.post_id, u.attempts
),
opened AS (INSERT INTO publication_attempt (post_id, number) SELECT post_id, attempts FROM counted RETURNING post_id, number)
SELECT l.n, COALESCE(opened.number, kept.number) AS number
  FROM present l LEFT JOIN opened ON opened.post_id = l."postId" LEFT JOIN kept ON kept.post_id = l."postId"`;

/**
 * Arms attempts, of the jobs that hold their lease and the posts that are as they were read. The
 * row of the post is updated, so that a change of it that was decided before fails. Without
 * `since`, the post is sent; an attempt that only looks does not count, and how late the post is
 * counts from now.
 */
const arm = (locked: Locked): string => `
WITH ${leased('version int, "queuedAt" timestamptz, number int, guarantee delivery_guarantee, handle jsonb, since timestamptz', locked)},
target AS MATERIALIZED (
  SELECT l.*, p.is_ready FROM leased l, LATERAL (
    SELECT l.is_held AND version = l.version AND queued_at = l."queuedAt" AND armed_at IS NULL AND deleted_at IS NULL
           AND EXISTS (SELECT FROM publication_attempt t WHERE t.post_id = l."postId" AND t.number = l.number AND t.finished_at IS NULL) AS is_ready
      FROM post WHERE id = l."postId" FOR NO KEY UPDATE ${locked}
  ) p
),
renewed AS (
  UPDATE job j SET leased_until = now() + interval '${LEASE_SECONDS} seconds' FROM target t
   WHERE j.id = t."jobId" AND t.is_ready AND j.leased_until < now() + interval '${LEASE_SECONDS / 2} seconds'
),
armed AS (UPDATE post p SET armed_at = clock_timestamp() FROM target t WHERE p.id = t."postId" AND t.is_ready RETURNING p.id, p.armed_at),
uncounted AS (
  UPDATE publication u SET earlier_attempts = attempts, handed_over_at = now() FROM target t
   WHERE u.post_id = t."postId" AND t.is_ready AND t.since IS NOT NULL
),
written AS (
  UPDATE publication_attempt o SET armed_at = COALESCE(t.since, armed.armed_at), is_sent = t.since IS NULL, guarantee = t.guarantee, handle = t.handle
    FROM target t JOIN armed ON armed.id = t."postId" WHERE o.post_id = t."postId" AND o.number = t.number AND o.finished_at IS NULL
  RETURNING o.post_id, o.armed_at
)
SELECT t.n, written.armed_at AS at FROM target t LEFT JOIN written ON written.post_id = t."postId"`;

/** The job and the post that a call is about. */
interface AttemptCall {
  readonly jobId: string;
  readonly jobAttempt: number;
  readonly postId: number;
}
const callOf = (
  { id, attempt }: Pick<JobRun, 'id' | 'attempt'>,
  { databaseId }: Pick<Post, 'databaseId'>,
): AttemptCall => ({ jobId: id, jobAttempt: attempt, postId: databaseId });

/**
 * Runs a statement for calls that share it. `absent`: the result if the job or the post is gone.
 */
function sharedBy<Call extends AttemptCall, Row extends { n: number }, Result>(
  database: Database,
  statement: (locked: Locked) => string,
  { toResult, absent }: { toResult: (row: Row) => Result; absent: Result },
): (call: Call) => Promise<Result> {
  const [shared, waiting] = [statement('SKIP LOCKED'), statement('')];
  async function runAll(text: string, calls: readonly Call[]): Promise<(Result | undefined)[]> {
    const rows = await database.change<Row>(text, [toCallRows(calls)]);
    const results = new Map(rows.map((row) => [row.n, toResult(row)]));
    return calls.map((_, n) => results.get(n));
  }
  return database.share<Call, Result>({
    together: (calls) => runAll(shared, calls),
    alone: async (call) => (await runAll(waiting, [call]))[0] ?? absent,
  });
}

type StartCall = AttemptCall & { readonly bucket: string; readonly maxConcurrent: number };
/** The call that an attempt is armed for. */
interface ArmedCall {
  readonly number: number;
  readonly guarantee: DeliveryGuarantee;
  readonly handle: PublicationHandle;
  readonly mayBeLiveSince?: Date | null;
}
type ArmCall = AttemptCall &
  Pick<Post, 'version' | 'queuedAt'> &
  Omit<ArmedCall, 'mayBeLiveSince'> & { readonly since: Date | null };

/** Starts and arms attempts to publish posts; concurrent callers share statements. */
function createAttempts(database: Database) {
  const startOne = sharedBy<
    StartCall,
    { n: number; number: number | null },
    { number: number | null }
  >(database, start, { toResult: ({ number }) => ({ number }), absent: { number: null } });
  const armOne = sharedBy<ArmCall, { n: number; at: Date | null }, { at: Date | null }>(
    database,
    arm,
    {
      toResult: ({ at }) => ({ at }),
      absent: { at: null },
    },
  );
  return {
    /** Opens an attempt, or goes on with one that was never armed. */
    async start(jobRun: JobRun, post: Post, pace: PublicationPace): Promise<AttemptStart> {
      const { number } = await startOne({
        ...callOf(jobRun, post),
        bucket: publicationBucketOf(post.accountId!),
        maxConcurrent: pace.maxConcurrent,
      });
      return number === null
        ? { kind: 'postponed', inMs: busyAccountDelayMs(pace) }
        : { kind: 'started', number };
    },
    /**
     * Arms the attempt: from now on the post may have been sent. Returns the time, or null if the
     * run lost its lease, or the post was changed, deleted or taken back since it was read.
     * `mayBeLiveSince`: nothing is sent in this attempt, which looks for the post only.
     */
    async arm(
      jobRun: JobRun,
      post: Post,
      { mayBeLiveSince = null, ...attempt }: ArmedCall,
    ): Promise<Date | null> {
      const { version, queuedAt } = post;
      const { at } = await armOne({
        ...callOf(jobRun, post),
        ...attempt,
        version,
        queuedAt,
        since: mayBeLiveSince,
      });
      return at;
    },
  };
}

/** The latest publication of a recycling post, deleted ones included. */
const PREVIOUS =
  'p.id = (SELECT c.id FROM post c WHERE c.recycled_from_id = $1 ORDER BY c.id DESC LIMIT 1)';

/** The publications that precede the post, in the 24 hours before its time (D39). */
const EARLIER = `
SELECT s.at FROM cap_slot s JOIN post o ON o.id = s.post_id
 WHERE s.account_id = $1 AND s.post_kind = $2 AND s.at > $3::timestamptz - interval '24 hours'
   AND (s.at, s.post_id) < ($3::timestamptz, $4::bigint)
   AND (o.queued_at IS NOT NULL OR o.retry_at IS NOT NULL OR o.stored_state NOT IN (${storedStateNumbers(STATES_AHEAD).join(', ')}))`;

/** $1: job, $2: its attempt, $3: post; $4 to $8: new values, null to keep the old one. */
const RECORD_LOOK = `
WITH ${LEASE}
UPDATE publication_attempt
   SET looks = COALESCE($4::int, looks), not_there_at = COALESCE($5::timestamptz, not_there_at),
       is_processing = COALESCE($6::boolean, is_processing), error = COALESCE($7::jsonb, error),
       handle = COALESCE($8::jsonb, handle)
 WHERE post_id = $3 AND finished_at IS NULL AND EXISTS (SELECT FROM lease)
RETURNING 1`;

/** $1: job, $2: its attempt, $3: post, $4: handle. */
const RECORD_PREPARATION = `
WITH ${LEASE}
UPDATE publication_attempt SET handle = $4::jsonb
 WHERE post_id = $3 AND finished_at IS NULL AND armed_at IS NULL AND EXISTS (SELECT FROM lease)`;

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

/**
 * The ledger of attempts to publish posts (D53). Methods with a run need its lease. Every method is
 * one statement; those that each publication needs share it with concurrent calls.
 */
export function createPublicationLedger(database: Database) {
  const { columns, join } = toSelectList(ALL_FIELDS);
  return {
    /** Null if the post is deleted, or was never handed over. */
    findSubject: createSubjectReader(database),
    ...createAttempts(database),
    /**
     * Times of the account's publications under one daily cap that precede this post: published, or
     * handed over for an earlier time.
     */
    async earlierPublications(
      { accountId, scheduledAt, databaseId }: Post,
      postKind: string,
    ): Promise<Date[]> {
      const rows = await database.read<{ at: Date }>(EARLIER, [
        accountId,
        postKind,
        scheduledAt,
        databaseId,
      ]);
      return rows.map(({ at }) => at);
    },
    /**
     * The latest publication of a recycling post; null if there is none, or if its network no
     * longer has it.
     */
    async previousPublication({ id }: Post): Promise<Post | null> {
      const [post] = await readPostRows<PostRow>(
        database,
        { text: `SELECT ${columns} FROM post p ${join} WHERE ${PREVIOUS}`, values: [id] },
        ALL_FIELDS,
      );
      return post && isOnNetwork(toPostView(post).storedState) ? (toPostView(post) as Post) : null;
    },
    /** Records what is prepared, of an attempt that is not armed. */
    async recordPreparation(
      { id, attempt }: JobRun,
      postId: number,
      handle: PublicationHandle,
    ): Promise<void> {
      await database.change(RECORD_PREPARATION, [id, attempt, postId, JSON.stringify(handle)]);
    },
    /** Records what is known about an armed attempt. False if the run lost its lease. */
    async recordLook(
      { id, attempt }: JobRun,
      postId: number,
      { looks, notThereAt, isProcessing, error, handle }: RecordedLook,
    ): Promise<boolean> {
      const rows = await database.change(RECORD_LOOK, [
        id,
        attempt,
        postId,
        looks ?? null,
        notThereAt ?? null,
        isProcessing ?? null,
        error ? JSON.stringify(error) : null,
        handle ? JSON.stringify(handle) : null,
      ]);
      return rows.length > 0;
    },
    /**
     * Takes the post back from publication without a result: it becomes due again, not before
     * `inMs` milliseconds from now. Ends the open attempt. Raises no version (D57).
     */
    async release(
      { id, attempt: jobAttempt }: JobRun,
      post: Post,
      { attempt, error, inMs }: Release,
    ): Promise<boolean> {
      const rows = await database.change(RELEASE, [
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
export type PublicationLedger = ReturnType<typeof createPublicationLedger>;
