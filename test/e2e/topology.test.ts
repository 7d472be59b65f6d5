import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { headersOf, holdToReference } from '../fixtures/described.js';
import { readingsAt, seriesOf } from '../fixtures/readings.js';
import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { Post } from '../../src/domain/posts/post.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { findProgram } from '../setup/program.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';
import { killStarted, start, until, type Started } from '../setup/started.js';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');

/** The topology of compose.yml as plain processes, on a real PostgreSQL, Redis and nginx: tools/topology.mjs. */
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
interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: any;
}

let database: TestDatabase;
let redis: OwnRedis;
let topology: Started;
let agent: Agent;
let viewer: KeyedViewer;
let posts: Post[];

beforeAll(async () => {
  findProgram({ whose: 'topology', names: ['nginx'], debianPackage: 'nginx-light' });
  [database, redis] = await Promise.all([testDatabase(), ownRedis()]);
  const records = recordsIn(database);
  viewer = await records.aViewer({ rateLimitOverride: 1_000_000 });
  const account = await records.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'mastodon',
    sandbox: true,
  });
  posts = await Promise.all(
    Array.from({ length: CLIENTS }, () =>
      records.aPost({ by: viewer, account, cell: 'published_posted', text: 'number 0' }),
    ),
  );
  topology = start({ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'error' }, [
    process.execPath,
    'tools/topology.mjs',
  ]);
  await until(() => topology.output().includes('\n'), topology);
  agent = new Agent({ ca: readFileSync(now().certificate), keepAlive: true });
}, 60_000);

afterAll(async () => {
  agent?.destroy();
  topology?.child.kill('SIGTERM');
  await topology?.exit;
  killStarted();
  await redis?.close();
  await database?.drop();
}, 30_000);

/** What the topology last said of itself; it does when a process was started again. */
const now = (): Running => JSON.parse(topology.output().trimEnd().split('\n').at(-1)!) as Running;

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = {
    Authorization: `Bearer-API ${viewer.apiKey}`,
    'Service-Workspace-Id': viewer.workspace.id,
    'Content-Type': 'application/json',
  };
  const sent = request(now().url + path, { method, headers, agent }).end(
    body === undefined ? undefined : JSON.stringify(body),
  );
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const [status, answer] = [response.statusCode ?? 0, await text(response)];
  await holdToReference({
    method,
    path,
    status,
    headers: headersOf(response.rawHeaders),
    text: () => answer,
  });
  return { status, headers: response.headers, body: JSON.parse(answer) };
}

/** Asks again while it is answered that the service is away for a moment. */
async function patiently(...asked: Parameters<typeof ask>): Promise<Answer> {
  for (;;) {
    const answer = await ask(...asked);
    if (answer.status !== 503) return answer;
    await sleep(200);
  }
}

/** Changes its own post again and again through alternating doors, reads between, and tells what was answered. */
async function client(
  post: Post,
  last: number,
): Promise<{ answers: Answer[]; acknowledged: number; tried: number }> {
  const answers: Answer[] = [];
  let [tried, acknowledged] = [0, 0];
  while (Date.now() < last) {
    const text = `number ${++tried}`;
    const changed =
      tried % 2 === 0
        ? await ask('PUT', `/v1/posts/${post.id}`, { post: { text } })
        : await ask('POST', '/graphql', {
            query:
              'mutation($id: ID!, $text: String) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } userErrors { code } } }',
            variables: { id: post.id, text },
          });
    if (changed.status === 200) acknowledged = tried;
    answers.push(changed, await ask('GET', '/v1/posts?state=published'));
  }
  return { answers, acknowledged, tried };
}

/** The image's own check, in a process of the given environment, as a container engine would run it. */
async function isHealthy(env: Record<string, string>): Promise<boolean> {
  const [, check = ''] =
    /^HEALTHCHECK.*\\\n +CMD (\[.*\])$/m.exec(
      readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'),
    ) ?? [];
  const [, ...args] = JSON.parse(check) as string[];
  return run(process.execPath, args, { env }).then(
    () => true,
    () => false,
  );
}

it('measures every process on a port of its own, by which the image’s check tells whether it is well', async () => {
  const ports = Object.values(now().metrics).map((url) => new URL(url).port);
  expect(new Set(ports).size).toBe(4);
  for (const [service, url] of Object.entries(now().metrics)) {
    const parts = seriesOf(await readingsAt(new URL(url).origin), 'posts_gateway_part_up');
    expect([service, parts]).toEqual([
      service,
      {
        '{part="database"}': 1,
        '{part="migrations"}': 1,
        '{part="queue"}': 1,
        ...(service.startsWith('gateway') && { '{part="redis"}': 1 }),
      },
    ]);
  }
  expect(
    await Promise.all(ports.map((port) => isHealthy({ METRICS_PORT: port, PORT: '1' }))),
  ).toEqual([true, true, true, true]);
  expect(await isHealthy({ PORT: ports[0]! })).toBe(true); // without METRICS_PORT it asks the gateway's own
  expect(await isHealthy({ METRICS_PORT: '1', PORT: ports[0]! })).toBe(false);
});

it(
  'serves on while a gateway and a worker are killed, loses nothing it acknowledged, and brings all of it to the network',
  async () => {
    expect((await patiently('GET', '/v1/posts?state=published')).body.total).toBe(CLIENTS);
    const last = Date.now() + LOAD_MS;
    setTimeout(() => process.kill(now().pids['gateway-1'], 'SIGKILL'), LOAD_MS / 4);
    setTimeout(() => process.kill(now().pids['worker-1'], 'SIGKILL'), LOAD_MS / 2);
    const outcomes = await Promise.all(posts.map((post) => client(post, last)));

    const answers = outcomes.flatMap((outcome) => outcome.answers);
    const others = answers.filter(({ status }) => status !== 200);
    expect(
      others.map(({ status, body, headers }) => [
        status,
        body.code ?? body.errors?.[0]?.extensions?.code,
        headers['retry-after'] !== undefined,
      ]),
    ).toEqual(others.map(() => [503, 'UNAVAILABLE', true]));
    expect(outcomes.map((outcome) => outcome.answers.at(-1)?.status)).toEqual(posts.map(() => 200));

    for (const [n, { acknowledged, tried }] of outcomes.entries()) {
      const saved = Number(
        (await patiently('GET', `/v1/posts/${posts[n]!.id}`)).body.text.replace('number ', ''),
      );
      expect(saved).toBeGreaterThanOrEqual(acknowledged);
      expect(saved).toBeLessThanOrEqual(tried);
    }

    const isSynced = async ({ id }: Post): Promise<boolean> => {
      const { body } = await patiently('POST', '/graphql', {
        query: '{ post(id: "' + id + '") { text networkSync { status liveText } } }',
      });
      const { text, networkSync } = body.data.post;
      return networkSync.status === 'SYNCED' && networkSync.liveText === text;
    };
    const working = async (): Promise<number> =>
      (await database.pool.query("SELECT 1 FROM job WHERE status = 'working'")).rows.length;
    const giveUp = Date.now() + JOBS_END_WITHIN_MS;
    while (Date.now() < giveUp && (await working()) > 0) await sleep(200);
    expect(await working()).toBe(0);
    expect(await Promise.all(posts.map(isSynced))).toEqual(posts.map(() => true));
    for (const post of posts) {
      const [saved, shown] = await Promise.all([
        patiently('GET', `/v1/posts/${post.id}`),
        patiently('GET', `/sandbox/${post.id}`),
      ]);
      expect(shown.body.text).toBe(saved.body.text);
    }
  },
  JOBS_END_WITHIN_MS + LOAD_MS + 30_000,
);

it('says through nginx what to do while no gateway is there, as the reference has it', async () => {
  await patiently('GET', '/v1/posts');
  for (const gateway of ['gateway-1', 'gateway-2'] as const)
    process.kill(now().pids[gateway], 'SIGKILL');
  expect(await ask('GET', '/v1/posts')).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' },
  });
});
