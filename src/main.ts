import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from './composition/gateway.js';
import { ignoreBrokenPipe, onShutdown } from './composition/process-lifetime.js';
import {
  ERROR_PRESENTERS,
  openMetricsServer,
  openTracing,
  type MetricsServer,
} from './composition/telemetry.js';
import { defaultNodeEnvToProduction, readConfig, type Config } from './config/config.js';
import { atMostEveryMinute, createApp, type App } from './http/app.js';
import { forgeableAddresses } from './http/authentication/client-address.js';
import { openServer, type HttpServer } from './http/server.js';
import type { Log } from './domain/log.js';
import { createLog } from './log/log.js';
import { printSourcePositionsOfCrashes } from './log/source-stack.js';
import type { Tracing } from './tracing/process-tracing.js';

/** Time between /readyz failing and the listener closing, for load balancers to notice. */
const DRAIN_NOTICE_MS = 500;
/**
 * Time for running requests and jobs. With DRAIN_NOTICE_MS and closing the database it is under
 * SHUTDOWN_DEADLINE_MS.
 */
const DRAIN_TIMEOUT_MS = 6_000;
/** The process exits after this time, even if something hangs. */
const SHUTDOWN_DEADLINE_MS = 9_500;

interface GatewayProcess {
  readonly app: App;
  /** Null until the gateway is composed. */
  server: HttpServer | null;
  readonly metrics: MetricsServer;
  readonly tracing: Tracing;
  readonly composing: Promise<Gateway>;
}

async function start(): Promise<void> {
  ignoreBrokenPipe();
  printSourcePositionsOfCrashes();
  const config = readConfig();
  assertDistinctPorts(config);
  assertMediaUrl(config);
  defaultNodeEnvToProduction();

  const log = createLog(config.logLevel);
  const running = await open(config, log);
  const shutdown = onShutdown(
    { isUnderNpm: config.isUnderNpm, deadlineMs: SHUTDOWN_DEADLINE_MS },
    () => stop(running),
  );
  try {
    const gateway = await running.composing;
    if (shutdown.isStopping) return; // signaled before it was ready
    const server = await listen(running, config, log);
    const demo = await demoLines(gateway, config, server.url);
    if (shutdown.isStopping) return;
    serve(running, gateway);
    printAddresses(running, config, [server.url, demo]);
  } catch (error) {
    if (shutdown.isStopping) return; // caused by closing
    await running.server?.close(0);
    await closeGateway(running);
    throw error;
  }
}

/**
 * Opens METRICS_PORT, which serves /healthz from then on, and composes the gateway. It listens only
 * when it is composed: load balancers send a refused request of every method to another gateway, but
 * not one that is answered with 503.
 */
async function open(config: Config, log: ReturnType<typeof createLog>): Promise<GatewayProcess> {
  warnOfForgeableAddresses(config, log);
  const metrics = await openMetricsServer(config, log);
  const tracing = await openTracing(config, log);
  const app = createApp({
    log,
    errorPresenters: ERROR_PRESENTERS,
    maxConcurrentRequests: config.maxConcurrentRequests,
    maxUnfinishedBodies: config.maxUnfinishedBodies,
    trustedProxies: config.trustedProxies,
    metrics: metrics.requests,
    tracing: tracing.requests,
  });
  // These modules are slow to load, /healthz does not need them, and some read NODE_ENV.
  const composing = import('./composition/gateway.js').then(({ composeGateway }) =>
    composeGateway(config, {
      log,
      workerMetrics: metrics.worker,
      streamMetrics: metrics.streams,
      tracing,
      url: () => running.server!.url, // asked for requests only
    }),
  );
  const running: GatewayProcess = { app, server: null, metrics, tracing, composing };
  return running;
}

async function listen(running: GatewayProcess, config: Config, log: Log): Promise<HttpServer> {
  const { maxConnectionsPerAddress: maxPerAddress, trustedProxies } = config;
  const onFull = atMostEveryMinute((open: number) =>
    log.warn(
      `Closing new connections: ${open} are open, three quarters of the limit of open files. Raise the limit (ulimit -n, LimitNOFILE).`,
    ),
  );
  running.server = await openServer(
    { ...running.app, connectionLimit: { maxPerAddress, trustedProxies, onFull } },
    config,
  );
  return running.server;
}

function warnOfForgeableAddresses({ trustedProxies }: Config, log: Log): void {
  const addresses = forgeableAddresses(trustedProxies);
  if (addresses.length === 0) return;
  log.warn(
    `Programs at ${addresses.join(', ')} can forge X-Forwarded-For, and with it the address that limits count. Set TRUSTED_PROXIES to addresses at which only proxies run.`,
  );
}

function serve({ app, metrics }: GatewayProcess, { handlers, database, worker }: Gateway): void {
  app.mount(handlers);
  metrics.collectFrom({ database, readiness: handlers.readiness });
  worker.start();
}

async function stop(running: GatewayProcess): Promise<void> {
  const { app, metrics, tracing, composing } = running;
  app.drain();
  metrics.drain();
  const jobsStopped = composing.then(
    ({ worker, endStreams }) => {
      endStreams();
      return worker.stop(DRAIN_NOTICE_MS + DRAIN_TIMEOUT_MS);
    },
    () => undefined,
  );
  await sleep(DRAIN_NOTICE_MS);
  await running.server?.close(DRAIN_TIMEOUT_MS);
  await jobsStopped;
  await tracing.close();
  await metrics.close();
  await closeGateway({ composing });
}

const closeGateway = ({ composing }: Pick<GatewayProcess, 'composing'>): Promise<void> =>
  composing.then(
    (gateway) => gateway.close(),
    () => undefined, // composing it failed: nothing is open
  );

/** Sets up the demo, which only the embedded database has, and describes it. */
async function demoLines(gateway: Gateway, config: Config, url: string): Promise<string[]> {
  if (!gateway.database.isEmbedded) return [];
  const { setUpDemo } = await import('./composition/demo.js');
  return setUpDemo(gateway, config, url);
}

function printAddresses(
  { metrics }: GatewayProcess,
  { playground: hasPlayground }: Config,
  [url, demo]: readonly [string, readonly string[]],
): void {
  const addresses = addressLines(url, { hasPlayground, metricsUrl: metrics.url });
  process.stdout.write([...addresses, ...demo, '', ''].join('\n'));
}

/** Lines with the addresses of the APIs, printed at startup. */
const addressLines = (
  url: string,
  { hasPlayground, metricsUrl }: { hasPlayground: boolean; metricsUrl: string | null },
): string[] => [
  'Posts gateway is ready.',
  '',
  ...(hasPlayground ? [`  Playground  ${url}/playground`, `  Sandbox     ${url}/sandbox`] : []),
  `  GraphQL     ${url}/graphql`,
  `  REST v1     ${url}/v1   (docs: ${url}/docs)`,
  ...(metricsUrl === null ? [] : [`  Metrics     ${metricsUrl}/metrics`]),
];

/** Checked before listening: the error of the second listener would name the wrong setting. */
function assertDistinctPorts({ port, host, metricsPort, metricsHost }: Config): void {
  if (port !== 0 && metricsPort === port && metricsHost === host)
    throw new Error(`PORT and METRICS_PORT are both ${port}. Set one of them to another port.`);
}

/** The URLs of files would start with an address that only this machine reaches. */
function assertMediaUrl({ isProduction, mediaBaseUrl }: Config): void {
  if (isProduction && mediaBaseUrl === undefined)
    throw new Error(
      'MEDIA_BASE_URL is not set. With NODE_ENV=production, set it to the URL at which clients reach the gateway, such as https://posts.example.com',
    );
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway: ${error.message}\n`);
  process.exit(1);
});
