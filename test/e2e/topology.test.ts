import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordsIn, type KeyedViewer } from '../fixtures/records.js';
import type { Post } from '../../src/domain/post.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';
import { findProgram } from '../setup/program.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';
import { killStarted, start, until, type Started } from '../setup/started.js';

/** The topology of compose.yml as plain processes, on a real PostgreSQL, Redis and nginx: scripts/topology.mjs. */
const CLIENTS = 4;
const LOAD_MS = 6_000;
/** A worker that is killed keeps its job until the lease ends, 20 seconds later. */
const JOBS_END_WITHIN_MS = 60_000;

interface Running { url: string; certificate: string; pids: Record<'gateway-1' | 'gateway-2' | 'worker-1' | 'worker-2' | 'nginx', number> }
interface Answer { status: number; headers: Record<string, string | string[] | undefined>; body: any }

let database: TestDatabase;
let redis: OwnRedis;
let topology: Started;
let running: Running;
let agent: Agent;
let viewer: KeyedViewer;
let posts: Post[];

beforeAll(async () => {
  findProgram({ whose: 'topology', names: ['nginx'], debianPackage: 'nginx-light' });
  [database, redis] = await Promise.all([testDatabase(), ownRedis()]);
  const records = recordsIn(database);
  viewer = await records.aViewer({ rateLimitOverride: 1_000_000 });
  const account = await records.anAccount({ workspaceId: viewer.workspace.id, network: 'mastodon', sandbox: true });
  posts = await Promise.all(Array.from({ length: CLIENTS }, () => records.aPost({ by: viewer, account, cell: 'published_posted', text: 'number 0' })));
  topology = start({ DATABASE_URL: database.url, REDIS_URL: redis.url, LOG_LEVEL: 'error' }, [process.execPath, 'scripts/topology.mjs']);
  await until(() => topology.output().includes('\n'), topology);
  running = JSON.parse(topology.output()) as Running;
  agent = new Agent({ ca: readFileSync(running.certificate), keepAlive: true });
}, 60_000);

afterAll(async () => {
  agent?.destroy();
  topology?.child.kill('SIGTERM');
  await topology?.exit;
  killStarted();
  await redis?.close();
  await database?.drop();
}, 30_000);

function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { Authorization: `Bearer-API ${viewer.apiKey}`, 'Service-Workspace-Id': viewer.workspace.id, 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(running.url + path, { method, headers, agent }, (response) => {
      const parts: string[] = [];
      response.setEncoding('utf8').on('data', (part: string) => parts.push(part)).once('error', reject)
        .once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(parts.join('')) }));
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
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
async function client(post: Post, last: number): Promise<{ answers: Answer[]; acknowledged: number; tried: number }> {
  const answers: Answer[] = [];
  let [tried, acknowledged] = [0, 0];
  while (Date.now() < last) {
    const text = `number ${++tried}`;
    const changed = tried % 2 === 0
      ? await ask('PUT', `/v1/posts/${post.id}`, { post: { text } })
      : await ask('POST', '/graphql', { query: 'mutation($id: ID!, $text: String) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } userErrors { code } } }', variables: { id: post.id, text } });
    if (changed.status === 200) acknowledged = tried;
    answers.push(changed, await ask('GET', '/v1/posts?state=published'));
  }
  return { answers, acknowledged, tried };
}

it('serves on while a gateway and a worker are killed, loses nothing it acknowledged, and brings all of it to the network', async () => {
  expect((await patiently('GET', '/v1/posts?state=published')).body.total).toBe(CLIENTS);
  const last = Date.now() + LOAD_MS;
  setTimeout(() => process.kill(running.pids['gateway-1'], 'SIGKILL'), LOAD_MS / 4);
  setTimeout(() => process.kill(running.pids['worker-1'], 'SIGKILL'), LOAD_MS / 2);
  const outcomes = await Promise.all(posts.map((post) => client(post, last)));

  const answers = outcomes.flatMap((outcome) => outcome.answers);
  const others = answers.filter(({ status }) => status !== 200);
  expect(others.map(({ status, body, headers }) => [status, body.code ?? body.errors?.[0]?.extensions?.code, headers['retry-after'] !== undefined]))
    .toEqual(others.map(() => [503, 'UNAVAILABLE', true]));
  expect(outcomes.map((outcome) => outcome.answers.at(-1)?.status)).toEqual(posts.map(() => 200));

  for (const [n, { acknowledged, tried }] of outcomes.entries()) {
    const saved = Number((await patiently('GET', `/v1/posts/${posts[n]!.id}`)).body.text.replace('number ', ''));
    expect(saved).toBeGreaterThanOrEqual(acknowledged);
    expect(saved).toBeLessThanOrEqual(tried);
  }

  const isSynced = async ({ id }: Post): Promise<boolean> => {
    const { body } = await patiently('POST', '/graphql', { query: '{ post(id: "' + id + '") { text networkSync { status liveText } } }' });
    const { text, networkSync } = body.data.post;
    return networkSync.status === 'SYNCED' && networkSync.liveText === text;
  };
  const working = async (): Promise<number> => (await database.pool.query("SELECT 1 FROM job WHERE status = 'working'")).rows.length;
  const giveUp = Date.now() + JOBS_END_WITHIN_MS;
  while (Date.now() < giveUp && (await working()) > 0) await sleep(200);
  expect(await working()).toBe(0);
  expect(await Promise.all(posts.map(isSynced))).toEqual(posts.map(() => true));
  for (const post of posts) {
    const [saved, shown] = await Promise.all([patiently('GET', `/v1/posts/${post.id}`), patiently('GET', `/sandbox/${post.id}`)]);
    expect(shown.body.text).toBe(saved.body.text);
  }
}, JOBS_END_WITHIN_MS + LOAD_MS + 30_000);
