import { freePort } from '../setup/free-port.js';
import type { PacketFilter } from '../setup/packet-filter.js';
import { openTcpProxy, type TcpProxy } from '../setup/tcp-proxy.js';
import { aPostgresServer, type PostgresServer } from '../setup/postgres-server.js';
import { aRedisServer, type RedisServer } from '../setup/redis.js';
import { startProgram, waitUntil, type StartedProgram } from '../setup/started-program.js';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { silentLog } from '../setup/test-server.js';

/** A process of the service that can be killed and started again. */
export interface ServiceProcess {
  /** Whether the process that was started last has not ended. */
  isRunning(): boolean;
  pid(): number;
  kill(): Promise<void>;
  /** SIGTERM: ends requests and jobs first. @throws Error unless the process exits with 0 */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Error output of this process and of its killed predecessors. */
  log(): string;
}

/**
 * The whole service as an operator runs it, on separate servers: two gateways, two workers,
 * PostgreSQL behind a TCP proxy, and Redis.
 */
export interface Deployment {
  readonly postgres: PostgresServer;
  /** Between the service and PostgreSQL: delays and freezes the traffic. */
  readonly proxy: TcpProxy;
  readonly redis: RedisServer;
  readonly gateways: readonly (ServiceProcess & { readonly url: string })[];
  /** `url`: where a worker serves its health. */
  readonly workers: readonly (ServiceProcess & { readonly url: string })[];
  /**
   * Connects to PostgreSQL without the proxy. Open it only while PostgreSQL is not being killed.
   */
  database(): Promise<OpenDatabase>;
  close(): Promise<void>;
}

/** Starts Node.js with these arguments and waits until the process prints `readyText`. */
async function startServiceProcess(
  env: Record<string, string>,
  args: readonly string[],
  readyText: string,
): Promise<ServiceProcess> {
  const logsOfKilled: string[] = [];
  let running: StartedProgram;
  const serviceProcess: ServiceProcess = {
    isRunning: () => running.child.exitCode === null && running.child.signalCode === null,
    pid: () => running.child.pid!,
    async kill() {
      running.child.kill('SIGKILL');
      await running.exit;
      logsOfKilled.push(running.errors());
    },
    async stop() {
      running.child.kill('SIGTERM');
      const code = await running.exit;
      if (code !== 0) throw new Error(`exited with ${code}: ${running.errors()}`);
      logsOfKilled.push(running.errors());
    },
    async start() {
      running = startProgram(env, [process.execPath, ...args]);
      await waitUntil(() => running.output().includes(readyText), running);
    },
    log: () => [...logsOfKilled, running.errors()].join(''),
  };
  await serviceProcess.start();
  return serviceProcess;
}

/**
 * Starts two gateways and two workers with these settings. `clockOptions`: options of Node.js for the
 * second gateway and the second worker.
 */
export async function startService(
  env: Readonly<Record<string, string>>,
  clockOptions: readonly string[] = [],
): Promise<Pick<Deployment, 'gateways' | 'workers'>> {
  const gateways = await Promise.all(
    [[], clockOptions].map(async (options) => {
      const port = await freePort();
      const serviceProcess = await startServiceProcess(
        { ...env, PORT: String(port) },
        [
          ...options,
          '--max-semi-space-size=64',
          '--no-parallel-scavenge',
          '--no-allocation-site-pretenuring',
          'dist/main.js',
        ],
        'REST v1',
      );
      return { ...serviceProcess, url: `http://127.0.0.1:${port}` };
    }),
  );
  const workers = await Promise.all(
    [[], clockOptions].map(async (options) => {
      const port = await freePort();
      const serviceProcess = await startServiceProcess(
        { ...env, METRICS_PORT: String(port) },
        [...options, 'dist/worker.js'],
        'worker is running',
      );
      return { ...serviceProcess, url: `http://127.0.0.1:${port}` };
    }),
  );
  return { gateways, workers };
}

interface DeploymentOptions {
  /** By which the proxy goes silent. */
  readonly filter?: PacketFilter | undefined;
  readonly clockOptions?: readonly string[];
  /** For the data of PostgreSQL. */
  readonly folder?: string;
}

/** Starts the service with these settings. */
export async function startDeployment(
  settings: Readonly<Record<string, string>> = {},
  { filter, clockOptions, folder }: DeploymentOptions = {},
): Promise<Deployment> {
  const [postgres, redis] = await Promise.all([aPostgresServer(folder), aRedisServer()]);
  const proxy = await openTcpProxy(postgres.port(), filter);
  const database = (): Promise<OpenDatabase> =>
    openDatabase({ connectionString: postgres.url(), poolSize: 4, log: silentLog });
  const first = await database();
  await applyMigrations(first, MIGRATIONS_DIR, silentLog);
  await first.close();
  const env = {
    LOG_LEVEL: 'error',
    ...settings,
    DATABASE_URL: postgres.url(proxy.port),
    REDIS_URL: redis.url,
  };
  const { gateways, workers } = await startService(env, clockOptions);
  return {
    postgres,
    proxy,
    redis,
    gateways,
    workers,
    database,
    async close() {
      await Promise.all([...gateways, ...workers].map((started) => started.kill()));
      await proxy.close();
      await redis.close();
      await postgres.close();
    },
  };
}
