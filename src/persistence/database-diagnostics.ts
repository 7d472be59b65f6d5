import type { JobCount } from '../domain/jobs/job.js';
import type {
  DatabaseFacts,
  JobFacts,
  MigrationFacts,
} from '../domain/diagnostics/diagnostic-facts.js';
import type { PublishingStatus } from '../domain/publishing/publication.js';
import { readDatabaseClock } from './connections/database-clock.js';
import type { Database } from './database.js';
import { type MigrationStatus, readMigrationStates } from './migrations.js';
import { isSealedWith, type CredentialKeys } from './credentials/credential-keys.js';
import { createJobLoad } from './jobs/open-job-counts.js';
import { WORKER_APPLICATION_NAME } from './jobs/job-wakeups.js';
import { readOnlyReason } from './readiness.js';
import { createPublishingPauses } from './publishing/publishing-pauses.js';
import { hasTable } from './sql.js';

const SERVER_STATE = `SELECT current_setting('server_version') AS version,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used, current_setting('max_connections')::int AS max`;
/** Imports run in the command that starts them, not in a worker. */
const IMPORT = 'import';
// SQL: before the migrations of a newer build, tables and columns may be missing.
const SEALED_CREDENTIALS = 'SELECT account_id AS id, sealed FROM account_credential ORDER BY 1';
const SEALED_VALUES = `SELECT * FROM (SELECT account_id AS id, sealed FROM account_credential UNION ALL SELECT id, sealed_secret FROM webhook
  UNION ALL SELECT id, previous_secret FROM webhook WHERE previous_until > now()) s ORDER BY 1`;
/** Each worker process listens on a dedicated connection. */
const COUNT_WORKERS =
  'SELECT count(*)::int AS workers FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1';

interface InspectedDatabase extends Database {
  readonly isEmbedded: boolean;
}
interface DatabaseFactsOptions {
  readonly migrationsDir: string;
  readonly keys: CredentialKeys;
}

const reasonOf = ({ message }: Error): string => message;
const NO_TABLES = 'the tables do not exist yet';

/** Reads the state of an open database for diagnostics. Changes nothing. */
export async function readDatabaseFacts(
  database: InspectedDatabase,
  { migrationsDir, keys }: DatabaseFactsOptions,
): Promise<DatabaseFacts> {
  const clock = await readDatabaseClock(database.scan);
  const [state] = await database.scan<{ version: string; used: number; max: number }>(SERVER_STATE);
  const { version, used, max } = state!;
  return {
    version: version.split(' ')[0]!,
    isEmbedded: database.isEmbedded,
    readOnly: await readOnlyReason(database.scan),
    connections: { used, max },
    clock,
    migrations: await readMigrationFacts(database, migrationsDir).catch(reasonOf),
    jobs: await readJobFacts(database).catch(reasonOf),
    publishing: await readPublishing(database).catch(reasonOf),
    unreadableCredentials: await findUnreadableCredentials(database, keys).catch(reasonOf),
  };
}

async function readMigrationFacts(
  database: Database,
  migrationsDir: string,
): Promise<MigrationFacts> {
  const states = await readMigrationStates(database.scan, migrationsDir);
  const namesOf = (status: MigrationStatus): string[] =>
    states.filter((state) => state.status === status).map(({ name }) => name);
  return {
    applied: namesOf('applied').length,
    pending: namesOf('pending'),
    edited: namesOf('edited'),
    failed: namesOf('failed'),
    unknown: namesOf('unknown'),
    incompatible: namesOf('incompatible'),
  };
}

async function readPublishing(database: Database): Promise<PublishingStatus | string> {
  return (await hasTable(database.scan, 'publishing_pause'))
    ? createPublishingPauses(database).status()
    : NO_TABLES;
}

async function readJobFacts(database: Database): Promise<JobFacts | string> {
  if (!(await hasTable(database.scan, 'job'))) return NO_TABLES;
  const load = await createJobLoad(database)();
  if (!load) return 'the jobs could not be read in time';
  const rows = await database.scan<{ workers: number }>(COUNT_WORKERS, [WORKER_APPLICATION_NAME]);
  const countOf = (state: JobCount['state']): number =>
    load.counts
      .filter((entry) => entry.state === state && entry.kind !== IMPORT)
      .reduce((sum, { count }) => sum + count, 0);
  return {
    workers: rows[0]!.workers,
    due: countOf('due'),
    oldestDueSeconds: load.oldestDueSeconds,
    failed: countOf('failed'),
  };
}

/** Accounts and webhooks whose credentials or secrets no configured key can unseal. */
async function findUnreadableCredentials(
  database: Database,
  keys: CredentialKeys,
): Promise<string[] | string> {
  if (!(await hasTable(database.scan, 'account_credential'))) return NO_TABLES;
  const rows = await database.scan<{ id: string; sealed: Buffer }>(
    (await hasTable(database.scan, 'webhook')) ? SEALED_VALUES : SEALED_CREDENTIALS,
  );
  if (rows.length === 0) return [];
  const unsealingKeys = await keys.unsealingKeys().catch(() => []);
  const unreadable = rows
    .filter(({ sealed }) => !unsealingKeys.some((key) => isSealedWith(key, sealed)))
    .map(({ id }) => id);
  return [...new Set(unreadable)];
}
