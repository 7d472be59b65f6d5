import {
  clockOffset,
  type DatabaseFacts,
  type DiagnosticFacts,
  type Finding,
  type JobFacts,
  type MediaFacts,
  type MediaStorageState,
  type MigrationFacts,
  type ReadOnlyReason,
} from '../../domain/diagnostics/diagnostic-facts.js';
import { describePause } from '../publishing/watch-pause.js';
import type { PublishingStatus } from '../../domain/publishing/publication.js';

/**
 * Thresholds in milliseconds: leases of jobs and grants, of 10 seconds and more, tolerate less than
 * a second; rate windows and the expiry of keys tolerate more.
 */
const SKEW_THRESHOLDS_MS = { warn: 1_000, fail: 8_000 };

/** Compares the clocks of this machine, the database and Redis with each other. */
function clockFinding(database: DatabaseFacts, redis: DiagnosticFacts['redis']): Finding {
  const subject = 'clock';
  const remotes = [
    { name: 'database', ...clockOffset(database.clock) },
    ...(redis !== null && typeof redis !== 'string'
      ? [{ name: 'Redis', ...clockOffset(redis.clock) }]
      : []),
  ];
  const clocks = [{ name: 'this machine', ahead: 0, uncertainty: 0 }, ...remotes];
  const skew = Math.max(
    ...clocks.flatMap((a) => clocks.map((b) => a.ahead - b.ahead - a.uncertainty - b.uncertainty)),
    0,
  );
  const message = remotes
    .map(
      ({ name, ahead }) =>
        `${name} ${Math.abs(Math.round(ahead))} ms ${ahead < 0 ? 'behind' : 'ahead'}`,
    )
    .join(', ');
  if (skew <= SKEW_THRESHOLDS_MS.warn) return { status: 'ok', subject, message };
  return {
    status: skew > SKEW_THRESHOLDS_MS.fail ? 'fail' : 'warn',
    subject,
    message,
    advice:
      'Synchronize the clocks with NTP: publication, leases and rate windows depend on the clocks of the database and of Redis.',
  };
}

/** Share of max_connections in use above which the finding is a warning. */
const MAX_CONNECTION_USAGE = 0.85;

const READ_ONLY: Readonly<Record<ReadOnlyReason, { message: string; advice: string }>> = {
  standby: {
    message: 'a standby, which accepts no changes',
    advice: 'Set DATABASE_URL to the primary server, or promote this one.',
  },
  setting: {
    message: 'read-only',
    advice: 'Turn default_transaction_read_only off, or set DATABASE_URL to another database.',
  },
};

/** Checks that the database accepts writes and has connections left. */
function databaseFinding({
  version,
  isEmbedded,
  readOnly,
  connections: { used, max },
}: DatabaseFacts): Finding {
  const message = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}, ${used} of ${max} connections in use`;
  if (readOnly)
    return {
      status: 'fail',
      subject: 'database',
      message: `${message}, ${READ_ONLY[readOnly].message}`,
      advice: READ_ONLY[readOnly].advice,
    };
  if (used > max * MAX_CONNECTION_USAGE)
    return {
      status: 'warn',
      subject: 'database',
      message,
      advice: 'Raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.',
    };
  return { status: 'ok', subject: 'database', message };
}

/** Checks that the database has the schema of this build. */
function migrationsFinding({
  applied,
  pending,
  edited,
  failed,
  unknown,
  incompatible,
}: MigrationFacts): Finding {
  const subject = 'migrations';
  if (failed.length > 0)
    return {
      status: 'fail',
      subject,
      message: `failed: ${failed.join(', ')}`,
      advice: `Fix the database, then run \`posts-gateway migrate --rolled-back ${failed[0]}\`.`,
    };
  if (incompatible.length > 0)
    return {
      status: 'fail',
      subject,
      message: `of a later major version: ${incompatible.join(', ')}`,
      advice: 'Run that version: this build cannot use its schema.',
    };
  if (pending.length > 0)
    return {
      status: 'warn',
      subject,
      message: `pending: ${pending.join(', ')}`,
      advice: 'Run `migrate`, or start the gateway, which applies them.',
    };
  if (unknown.length > 0)
    return {
      status: 'warn',
      subject,
      message: `unknown to this release: ${unknown.join(', ')}`,
      advice:
        'A later release has migrated the database. This release works with it until every process is upgraded.',
    };
  if (edited.length > 0)
    return {
      status: 'warn',
      subject,
      message: `edited after they were applied: ${edited.join(', ')}`,
      advice: 'Restore the migration files of the release.',
    };
  return { status: 'ok', subject, message: `${applied} applied, none pending` };
}

/** What to do about an unreadable secret, if its key is lost: by the prefix of its owner's ID. */
const LOST_KEY_ADVICE: Readonly<Record<string, string>> = {
  acc: 'connect the accounts again',
  whk: 'replace the secrets of the webhooks with `webhooks rotate --grace-hours 0`',
};

/**
 * Checks that the configured keys decrypt all secrets. `ownerIds` are the accounts and webhooks
 * whose secrets they do not decrypt.
 */
function credentialsFinding(ownerIds: readonly string[]): Finding {
  const subject = 'credentials';
  if (ownerIds.length === 0)
    return {
      status: 'ok',
      subject,
      message: 'all stored credentials and secrets of webhooks can be decrypted',
    };
  const ids = `${ownerIds.slice(0, 3).join(', ')}${ownerIds.length > 3 ? ', …' : ''}`;
  const advice = Object.entries(LOST_KEY_ADVICE)
    .filter(([prefix]) => ownerIds.some((id) => id.startsWith(`${prefix}_`)))
    .map(([, text]) => text);
  return {
    status: 'fail',
    subject,
    message: `${ownerIds.length} cannot be decrypted (${ids})`,
    advice: `Set CREDENTIALS_KEY to the key that they were encrypted with, or ${advice.join(' and ')}.`,
  };
}

/** Workers start due jobs almost immediately, and most end within seconds: more is a problem. */
const MAX_LAG_SECONDS = 60;

/** Checks that jobs are run in time, and lists failures. */
function jobFindings(jobs: JobFacts): Finding[] {
  const isLate = jobs.oldestDueSeconds > MAX_LAG_SECONDS;
  return [workersFinding(jobs, isLate), queueFinding(jobs, isLate), failedJobsFinding(jobs)];
}

function workersFinding({ workers }: JobFacts, isLate: boolean): Finding {
  const subject = 'workers';
  return workers > 0
    ? {
        status: 'ok',
        subject,
        message: workers === 1 ? '1 process runs jobs' : `${workers} processes run jobs`,
      }
    : {
        status: isLate ? 'fail' : 'warn',
        subject,
        message: 'no process runs jobs',
        advice: 'Start a gateway (with JOB_CONCURRENCY above 0) or a worker.',
      };
}

function queueFinding({ workers, due, oldestDueSeconds }: JobFacts, isLate: boolean): Finding {
  const subject = 'queue';
  const message = `${due} due; the oldest due or running job has been due for ${Math.round(oldestDueSeconds)} s`;
  if (!isLate) return { status: 'ok', subject, message: due > 0 ? message : 'no jobs are due' };
  return {
    status: 'warn',
    subject,
    message,
    advice:
      workers > 0
        ? 'Start more workers or raise JOB_CONCURRENCY. The rate limit of a network or a job that hangs can also be the cause: see the log of the workers.'
        : 'Start a worker.',
  };
}

function failedJobsFinding({ failed }: JobFacts): Finding {
  const subject = 'failed jobs';
  return failed > 0
    ? {
        status: 'warn',
        subject,
        message: `${failed}`,
        advice: 'Run `jobs list` to see the reasons and `jobs retry` to retry them.',
      }
    : { status: 'ok', subject, message: 'none' };
}

/** Posts are handed over within seconds: more is a problem. */
const MAX_LATENESS_MS = 60_000;

/** Checks that due posts are published. `now`: milliseconds since 1970. */
function publishingFinding(status: PublishingStatus, now: number): Finding {
  const subject = 'publishing';
  const { pausedAt, duePosts, oldestDueAt } = status;
  const due =
    oldestDueAt === null
      ? 'no post is due'
      : `${duePosts} due posts, the first since ${oldestDueAt.toISOString()}`;
  if (pausedAt)
    return {
      status: 'warn',
      subject,
      message: `paused, ${due}`,
      advice: describePause(status),
    };
  if (oldestDueAt && now - oldestDueAt.getTime() > MAX_LATENESS_MS)
    return {
      status: 'warn',
      subject,
      message: due,
      advice:
        'Start a gateway (with JOB_CONCURRENCY above 0 and without PUBLISH_POSTS=0) or a worker, or look at their logs.',
    };
  return { status: 'ok', subject, message: due };
}

const JOB_SUBJECTS = ['workers', 'queue', 'failed jobs'];
/** The subjects that only the database tells. */
const DATABASE_SUBJECTS = ['migrations', ...JOB_SUBJECTS, 'publishing', 'credentials', 'clock'];

const MEDIA_SUBJECTS = ['media storage', 'media URL'];

/** Findings for checks that could not be made, so that they do not count as passed. */
const notChecked = (subjects: readonly string[], reason: string): Finding[] =>
  subjects.map((subject) => ({ status: 'unknown', subject, message: `not checked: ${reason}` }));

/** The findings if the settings are invalid: they name the dependencies. */
export const diagnoseSettings = (problems: readonly string[]): Finding[] => [
  ...problems.map((message): Finding => ({
    status: 'fail',
    subject: 'settings',
    message,
    advice: 'Correct it. .env.example lists every setting.',
  })),
  ...notChecked(
    ['database', ...DATABASE_SUBJECTS, 'Redis', ...MEDIA_SUBJECTS],
    'the settings are invalid',
  ),
];

/** One finding for each subject, ok or not. */
export function diagnose({ database, redis, media, redirect }: DiagnosticFacts): Finding[] {
  if (typeof database === 'string')
    return [
      {
        status: 'fail',
        subject: 'database',
        message: database,
        advice: 'Start the database, or correct DATABASE_URL or DATA_DIR.',
      },
      ...notChecked(DATABASE_SUBJECTS, 'the database cannot be used'),
      redisFinding(redis),
      ...mediaFindings(media),
      ...redirectFindings(redirect),
    ];
  const { migrations, jobs, publishing, unreadableCredentials } = database;
  return [
    databaseFinding(database),
    ...(typeof migrations === 'string'
      ? notChecked(['migrations'], migrations)
      : [migrationsFinding(migrations)]),
    ...(typeof jobs === 'string' ? notChecked(JOB_SUBJECTS, jobs) : jobFindings(jobs)),
    ...(typeof publishing === 'string'
      ? notChecked(['publishing'], publishing)
      : [publishingFinding(publishing, database.clock.received)]),
    ...(typeof unreadableCredentials === 'string'
      ? notChecked(['credentials'], unreadableCredentials)
      : [credentialsFinding(unreadableCredentials)]),
    redisFinding(redis),
    clockFinding(database, redis),
    ...mediaFindings(media),
    ...redirectFindings(redirect),
  ];
}

/** What is wrong with the media storage, and what to do. */
const STORAGE_PROBLEMS: Readonly<
  Record<Exclude<MediaStorageState, 'ok' | 'missing'>, { message: string; advice: string }>
> = {
  full: {
    message: 'has no room for a file of the largest size',
    advice: 'Make room: uploads get 503.',
  },
  read_only: {
    message: 'cannot be written by this user',
    advice: 'Let the user of the gateways write to it: uploads get 503.',
  },
  unavailable: {
    message: 'cannot be used, or the bucket does not answer',
    advice: 'Correct DATA_DIR or the settings MEDIA_S3_….',
  },
};

/** Checks that files can be stored, and that their URLs lead to a gateway. */
function mediaFindings({ folder, storage, baseUrl }: MediaFacts): Finding[] {
  return [storageFinding(folder, storage), mediaUrlFinding(baseUrl)];
}

function storageFinding(folder: string, storage: MediaStorageState): Finding {
  const subject = 'media storage';
  if (storage === 'ok') return { status: 'ok', subject, message: `${folder} can be written` };
  if (storage === 'missing')
    return { status: 'ok', subject, message: `${folder} does not exist yet: a gateway creates it` };
  const { message, advice } = STORAGE_PROBLEMS[storage];
  return { status: 'fail', subject, message: `${folder} ${message}`, advice };
}

function mediaUrlFinding(baseUrl: MediaFacts['baseUrl']): Finding {
  const subject = 'media URL';
  if (baseUrl === null)
    return {
      status: 'warn',
      subject,
      message: 'not set: only this machine can read media',
      advice: 'Set MEDIA_BASE_URL to the URL at which clients reach the gateways.',
    };
  const { url, problem } = baseUrl;
  if (problem === null) return { status: 'ok', subject, message: `a gateway answers at ${url}` };
  return {
    status: 'warn',
    subject,
    message: `no gateway answers at ${url}: ${problem}`,
    advice:
      'Start a gateway, or correct MEDIA_BASE_URL. If only this machine cannot reach the URL, ignore this.',
  };
}

/** Checks that people who come back from a network reach a gateway. */
function redirectFindings(redirect: DiagnosticFacts['redirect']): Finding[] {
  if (redirect === null) return [];
  const subject = 'redirect address';
  const { url, problem } = redirect;
  if (url === null)
    return [
      {
        status: 'warn',
        subject,
        message: 'not known: an app is configured, but PUBLIC_URL is not set',
        advice: 'Set PUBLIC_URL to the URL at which browsers reach the gateways.',
      },
    ];
  if (problem === null) return [{ status: 'ok', subject, message: `a gateway answers at ${url}` }];
  return [
    {
      status: 'warn',
      subject,
      message: `no gateway answers at ${url}: ${problem}`,
      advice:
        'Start a gateway, or correct PUBLIC_URL. If only this machine cannot reach the URL, ignore this.',
    },
  ];
}

function redisFinding(redis: DiagnosticFacts['redis']): Finding {
  const subject = 'Redis';
  if (redis === null)
    return {
      status: 'ok',
      subject,
      message:
        'not configured: each process counts requests separately, which is correct for a single process',
    };
  if (typeof redis === 'string')
    return {
      status: 'fail',
      subject,
      message: redis,
      advice:
        'Start Redis, or correct REDIS_URL. Until then each process counts requests separately.',
    };
  return {
    status: 'ok',
    subject,
    message: `responds in ${Math.ceil(redis.clock.received - redis.clock.sent)} ms`,
  };
}
