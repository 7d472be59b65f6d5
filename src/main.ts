import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_PRESENTERS } from './composition/error-presenters.js';
import type { Gateway } from './composition/gateway.js';
import { ignoreBrokenPipe, onShutdown } from './composition/process-lifetime.js';
import { openMetricsServer, type MetricsServer } from './composition/telemetry/metrics.js';
import { openTracing } from './composition/telemetry/tracing.js';
import { defaultNodeEnvToProduction, readConfig, type Config } from './config/config.js';
import { createApp, type App } from './http/app.js';
import { openServer, type HttpServer } from './http/server.js';
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
  readonly server: HttpServer;
  readonly metrics: MetricsServer;
  readonly tracing: Tracing;
  readonly composing: Promise<Gateway>;
}

async function start(): Promise<void> {
  ignoreBrokenPipe();
  printSourcePositionsOfCrashes();
  const config = readConfig();
  assertDistinctPorts(config);
  defaultNodeEnvToProduction();

  const running = await open(config);
  const shutdown = onShutdown(
    { isUnderNpm: config.isUnderNpm, deadlineMs: SHUTDOWN_DEADLINE_MS },
    () => stop(running),
  );
  try {
    const gateway = await running.composing;
    const demo = await demoLines(gateway, config, running.server.url);
    if (shutdown.isStopping) return; // signaled before it was ready
    serve(running, gateway);
    printAddresses(running, config, demo);
  } catch (error) {
    if (shutdown.isStopping) return; // caused by closing
    await running.server.close(0);
    await closeGateway(running);
    throw error;
  }
}

/**
 * Listens, and serves /healthz from then on. Everything else is loaded and opened in the
 * background.
 */
async function open(config: Config): Promise<GatewayProcess> {
  const log = createLog(config.logLevel);
  const metrics = await openMetricsServer(config, log);
  const tracing = await openTracing(config, log);
  const app = createApp({
    log,
    errorPresenters: ERROR_PRESENTERS,
    maxConcurrentRequests: config.maxConcurrentRequests,
    metrics: metrics.requests,
    tracing: tracing.requests,
  });
  const server = await openServer(app, config);
  // These modules are slow to load, /healthz does not need them, and some read NODE_ENV.
  const composing = import('./composition/gateway.js').then(({ composeGateway }) =>
    composeGateway(config, {
      log,
      workerMetrics: metrics.worker,
      streamMetrics: metrics.streams,
      tracing,
      url: server.url,
    }),
  );
  return { app, server, metrics, tracing, composing };
}

function serve({ app, metrics }: GatewayProcess, { handlers, database, worker }: Gateway): void {
  app.mount(handlers);
  metrics.collectFrom({ database, readiness: handlers.readiness });
  worker.start();
}

async function stop({ app, server, metrics, tracing, composing }: GatewayProcess): Promise<void> {
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
  await server.close(DRAIN_TIMEOUT_MS);
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
  { server, metrics }: GatewayProcess,
  { playground: hasPlayground }: Config,
  demo: readonly string[],
): void {
  const addresses = addressLines(server.url, { hasPlayground, metricsUrl: metrics.url });
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

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway: ${error.message}\n`);
  process.exit(1);
});
