import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fromRawHeaders, assertMatchesOpenApi } from '../../test/fixtures/described-response.js';
import { scrapeMetrics, seriesOf } from '../../test/fixtures/metric-series.js';
import { recordsIn, type KeyedViewer } from '../../test/fixtures/records.js';
import type { Post } from '../../src/domain/posts/post.js';
import { testDatabase, type TestDatabase } from '../../test/setup/database.js';
import { findProgram } from '../../test/setup/system-program.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import {
  killStartedPrograms,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../../test/setup/started-program.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');

/**
 * The topology of compose.yml as plain processes, on a real PostgreSQL, Redis and nginx:
 * tools/topology.mjs.
 */
const CLIENTS = 4;
const LOAD_MS = 6_000;
/** A worker that is killed keeps its job until the lease ends, 20 seconds later. */
const JOBS_END_WITHIN_MS = 60_000;

type Service = 'gateway-1' | 'gateway-2' | 'worker-1' | 'worker-2';
interface Running {
  url: string;
  certificate: string;
  pids: Record<Service | 'nginx', number>;
  metrics: Record<Service, string>;
}
interface ApiResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: any;
}

let database: TestDatabase;
let redis: RedisServer;
let topology: StartedProgram;
let agent: Agent;
let viewer: KeyedViewer;
let posts: Post[];

beforeAll(async () => {
  findProgram({ neededBy: 'topology', names: ['nginx'], debianPackage: 'nginx-light' });
  [database, redis] = await Promise.all([testDatabase(), aRedisServer()]);
  const records = recordsIn(database);
  viewer = await records.aViewer({ rateLimitOverride: 1_000_000 });
  const account = await records.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'mastodon',
    sandbox: true,
  });
  posts = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      records.aPost({ by: viewer, account, storedState: 'published_posted', text: 'number 0' }),
    ),
  );
  topology = startProgram(
    { DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'error' },
    [process.execPath, 'tools/topology.mjs'],
  );
  await waitUntil(() => topology.output().includes('\n'), topology);
  agent = new Agent({ ca: readFileSync(current().certificate), keepAlive: true });
});

afterAll(async () => {
  agent?.destroy();
  topology?.child.kill('SIGTERM');
  await topology?.exit;
  killStartedPrograms();
  await redis?.close();
  await database?.drop();
});

/** Current processes: the last line of output, which is printed after every restart. */
const current = (): Running =>
  JSON.parse(topology.output().trimEnd().split('\n').at(-1)!) as Running;

async function send(method: string, path: string, body?: unknown): Promise<ApiResponse> {
  const headers = {
    Authorization: `Bearer-API ${viewer.apiKey}`,
    'Service-Workspace-Id': viewer.workspace.id,
    'Content-Type': 'application/json',
  };
  const sent = request(current().url + path, { method, headers, agent }).end(
    body === undefined ? undefined : JSON.stringify(body),
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const [status, responseText] = [response.statusCode ?? 0, await text(response)];
  await assertMatchesOpenApi({
    method,
    path,
    status,
    headers: fromRawHeaders(response.rawHeaders),
    text: () => responseText,
  });
  return { status, headers: response.headers, body: JSON.parse(responseText) };
}

/** Retries while the response is 503. */
async function sendWithRetry(...parameters: Parameters<typeof send>): Promise<ApiResponse> {
  for (;;) {
    const response = await send(...parameters);
    if (response.status !== 503) return response;
    await sleep(200);
  }
}

/**
 * Updates a post repeatedly through alternating APIs, with reads in between. Returns all responses.
 */
async function runClient(
  post: Post,
  until: number,
): Promise<{ responses: ApiResponse[]; acknowledged: number; attempted: number }> {
  const responses: ApiResponse[] = [];
  let [attempted, acknowledged] = [0, 0];
  while (Date.now() < until) {
    const text = `number ${++attempted}`;
    const update =
      attempted % 2 === 0
        ? await send('PUT', `/v1/posts/${post.id}`, { post: { text } })
        : await send('POST', '/graphql', {
            query:
              'mutation($id: ID!, $text: String) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } userErrors { code } } }',
            variables: { id: post.id, text },
          });
    if (update.status === 200) acknowledged = attempted;
    responses.push(update, await send('GET', '/v1/posts?state=published'));
  }
  return { responses, acknowledged, attempted };
}

/** Runs the health check of the image with an environment, as a container engine would. */
async function isHealthy(env: Record<string, string>): Promise<boolean> {
  const [, check = ''] =
    /^HEALTHCHECK.*\\\n +CMD (\[.*\])$/m.exec(
      readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'),
    ) ?? [];
  const [program, ...args] = JSON.parse(check) as [string, ...string[]];
  return run(program, args, { env: { PATH: process.env.PATH!, ...env } }).then(
    () => true,
    () => false,
  );
}

it('serves metrics of every process on its own port, which the health check of the image uses', async () => {
  const ports = Object.values(current().metrics).map((url) => new URL(url).port);
  expect(new Set(ports).size).toBe(4);
  for (const [service, url] of Object.entries(current().metrics)) {
    const dependencies = seriesOf(
      await scrapeMetrics(new URL(url).origin),
      'posts_gateway_dependency_up',
    );
    expect([service, dependencies]).toEqual([
      service,
      {
        '{dependency="database"}': 1,
        '{dependency="migrations"}': 1,
        '{dependency="publishing"}': 1,
        '{dependency="clock"}': 1,
        '{dependency="media"}': 1,
        ...(service.startsWith('gateway') && {
          '{dependency="media_url"}': 1,
          '{dependency="redis"}': 1,
        }),
      },
    ]);
  }
  expect(
    await Promise.all(ports.map((port) => isHealthy({ METRICS_PORT: port, PORT: '1' }))),
  ).toEqual([true, true, true, true]);
  // without METRICS_PORT, it uses the port of the gateway
  expect(await isHealthy({ PORT: ports[0]! })).toBe(true);
  expect(await isHealthy({ METRICS_PORT: '1', PORT: ports[0]! })).toBe(false);
});

it(
  'stays available while a gateway and a worker are killed, keeps every acknowledged change and sends it to the network',
  async () => {
    expect((await sendWithRetry('GET', '/v1/posts?state=published')).body.total).toBe(CLIENTS);
    const until = Date.now() + LOAD_MS;
    setTimeout(() => process.kill(current().pids['gateway-1'], 'SIGKILL'), LOAD_MS / 4);
    setTimeout(() => process.kill(current().pids['worker-1'], 'SIGKILL'), LOAD_MS / 2);
    const outcomes = await Promise.all(posts.map((post) => runClient(post, until)));

    const responses = outcomes.flatMap((outcome) => outcome.responses);
    const failures = responses.filter(({ status }) => status !== 200);
    expect(
      failures.map(({ status, body, headers }) => [
        status,
        body.code ?? body.errors?.[0]?.extensions?.code,
        headers['retry-after'] !== undefined,
      ]),
    ).toEqual(failures.map(() => [503, 'UNAVAILABLE', true]));
    expect(outcomes.map((outcome) => outcome.responses.at(-1)?.status)).toEqual(
      posts.map(() => 200),
    );

    for (const [n, { acknowledged, attempted }] of outcomes.entries()) {
      const saved = Number(
        (await sendWithRetry('GET', `/v1/posts/${posts[n]!.id}`)).body.text.replace('number ', ''),
      );
      expect(saved).toBeGreaterThanOrEqual(acknowledged);
      expect(saved).toBeLessThanOrEqual(attempted);
    }

    const isSynced = async ({ id }: Post): Promise<boolean> => {
      const { body } = await sendWithRetry('POST', '/graphql', {
        query: '{ post(id: "' + id + '") { text networkSync { status liveText } } }',
      });
      const { text, networkSync } = body.data.post;
      return networkSync.status === 'SYNCED' && networkSync.liveText === text;
    };
    const countWorkingJobs = async (): Promise<number> =>
      (await database.pool.query("SELECT 1 FROM job WHERE status = 'working'")).rows.length;
    const deadline = Date.now() + JOBS_END_WITHIN_MS;
    while (Date.now() < deadline && (await countWorkingJobs()) > 0) await sleep(200);
    expect(await countWorkingJobs()).toBe(0);
    expect(await Promise.all(posts.map(isSynced))).toEqual(posts.map(() => true));
    for (const post of posts) {
      const [saved, published] = await Promise.all([
        sendWithRetry('GET', `/v1/posts/${post.id}`),
        sendWithRetry('GET', `/sandbox/${post.id}`),
      ]);
      expect(published.body.text).toBe(saved.body.text);
    }
  },
  JOBS_END_WITHIN_MS + LOAD_MS + 30_000,
);

it('returns 503 UNAVAILABLE from nginx while no gateway is running, as in the OpenAPI document', async () => {
  await sendWithRetry('GET', '/v1/posts');
  for (const gateway of ['gateway-1', 'gateway-2'] as const)
    process.kill(current().pids[gateway], 'SIGKILL');
  expect(await send('GET', '/v1/posts')).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' },
  });
});
