import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { aPostgresCluster, DATA, type PostgresCluster } from '../restore/postgres-cluster.js';
import { freePort } from '../../test/setup/free-port.js';
import { silentLog } from '../../test/setup/test-server.js';

/** A streaming replica. */
export interface TestReplica {
  readonly url: string;
  /** Stops the replay of the log: changes arrive, but cannot be read. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the replica has everything that is committed on the primary now. */
  catchUp(): Promise<void>;
  /** Transactions that have ended on the replica in the database of the gateway. */
  transactions(): Promise<number>;
  /** Sends a signal to the postmaster and all its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>;
  /** Starts the replica after it was killed. */
  start(): Promise<void>;
  promote(): Promise<void>;
  /** Runs a statement as the superuser. */
  admin<T extends object>(statement: string): Promise<T[]>;
}

/** A primary with a migrated database and its replicas. */
export interface ReplicatedCluster {
  readonly primary: PostgresCluster;
  readonly url: string;
  readonly database: OpenDatabase;
  readonly replicas: readonly TestReplica[];
  /** The process ID of the primary's postmaster. */
  primaryPid(): number;
  close(): Promise<void>;
}

const SUPERUSER = 'postgres';
const DATABASE = 'posts';
/** SQLSTATE of a statement that replay has ended. */
const CONFLICT_WITH_RECOVERY = '40001';
const postmasterOf = (folder: string): number =>
  Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);

async function aReplica(primary: PostgresCluster, name: string): Promise<TestReplica> {
  const port = await freePort();
  await primary.run(`pg_basebackup --pgdata=${name} --write-recovery-conf --checkpoint=fast
printf '\\nport = ${port}\\nmax_standby_streaming_delay = 1s\\n' >>${name}/postgresql.conf`);
  const start = (): Promise<void> =>
    primary.run(`pg_ctl --pgdata=${name} --log=${name}/server.log start`);
  await start();
  const admin = async <T extends object>(statement: string): Promise<T[]> => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, database: DATABASE });
    await client.connect();
    try {
      return (await client.query<T>(statement)).rows;
    } catch (error) {
      // replay can end any statement on a replica
      if ((error as { code?: string }).code === CONFLICT_WITH_RECOVERY)
        return await admin(statement);
      throw error;
    } finally {
      await client.end();
    }
  };
  const isAt = async (position: string): Promise<boolean> => {
    const [row] = await admin<{ isAt: boolean }>(
      `SELECT pg_last_wal_replay_lsn() >= '${position}' AS "isAt"`,
    );
    return row!.isAt;
  };
  return {
    url: `postgresql://user:password@127.0.0.1:${port}/${DATABASE}`,
    pause: async () => void (await admin('SELECT pg_wal_replay_pause()')),
    resume: async () => void (await admin('SELECT pg_wal_replay_resume()')),
    async catchUp() {
      const [row] = await primary.admin<{ position: string }>(
        DATABASE,
        // its commit writes everything to disk that came before
        "SELECT pg_logical_emit_message(true, 'test', '')",
        'SELECT pg_current_wal_flush_lsn() AS position',
      );
      while (!(await isAt(row!.position))) await new Promise((resolve) => setTimeout(resolve, 10));
    },
    async transactions() {
      const [row] = await admin<{ count: number }>(
        `SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = '${DATABASE}'`,
      );
      return row!.count;
    },
    signal: (signal) => {
      const pid = postmasterOf(path.join(primary.folder, name));
      // its processes end with a killed postmaster
      return primary.run(
        `children=$(pgrep -P ${pid}); kill -${signal.slice(3)} ${pid}; kill -${signal.slice(3)} $children || true`,
      );
    },
    // the process ID in the file may still exist, as a process that has ended
    start: () => primary.run(`rm -f ${name}/postmaster.pid`).then(start),
    promote: async () => void (await admin('SELECT pg_promote()')),
    admin,
  };
}

/** Starts a primary with the database of the gateway, and streaming replicas of it. */
export async function aReplicatedCluster(count = 1): Promise<ReplicatedCluster> {
  const primary = await aPostgresCluster('replicas');
  const names = Array.from({ length: count }, (_, index) => `replica${index}`);
  const url = primary.url(DATABASE);
  const database = await openDatabase({ connectionString: url, poolSize: 5, log: silentLog });
  await applyMigrations(database, MIGRATIONS_DIR, silentLog);
  const replicas: TestReplica[] = [];
  for (const name of names) replicas.push(await aReplica(primary, name));
  return {
    primary,
    url,
    database,
    replicas,
    primaryPid: () => postmasterOf(path.join(primary.folder, DATA)),
    async close() {
      await database.close();
      for (const name of names)
        await primary.run(`pg_ctl --pgdata=${name} --mode=immediate stop || true`);
      await primary.close(DATA);
    },
  };
}
