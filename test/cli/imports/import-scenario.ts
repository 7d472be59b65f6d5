import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import { openDatabase } from '../../../src/persistence/database.js';
import { MIGRATIONS_DIR } from '../../../src/config/package-paths.js';
import { applyMigrations } from '../../../src/persistence/migrations.js';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createIds } from '../../../src/services/ids.js';
import { systemClock } from '../../../src/services/clock.js';
import { killOtherProcesses, startOtherProcess } from '../../embedded-postgres/other-process.js';
import { removeFolder, silentLog, temporaryFolder } from '../../setup/test-server.js';

/** The built command. */
export const CLI = path.join(__dirname, '../../../dist/cli.js');
/** Prints the peak memory of the process, in KB, when it exits. */
const PRINT_PEAK =
  "data:text/javascript,process.on('exit', () => console.error('peak ' + process.resourceUsage().maxRSS))";
/** A line of progress: see createProgressReporter. */
const PROGRESS = /\d %/;
const SOURCES = {
  wordpress: { type: 'blog', extension: 'xml' },
  mastodon: { type: 'profile', extension: 'json' },
} as const;

interface CommandRun {
  code: number | null;
  out: string;
  err: string;
}

export const peakMegabytes = ({ err }: CommandRun): number =>
  Number(/peak (\d+)/.exec(err)?.[1]) / 1024;

/** Runs imports as processes on an embedded server that another process holds open. */
export async function importScenario() {
  const folder = temporaryFolder();
  const inFolder = (name: string): string => path.join(folder, name);
  mkdirSync(inFolder('data'));
  const holder = await startOtherProcess(inFolder('data'));
  const database = await openDatabase({
    connectionString: holder.connectionString,
    poolSize: 1,
    log: silentLog,
  });
  await applyMigrations(database, MIGRATIONS_DIR, silentLog);
  const ids = createIds(systemClock);

  const start = (args: readonly string[]) =>
    spawn(process.execPath, ['--import', PRINT_PEAK, CLI, ...args], {
      env: { ...process.env, DATA_DIR: inFolder('data'), DATABASE_URL: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** Runs a command to its end. `onProgress` is called when it first reports its progress. */
  async function run(
    args: readonly string[],
    onProgress: (interrupt: () => void) => void = () => {},
  ): Promise<CommandRun> {
    const child = start(args);
    const exit = new Promise<number | null>((resolve) => {
      child.on('exit', resolve);
    });
    let errorOutput = '';
    child.stderr.on('data', (chunk: Buffer) => {
      const hadProgress = PROGRESS.test(errorOutput);
      errorOutput += chunk.toString();
      if (!hadProgress && PROGRESS.test(errorOutput)) onProgress(() => child.kill('SIGINT'));
    });
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
    return { out: out.trim(), err: err.trim(), code };
  }

  /**
   * Creates a workspace with an account, and returns the arguments of an import of the file `name`
   * into it.
   */
  async function importArguments(
    name: string,
    network: keyof typeof SOURCES = 'wordpress',
  ): Promise<string[]> {
    const admin = createAdminStore(database, NO_GRANTS_VERSIONS);
    const [owner, workspace, account] = [
      ids.prefixed('usr'),
      ids.prefixed('wks'),
      ids.prefixed('acc'),
    ];
    const { type, extension } = SOURCES[network];
    await admin.addUser({
      id: owner,
      name: 'Ada',
      email: `${name}@example.com`,
      plan: 'business',
    });
    await admin.addWorkspace(
      { id: workspace, name, picture: null, timeZone: 'UTC', requiresApproval: false },
      owner,
    );
    await admin.addAccount(workspace, {
      id: account,
      name: 'Blog',
      network,
      type,
      socialId: 'blog',
      picture: null,
      needsReauth: false,
      sandbox: false,
    });
    const file = inFolder(`${name}.${extension}`);
    return ['import', network, file, '--workspace', workspace, '--account', account];
  }

  /** Counts rows of the workspace of an import; `from` is a FROM clause with a condition. */
  async function count(from: string, args: readonly string[]): Promise<number> {
    const { rows } = await database.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${from} AND workspace_id = $1`,
      [args[4]],
    );
    return rows[0]!.count;
  }

  return {
    folder,
    inFolder,
    database,
    ids,
    start,
    run,
    importArguments,
    count,
    async close() {
      await database.close();
      await holder.release();
      killOtherProcesses();
      removeFolder(inFolder('data'));
      removeFolder(folder);
    },
  };
}
