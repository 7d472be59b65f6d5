/** How one part stands, and what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly about: string;
  readonly says: string;
  readonly advice?: string;
}

/** When another clock showed `theirs`, ours showed something from `sent` to `received`; all in milliseconds since 1970. */
export interface ClockReading {
  readonly sent: number;
  readonly theirs: number;
  readonly received: number;
}

interface JobFacts {
  readonly workers: number;
  readonly waiting: number;
  readonly oldestSeconds: number;
  readonly failed: number;
}
/** What the database shows of itself. */
export interface DatabaseFacts {
  readonly version: string;
  readonly isEmbedded: boolean;
  readonly isReadOnly: boolean;
  readonly connections: { readonly used: number; readonly most: number };
  readonly clock: ClockReading;
  readonly migrations: {
    readonly applied: number;
    readonly pending: readonly string[];
    readonly edited: readonly string[];
    readonly failed: readonly string[];
    readonly unknown: readonly string[];
  };
  /** Null where its tables cannot say yet. */
  readonly jobs: JobFacts | null;
  /** Accounts with credentials, of which there is no key to open. */
  readonly locked: readonly string[];
}
export interface RedisFacts {
  readonly clock: ClockReading;
}

/** What could be learned of each part; a text is the reason why nothing could. */
export interface Facts {
  readonly database: DatabaseFacts | string;
  /** Null where none is set. */
  readonly redis: RedisFacts | string | null;
}

/** Redis' windows and keys' expiry bear this; leases of jobs and grants, of 10 seconds and more, bear what is below the second. */
const CLOCK_MS = { warn: 1_000, fail: 8_000 };
/** A job that is due is with a worker within moments. */
const LAG_SECONDS = 60;
const MOST_CONNECTIONS = 0.85;

/** What an operator should know, worst or not, part by part. */
export function findingsOf({ database, redis }: Facts): Finding[] {
  if (typeof database === 'string')
    return [
      {
        level: 'fail',
        about: 'database',
        says: database,
        advice: 'Start it, or mend DATABASE_URL or DATA_DIR.',
      },
      ...redisFindings(redis),
    ];
  return [
    databaseFinding(database),
    migrationsFinding(database.migrations),
    ...jobFindings(database.jobs),
    credentialsFinding(database.locked),
    ...redisFindings(redis),
    clockFinding(database, redis),
  ];
}

function databaseFinding({
  version,
  isEmbedded,
  isReadOnly,
  connections: { used, most },
}: DatabaseFacts): Finding {
  const says = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}, ${used} of ${most} connections in use`;
  if (isReadOnly)
    return {
      level: 'fail',
      about: 'database',
      says: `${says}, read-only`,
      advice: 'Let DATABASE_URL name the primary server.',
    };
  if (used > most * MOST_CONNECTIONS)
    return {
      level: 'warn',
      about: 'database',
      says,
      advice: 'Raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.',
    };
  return { level: 'ok', about: 'database', says };
}

function migrationsFinding({
  applied,
  pending,
  edited,
  failed,
  unknown,
}: DatabaseFacts['migrations']): Finding {
  const about = 'migrations';
  if (failed.length > 0)
    return {
      level: 'fail',
      about,
      says: `failed: ${failed.join(', ')}`,
      advice: `Mend the database, then run \`posts-gateway migrate --rolled-back ${failed[0]}\`.`,
    };
  if (unknown.length > 0)
    return {
      level: 'fail',
      about,
      says: `not known to this build: ${unknown.join(', ')}`,
      advice: 'The database is newer than this build: run the later release.',
    };
  if (pending.length > 0)
    return {
      level: 'warn',
      about,
      says: `pending: ${pending.join(', ')}`,
      advice: '`migrate` applies them, as every start does.',
    };
  if (edited.length > 0)
    return {
      level: 'warn',
      about,
      says: `edited after they were applied: ${edited.join(', ')}`,
      advice: 'Take the migrations of the release again.',
    };
  return { level: 'ok', about, says: `${applied} applied, none pending` };
}

function jobFindings(jobs: JobFacts | null): Finding[] {
  if (!jobs) return [];
  const { workers, waiting, oldestSeconds, failed } = jobs;
  const line = `${waiting} due, the oldest for ${Math.round(oldestSeconds)} s`;
  const isLate = waiting > 0 && oldestSeconds > LAG_SECONDS;
  return [
    workers > 0
      ? {
          level: 'ok',
          about: 'workers',
          says: `${workers} ${workers === 1 ? 'process does' : 'processes do'} jobs`,
        }
      : {
          level: isLate ? 'fail' : 'warn',
          about: 'workers',
          says: 'no process does jobs',
          advice: 'Start a gateway (with JOB_CONCURRENCY above 0) or a worker.',
        },
    isLate
      ? {
          level: 'warn',
          about: 'queue',
          says: line,
          advice:
            workers > 0
              ? 'Start more workers or raise JOB_CONCURRENCY; a network’s own pace may be the reason, too.'
              : 'Start a worker.',
        }
      : { level: 'ok', about: 'queue', says: waiting > 0 ? line : 'nothing is due' },
    failed > 0
      ? {
          level: 'warn',
          about: 'failed jobs',
          says: `${failed}`,
          advice: '`jobs list` shows why, `jobs retry` begins them again.',
        }
      : { level: 'ok', about: 'failed jobs', says: 'none' },
  ];
}

function credentialsFinding(locked: readonly string[]): Finding {
  const about = 'credentials';
  if (locked.length === 0)
    return { level: 'ok', about, says: 'those that are stored can be opened' };
  return {
    level: 'fail',
    about,
    says: `${locked.length} cannot be opened (${locked.slice(0, 3).join(', ')}${locked.length > 3 ? ', …' : ''})`,
    advice: 'Give CREDENTIALS_KEY the key they were sealed with, or connect the accounts again.',
  };
}

function redisFindings(redis: Facts['redis']): Finding[] {
  const about = 'Redis';
  if (redis === null)
    return [
      {
        level: 'ok',
        about,
        says: 'not set: each process counts requests for itself, which is right for a single one',
      },
    ];
  if (typeof redis === 'string')
    return [
      {
        level: 'fail',
        about,
        says: redis,
        advice: 'Start it, or mend REDIS_URL; until then each process counts for itself.',
      },
    ];
  return [
    {
      level: 'ok',
      about,
      says: `answers in ${Math.ceil(redis.clock.received - redis.clock.sent)} ms`,
    },
  ];
}

/** This machine, the database and Redis are each compared with both others. */
function clockFinding(database: DatabaseFacts, redis: Facts['redis']): Finding {
  const about = 'clock';
  const others = [
    { name: 'database', ...aheadOf(database.clock) },
    ...(redis !== null && typeof redis !== 'string'
      ? [{ name: 'Redis', ...aheadOf(redis.clock) }]
      : []),
  ];
  const clocks = [{ name: 'this machine', ahead: 0, unsure: 0 }, ...others];
  const apart = Math.max(
    ...clocks.flatMap((one) =>
      clocks.map((other) => one.ahead - other.ahead - one.unsure - other.unsure),
    ),
    0,
  );
  const says = others
    .map(
      ({ name, ahead }) =>
        `${name} ${Math.abs(Math.round(ahead))} ms ${ahead < 0 ? 'behind' : 'ahead'}`,
    )
    .join(', ');
  if (apart <= CLOCK_MS.warn) return { level: 'ok', about, says };
  return {
    level: apart > CLOCK_MS.fail ? 'fail' : 'warn',
    about,
    says,
    advice: 'Let NTP set the clocks: leases, windows and expiries go by them.',
  };
}

const aheadOf = ({ sent, theirs, received }: ClockReading): { ahead: number; unsure: number } => ({
  ahead: theirs - (sent + received) / 2,
  unsure: (received - sent) / 2,
});
