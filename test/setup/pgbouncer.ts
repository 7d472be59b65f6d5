import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.js';
import { findProgram } from './system-program.js';
import { removeFolder, temporaryFolder } from './test-server.js';

const PROGRAM = { neededBy: 'connection pooler', names: ['pgbouncer'], debianPackage: 'pgbouncer' };
/** PgBouncer refuses to run as root. */
const USER = 'nobody';
const GUIDE = path.resolve(__dirname, '../../docs/postgresql.md');

/** A PgBouncer between a test and its database. */
export interface PgBouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** What differs from the default settings. */
export interface PgBouncerOptions {
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Whether it has the settings of docs/postgresql.md, among others for its sessions. */
  readonly followsGuide?: boolean;
  /** Lines of the section `[pgbouncer]`. */
  readonly settings?: readonly string[];
}

async function waitUntilOpen(url: string): Promise<void> {
  for (const deadline = Date.now() + 10_000; ;) {
    const client = new pg.Client({ connectionString: url });
    const error = await client.connect().then(
      () => undefined,
      (failure: Error) => failure,
    );
    await client.end().catch(() => undefined);
    if (!error) return;
    if (Date.now() > deadline) throw error;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface DocumentedSettings {
  /** Of the database. */
  readonly connectQuery: string;
  /** The lines of the section `[pgbouncer]` with their comments, except the mode. */
  readonly lines: readonly string[];
}

/** The configuration in the guide. @throws Error if the guide has none */
function documentedSettings(): DocumentedSettings {
  const found = /(connect_query='.*')\n\n\[pgbouncer\]\n(.*?)```/s.exec(
    readFileSync(GUIDE, 'utf8'),
  );
  if (!found) throw new Error(`${GUIDE} has no configuration of PgBouncer`);
  const [, connectQuery, lines] = found as unknown as [string, string, string];
  return {
    connectQuery,
    lines: lines.split('\n').filter((line) => !line.startsWith('pool_mode')),
  };
}

/** Starts PgBouncer with its default settings, apart from the options. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, followsGuide = false, settings = [] }: PgBouncerOptions,
): Promise<PgBouncer> {
  const program = findProgram(PROGRAM);
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const folder = temporaryFolder();
  const listenPort = await freePort();
  const database = pathname.slice(1);
  const config = path.join(folder, 'pgbouncer.ini');
  const users = path.join(folder, 'users.txt');
  const documented = followsGuide ? documentedSettings() : { connectQuery: '', lines: [] };
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    config,
    [
      '[databases]',
      `${database} = host=${hostname} port=${port} dbname=${database} ${documented.connectQuery}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      ...documented.lines,
      ...settings,
      '',
    ].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const uid = Number(spawnSync('id', ['-u', USER], { encoding: 'utf8' }).stdout);
    for (const file of [folder, config, users]) chownSync(file, uid, -1);
  }
  const child = spawn(program, [...(isRoot ? ['-u', USER] : []), '-q', config], {
    stdio: 'ignore',
  });
  const exit = once(child, 'exit');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${listenPort}`;
  await waitUntilOpen(url.href);
  return {
    url: url.href,
    async close() {
      child.kill('SIGKILL');
      await exit;
      removeFolder(folder);
    },
  };
}
