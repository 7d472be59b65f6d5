import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressLines, demoLines } from './composition/startup-message.js';
import { openMetrics } from './composition/metrics.js';
import type { Gateway } from './composition/gateway.js';
import { quickenLibraries, readConfig, type Config } from './config/config.js';
import { CELLS } from './domain/posts/states.js';
import { createApp } from './http/app.js';
import { openServer } from './http/connections/server.js';
import { createLog } from './log/log.js';
import { outliveReaders } from './composition/ignore-broken-pipe.js';
import { onceStopped } from './composition/graceful-shutdown.js';

/** How long /readyz tells that we are going before no connection is taken, so that a balancer can look elsewhere. */
const NOTICE_MS = 500;
/** How long running requests and jobs may take to end. With NOTICE_MS and the database's own end it stays under LAST_MS. */
const PATIENCE_MS = 6_000;
/** Whatever hangs, the process is gone by then. */
const LAST_MS = 9_500;

async function start(): Promise<void> {
  outliveReaders();
  const config = readConfig();
  assertPortsApart(config);
  quickenLibraries();
  const log = createLog(config.logLevel);
  const metrics = await openMetrics(config, log);
  const app = createApp({ log, mostAtWork: config.requestsAtOnce, meter: metrics.requests });
  const server = await openServer(app, config); // /healthz answers from here on
  // Loaded only now: the parts take most of the time to start, /healthz does not need them, and some look at NODE_ENV.
  const composing = import('./composition/gateway.js').then(({ composeGateway }) =>
    composeGateway(config, { log, jobMeter: metrics.jobs }),
  );

  const standing = onceStopped({ isUnderNpm: config.isUnderNpm, lastMs: LAST_MS }, async () => {
    app.drain();
    metrics.drain();
    const jobsEnd = composing.then(
      ({ worker }) => worker.stop(NOTICE_MS + PATIENCE_MS),
      () => undefined,
    );
    await sleep(NOTICE_MS);
    await server.close(PATIENCE_MS);
    await jobsEnd;
    await metrics.close();
    await composing.then(
      (gateway) => gateway.close(),
      () => undefined,
    );
  });

  try {
    const gateway = await composing;
    const demo = gateway.database.embedded ? await demoOf(gateway, config, server.url) : [];
    if (standing.isStopping) return; // told to end before it was ready: what was opened is being closed
    app.open(gateway.doors);
    metrics.watch(gateway.database.pool, gateway.doors.vitals);
    gateway.worker.start();
    process.stdout.write(
      [
        ...addressLines(server.url, { hasPlayground: config.playground, metricsUrl: metrics.url }),
        ...demo,
        '',
        '',
      ].join('\n'),
    );
  } catch (error) {
    if (standing.isStopping) return; // it met what is being closed
    await server.close(0);
    await composing.then(
      (gateway) => gateway.close(),
      () => undefined,
    );
    throw error;
  }
}

/** Told before either is taken: the second one's fault would name the wrong setting. */
function assertPortsApart({ port, host, metricsPort, metricsHost }: Config): void {
  if (port !== 0 && metricsPort === port && metricsHost === host)
    throw new Error(`METRICS_PORT is ${port}, and so is PORT: give one of them another`);
}

async function demoOf(
  { database, epochs }: Gateway,
  { dataDir }: Config,
  url: string,
): Promise<string[]> {
  const { openDemo } = await import('./composition/demo-setup.js');
  const demo = await openDemo({ ...database, epochs }, dataDir).ensure({
    graphqlUrl: `${url}/graphql`,
    restUrl: `${url}/v1`,
  });
  const post = await database.prisma.post.findFirst({
    where: {
      workspaceId: demo.workspaceId,
      cell: CELLS.published_posted.number,
      network: 'mastodon',
      type: 'status',
      deletedAt: null,
    },
    orderBy: { id: 'asc' },
    select: { docId: true },
  });
  return demoLines(url, demo, {
    demoFile: path.join(dataDir, 'demo.json'),
    postId: post?.docId ?? '<id>',
  });
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway: ${error.message}\n`);
  process.exit(1);
});
