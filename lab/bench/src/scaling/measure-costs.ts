import { withBenchEnvironment } from '../bench-environment.js';
import { createTemporaryDatabase } from '../database.js';
import type { Options } from '../options.js';
import { logProgress } from '../progress.js';
import { publish } from '../publication-run.js';
import { addAccounts } from '../publishing-posts.js';
import { SERVERS } from '../servers.js';
import { textTable } from '../text-table.js';
import { backends, ownMb, residentMb } from '../usage.js';
import { COST_HEAD, costRows, PROCESS_HEAD, processRows } from './costs-report.js';
import type { Costs, PublishedCost } from './costs.js';
import { measurePosts } from './measure-posts.js';
import { measureRequests } from './measure-requests.js';
import { measureWorkspaces } from './measure-workspaces.js';

const PUBLICATIONS_PER_SECOND = 100;
/** Publications last longer than a round of requests, as workers start them in batches. */
const PUBLICATION_STRETCH = 4;

type RequestFigures = Pick<Costs, 'machine' | 'requests'> & {
  readonly memory: Omit<Costs['memory'], 'worker'>;
  readonly connections: number;
};

async function measureGateway({ posts, pace }: Options): Promise<RequestFigures> {
  let figures: RequestFigures | undefined;
  await withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(posts);
    const { pool } = seeded.database;
    const running = await environment.start(SERVERS[0]!, seeded);
    const gatewayIdle = residentMb(running.pid);
    logProgress('Sending requests');
    const requests = await measureRequests(
      { environment, seeded, running, connections: pace.connections },
      pace,
    );
    const pids = await backends(pool);
    figures = {
      machine: await environment.machine(seeded),
      requests,
      memory: {
        gatewayIdle,
        gateway: residentMb(running.pid),
        connection: pids.reduce((sum, pid) => sum + ownMb(pid), 0) / pids.length,
      },
      connections: pids.length,
    };
  });
  return figures!;
}

interface PublishingFigures extends Pick<Costs, 'workspace' | 'post'> {
  readonly publication: PublishedCost;
  readonly workerMb: number;
  readonly connections: number;
}

async function measureWorker(seconds: number): Promise<PublishingFigures> {
  const database = await createTemporaryDatabase('posts_gateway_bench_costs');
  try {
    const workspace = await measureWorkspaces(database.pool);
    const post = await measurePosts(database.pool);
    await addAccounts(database.pool);
    logProgress(`Publishing ${PUBLICATIONS_PER_SECOND} posts per second for ${seconds} s`);
    const { cost, workerMb, connections } = await publish(database, 'steady', {
      posts: Math.ceil(PUBLICATIONS_PER_SECOND * seconds),
      perSecond: PUBLICATIONS_PER_SECOND,
    });
    const { worker: workerCpu, database: databaseCpu, ...rest } = cost;
    return {
      workspace,
      post,
      publication: { workerCpu, databaseCpu, ...rest },
      workerMb,
      connections,
    };
  } finally {
    await database.close();
  }
}

/** Figures with four significant digits: more are not repeatable. */
const rounded = (costs: Costs): string =>
  JSON.stringify(costs, (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  );

/** Measures what a workspace, a request and a publication cost. */
export async function measureCosts(options: Options): Promise<void> {
  const gateway = await measureGateway(options);
  const { workspace, post, publication, ...worker } = await measureWorker(
    options.pace.seconds * PUBLICATION_STRETCH,
  );
  const costs: Costs = {
    machine: gateway.machine,
    workspace,
    post,
    requests: gateway.requests,
    publication,
    memory: { ...gateway.memory, worker: worker.workerMb },
    connections: { gateway: gateway.connections, worker: worker.connections },
  };
  process.stdout.write(
    `${costs.machine}\n\n${textTable(COST_HEAD, costRows(costs))}\n\n${textTable(PROCESS_HEAD, processRows(costs))}\n`,
  );
  if (options.json) process.stdout.write(`${rounded(costs)}\n`);
}
