import { appendFileSync, chownSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { findServerAccounts, isRoot, runAs } from '../../src/embedded-postgres/os-user.js';
import { freePort } from '../../test/setup/free-port.js';
import { findProgram } from '../../test/setup/system-program.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';

/** A PostgreSQL server with all programs of its package, such as pg_basebackup and pg_dump. */
export interface PostgresCluster {
  /** A folder of the system user that runs the server. Commands run in it. */
  readonly folder: string;
  readonly port: number;
  /** The URL of a database, as its owner. */
  url(database: string): string;
  /** Runs shell commands as the system user of the server. @throws Error with their output */
  run(commands: string, env?: Readonly<Record<string, string>>): Promise<void>;
  /** Runs statements as the superuser, and returns the rows of the last. */
  admin<T extends object>(database: string, ...statements: string[]): Promise<T[]>;
  /** Adds settings to postgresql.conf, and restarts the server. */
  configure(settings: readonly string[]): Promise<void>;
  /** Ends all processes of the server, as a failure does. */
  kill(): Promise<void>;
  /** Stops the server that runs on a data folder, and removes all files. */
  close(dataFolder: string): Promise<void>;
}

const SUPERUSER = 'postgres';
/** The data folder of the first server. */
export const DATA = 'data';

/**
 * Starts PostgreSQL with the programs of the system, with the role and the database of the guides
 * (`user`, `posts`).
 */
export async function aPostgresCluster(neededBy = 'restore'): Promise<PostgresCluster> {
  const pgCtl = findProgram({
    neededBy,
    names: ['pg_ctl'],
    debianPackage: 'postgresql',
  });
  const programs = path.dirname(realpathSync(pgCtl));
  const account = isRoot() ? findServerAccounts()[0] : undefined;
  const parent = temporaryFolder();
  const folder = path.join(parent, 'postgres');
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const port = await freePort();
  const connection = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: SUPERUSER };

  const cluster: PostgresCluster = {
    folder,
    port,
    url: (database) => `postgresql://user:password@127.0.0.1:${port}/${database}`,
    async run(commands, env = {}) {
      const all = { ...connection, ...env, PATH: `${programs}:${process.env.PATH}` };
      const given = Object.entries(all).map(([name, value]) => `${name}=${value}`);
      const { code, output } = await runAs(account, folder, [...given, 'sh', '-euc', commands]);
      if (code === 0) return;
      const log = await runAs(account, folder, ['sh', '-c', 'tail -n 9 server.log */server.log']);
      throw new Error(`${commands}\nexited with ${code}:\n${output}\n${log.output}`);
    },
    async admin<T extends object>(database: string, ...statements: string[]) {
      const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, database });
      await client.connect();
      try {
        let rows: T[] = [];
        for (const statement of statements) ({ rows } = await client.query<T>(statement));
        return rows;
      } finally {
        await client.end();
      }
    },
    async configure(settings) {
      appendFileSync(path.join(folder, DATA, 'postgresql.conf'), settings.join('\n') + '\n');
      await cluster.run(`pg_ctl --pgdata=${DATA} --log=server.log restart`);
    },
    kill: () => cluster.run(`pg_ctl --pgdata=${DATA} --mode=immediate stop`),
    async close(dataFolder) {
      await cluster.run(`pg_ctl --pgdata=${dataFolder} --mode=immediate stop`);
      removeFolder(parent);
    },
  };
  await cluster.run(
    `initdb --pgdata=${DATA} --username=${SUPERUSER} --auth=trust --encoding=UTF8 --no-sync >initdb.log`,
  );
  const settings = [`port = ${port}`, "listen_addresses = '127.0.0.1'"];
  appendFileSync(
    path.join(folder, DATA, 'postgresql.conf'),
    [...settings, "unix_socket_directories = ''", ''].join('\n'),
  );
  await cluster.run(`pg_ctl --pgdata=${DATA} --log=server.log start`);
  await cluster.admin(
    'postgres',
    `CREATE ROLE "user" LOGIN PASSWORD 'password'`,
    `CREATE DATABASE posts OWNER "user" ENCODING 'UTF8' TEMPLATE template0`,
  );
  return cluster;
}
