import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressLines, demoLines } from './banner.js';
import type { Gateway } from './compose.js';
import { readConfig, type Config } from './config.js';
import { CELLS } from './domain/states.js';
import { createApp } from './http/app.js';
import { openServer } from './http/server.js';
import { createLog } from './log.js';

/** How long /readyz tells that we are going before no connection is taken, so that a balancer can look elsewhere. */
const NOTICE_MS = 500;
/** How long running requests may take to end. With NOTICE_MS and the database's own end it stays under LAST_MS. */
const PATIENCE_MS = 6_000;
/** Whatever hangs, the process is gone by then. */
const LAST_MS = 9_500;
/** How often we look whether npm's shell is still there. */
const PARENT_LOOK_MS = 250;

async function start(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const app = createApp({ log });
  const server = await openServer(app.listener, config); // /healthz answers from here on
  // Loaded only now: the parts take most of the time to start, and /healthz does not need them.
  const composing = import('./compose.js').then(({ composeGateway }) => composeGateway(config, { log }));

  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), LAST_MS).unref();
    app.drain();
    await sleep(NOTICE_MS);
    await server.close(PATIENCE_MS);
    await composing.then((gateway) => gateway.close(), () => undefined);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  if (config.isUnderNpm) onceOrphaned(() => void stop());

  try {
    const gateway = await composing;
    const demo = gateway.database.embedded ? await demoOf(gateway, config, server.url) : [];
    app.open(gateway.doors);
    process.stdout.write([...addressLines(server.url, config.playground), ...demo, '', ''].join('\n'));
  } catch (error) {
    await server.close(0);
    await composing.then((gateway) => gateway.close(), () => undefined);
    throw error;
  }
}

/** A signal that ends `npm start` ends the shell between npm and us, which does not pass it on: all we see is a new parent. */
function onceOrphaned(act: () => void): void {
  const shell = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    act();
  }, PARENT_LOOK_MS).unref();
}

async function demoOf({ database }: Gateway, { dataDir }: Config, url: string): Promise<string[]> {
  const { openDemo } = await import('./open-demo.js');
  const demo = await openDemo(database, dataDir).ensure({ graphqlUrl: `${url}/graphql`, restUrl: `${url}/v1` });
  const post = await database.prisma.post.findFirst({
    where: { workspaceId: demo.workspaceId, cell: CELLS.scheduled.number, parentId: null, queuedAt: null, deletedAt: null },
    orderBy: { id: 'asc' }, select: { docId: true },
  });
  return demoLines(demo, { demoFile: path.join(dataDir, 'demo.json'), postId: post?.docId ?? '<id>' });
}

start().catch((error: Error) => {
  process.stderr.write(`posts-gateway: ${error.message}\n`);
  process.exit(1);
});
