import path from 'node:path';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { guideCommands, settingsIn, splitCommands } from './guide-commands.js';
import { DATA, type PostgresCluster } from './postgres-cluster.js';

/** A database that was restored, in which no process of the service runs yet. */
export interface RestoredDatabase {
  readonly name: string;
  /** The data folder of its server. */
  readonly dataFolder: string;
  /** The commands of Posts Gateway that the guide names next. */
  readonly commands: readonly string[][];
  /** The word in these commands that is the time of the backup. */
  readonly backupFrom: string | null;
}

/** How a database is backed up and restored, with the commands of a guide. */
export interface Restore {
  /** Prepares backups while the database is in use. */
  prepare(cluster: PostgresCluster): Promise<Backup>;
}
export interface Backup {
  /** Returns the time that `restore` brings back. */
  take(): Promise<Date>;
  restore(takenAt: Date): Promise<RestoredDatabase>;
}

async function now(cluster: PostgresCluster): Promise<Date> {
  const [row] = await cluster.admin<{ now: Date }>('posts', 'SELECT clock_timestamp() AS now');
  return new Date(row!.now.getTime() + 1); // rounded down to milliseconds
}

/** `pg_dump` and `pg_restore`. */
export const restoreDump: Restore = {
  async prepare(cluster) {
    const name = 'posts_restored';
    const [dump, restore] = guideCommands('operating.md', '### Your own PostgreSQL', {
      '--host=… ': '',
      'user:password@host:5432': `user:password@127.0.0.1:${cluster.port}`,
    });
    return {
      async take() {
        await cluster.run(dump!, { DATABASE_URL: cluster.url('posts') });
        return now(cluster);
      },
      async restore() {
        const { shell, gateway } = splitCommands(restore!);
        await cluster.run(shell);
        return { name, dataFolder: DATA, commands: gateway, backupFrom: null };
      },
    };
  },
};

/** The recovery target time of the guide, as PostgreSQL and Posts Gateway read it. */
const TARGET_TIME = '2026-11-22 20:19:44+00';
const BACKUP_FROM = '2026-11-22T20:19:44Z';

/** A base backup and the WAL archive. */
export const restoreToPointInTime: Restore = {
  async prepare(cluster) {
    const backupFolder = path.join(cluster.folder, 'backup');
    const dataFolder = path.join(cluster.folder, 'restored');
    const [archive, recovery] = guideCommands('postgresql.md', '### Point-in-time recovery', {
      '/backup/': `${backupFolder}/`,
      '/var/lib/postgresql/restored': dataFolder,
      '--host=… --username=… ': '',
    });
    await cluster.run(`mkdir -p '${backupFolder}/wal'; mkdir -m 700 '${dataFolder}'`);
    await cluster.configure(settingsIn(archive!));
    await cluster.run(archive!);
    return {
      take: () => now(cluster),
      async restore(takenAt) {
        await archiveAll(cluster);
        await cluster.kill();
        const { shell, gateway } = splitCommands(recovery!);
        const target = takenAt.toISOString().replace('T', ' ').replace('Z', '+00');
        await cluster.run(shell.replace(TARGET_TIME, target), {
          DATABASE_URL: cluster.url('posts'),
        });
        return { name: 'posts', dataFolder, commands: gateway, backupFrom: BACKUP_FROM };
      },
    };
  },
};

/** Waits until everything so far is in the archive, as after `archive_timeout`. */
async function archiveAll(cluster: PostgresCluster): Promise<void> {
  const [last] = await cluster.admin<{ file: string }>(
    'posts',
    'SELECT pg_walfile_name(pg_switch_wal()) AS file',
  );
  await waitFor(async () => {
    const [archiver] = await cluster.admin<{ file: string | null }>(
      'posts',
      'SELECT last_archived_wal AS file FROM pg_stat_archiver',
    );
    return archiver!.file !== null && archiver!.file >= last!.file;
  });
}
