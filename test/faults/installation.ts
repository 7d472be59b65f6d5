import { freePort } from '../setup/free-port.js';
import { lineTo, type Line } from '../setup/line.js';
import { ownPostgres, type OwnPostgres } from '../setup/own-postgres.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';
import { start, until, type Started } from '../setup/started.js';
import { applyMigrations, MIGRATIONS_DIR } from '../../src/persistence/migrations.js';
import { openDatabase, type Database } from '../../src/persistence/database.js';
import { silent } from '../setup/test-server.js';

/** A process of the service, which can be killed and is started again in its place. */
export interface Process {
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What all that ran in this place have written to their logs. */
  log(): string;
}

/** The whole service as an operator runs it, on servers of its own: two gateways, two workers, PostgreSQL behind a line, Redis. */
export interface Installation {
  readonly postgres: OwnPostgres;
  /** Between the service and PostgreSQL. */
  readonly line: Line;
  readonly redis: OwnRedis;
  readonly gateways: readonly (Process & { readonly url: string })[];
  readonly workers: readonly Process[];
  /** Straight to the database, past the line: open it when PostgreSQL is not to be killed any more. */
  database(): Promise<Database>;
  close(): Promise<void>;
}

/** Starts Node with these arguments, and waits until it says that it is there. */
async function aProcess(
  env: Record<string, string>,
  args: readonly string[],
  says: string,
): Promise<Process> {
  const ended: string[] = [];
  let running: Started;
  const place: Process = {
    async kill() {
      running.child.kill('SIGKILL');
      await running.exit;
      ended.push(running.errors());
    },
    async start() {
      running = start(env, [process.execPath, ...args]);
      await until(() => running.output().includes(says), running);
    },
    log: () => [...ended, running.errors()].join(''),
  };
  await place.start();
  return place;
}

export async function anInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const [postgres, redis] = await Promise.all([ownPostgres(), ownRedis()]);
  const line = await lineTo(postgres.port());
  const database = (): Promise<Database> =>
    openDatabase({ databaseUrl: postgres.url(), dataDir: '', poolSize: 4, log: silent });
  const first = await database();
  await applyMigrations(first.pool, MIGRATIONS_DIR, silent);
  await first.close();
  const env = {
    LOG_LEVEL: 'error',
    ...settings,
    DATABASE_URL: postgres.url(line.port),
    REDIS_URL: redis.url,
  };
  const gateways = await Promise.all(
    [0, 1].map(async () => {
      const port = await freePort();
      const place = await aProcess(
        { ...env, PORT: String(port) },
        ['--max-semi-space-size=64', 'dist/main.js'],
        'REST v1',
      );
      return { ...place, url: `http://127.0.0.1:${port}` };
    }),
  );
  const workers = await Promise.all(
    [0, 1].map(() => aProcess(env, ['dist/worker.js'], 'doing jobs')),
  );
  return {
    postgres,
    line,
    redis,
    gateways,
    workers,
    database,
    async close() {
      await Promise.all([...gateways, ...workers].map((one) => one.kill()));
      await line.close();
      await redis.close();
      await postgres.close();
    },
  };
}
