import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../../test/setup/database.js';
import { memoryOf, NODE_WITH_MEMORY_REPORT } from '../../test/setup/memory.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import { startProgram, waitUntil, type StartedProgram } from '../../test/setup/started-program.js';
import { createLoadGenerator, type LoadGenerator, type LoadRequest } from './load-generator.js';
import {
  CAPACITY_SECONDS,
  CLIENTS,
  MAX_CONCURRENT_REQUESTS,
  OVERLOAD_LOG_TEXT,
  WARM_UP_SECONDS,
} from './load-settings.js';
import { readProcessUsage, type ProcessUsage } from './process-usage.js';
import { createRequestMix, createWorkspaceWithPosts } from './request-mix.js';

/** A gateway with its own database and Redis, and the load that is sent to it. */
export interface LoadedGateway {
  readonly database: TestDatabase;
  readonly redis: RedisServer;
  readonly program: StartedProgram;
  readonly metricsUrl: string;
  readonly url: string;
  readonly nextRequest: () => LoadRequest;
  /** Replaced by `usageAtRest`. */
  generator: LoadGenerator;
}

export async function startLoadedGateway(): Promise<LoadedGateway> {
  const [database, redis] = await Promise.all([testDatabase(), aRedisServer()]);
  const { viewer, posts } = await createWorkspaceWithPosts(database);
  const program = startProgram(
    {
      NODE_ENV: 'production',
      MEDIA_BASE_URL: 'https://posts.example.com',
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PORT: '0',
      METRICS_PORT: '0',
      MAX_CONCURRENT_REQUESTS: String(MAX_CONCURRENT_REQUESTS),
      MAX_CONNECTIONS_PER_ADDRESS: '100000',
    },
    [...NODE_WITH_MEMORY_REPORT, 'dist/main.js'],
  );
  await waitUntil(() => program.output().includes('Metrics'), program);
  const url = /GraphQL +(http:\S+)\/graphql/.exec(program.output())![1]!;
  const metricsUrl = /Metrics +(http:\S+)\/metrics/.exec(program.output())![1]!;
  const gateway = {
    database,
    redis,
    program,
    url,
    metricsUrl,
    nextRequest: createRequestMix(viewer, posts),
    generator: createLoadGenerator(url),
  };
  await gateway.generator.measureCapacity(CLIENTS, WARM_UP_SECONDS, gateway.nextRequest);
  return gateway;
}

export async function stopLoadedGateway({
  generator,
  program,
  redis,
  database,
}: LoadedGateway): Promise<void> {
  await generator.close();
  program.child.kill('SIGTERM');
  await program.exit;
  await redis.close();
  await database.drop();
}

/** Requests per second. */
export const capacityOf = ({ generator, nextRequest }: LoadedGateway): Promise<number> =>
  generator.measureCapacity(CLIENTS, CAPACITY_SECONDS, nextRequest);

/** `heap` is in MB, after garbage collection. */
export type UsageAtRest = ProcessUsage & { readonly heap: number };

/**
 * Resources of the gateway once there are no requests, all jobs have finished and garbage is
 * collected.
 */
export async function usageAtRest(gateway: LoadedGateway): Promise<UsageAtRest> {
  await gateway.generator.close();
  gateway.generator = createLoadGenerator(gateway.url);
  while (
    (await gateway.database.pool.query("SELECT 1 FROM job WHERE status = 'working' LIMIT 1")).rows
      .length > 0
  )
    await sleep(200);
  await sleep(12_000); // idle connections to the database are closed after 10 s
  const { heap } = await memoryOf(gateway.program);
  return { ...(await readProcessUsage(gateway.metricsUrl)), heap };
}

/**
 * Lines that the gateway has written to stderr, except reports of an overload. Node.js warns there
 * about listener leaks.
 */
export const unexpectedErrorLines = ({ program }: LoadedGateway): string[] =>
  program
    .errors()
    .split('\n')
    .filter((line) => line !== '' && !line.includes(OVERLOAD_LOG_TEXT));
