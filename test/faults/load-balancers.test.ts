import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { startNginx } from '../../lab/nginx/nginx.js';
import { aForm, aPicture } from '../fixtures/media-files.js';
import { freePort } from '../setup/free-port.js';
import { startHaproxy, type LoadBalancer } from '../setup/haproxy.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { startDeployment, type Deployment } from './deployment.js';
import { createGatewayClient, type GatewayClient, type GatewayRequest } from './gateway-client.js';
import { createTestPosts, type TestPosts } from './test-posts.js';

/** Restarts of PostgreSQL, and of each gateway. */
const ROUNDS = suite.length === 'full' ? 10 : 2;
const OUTAGE_MS = 300;
const CLIENTS = 6;
const UPLOADS = 40;
const PAUSE_MS = 5;
jest.setTimeout(180_000 + ROUNDS * 20_000);

let deployment: Deployment;
let testPosts: TestPosts;
beforeAll(async () => {
  buildIfChanged();
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  deployment = await startDeployment({
    TRUSTED_PROXIES: '127.0.0.1',
    // Every upload fails, at both gateways.
    MEDIA_S3_ENDPOINT: nowhere,
    MEDIA_S3_BUCKET: 'media',
    MEDIA_S3_ACCESS_KEY_ID: 'id',
    MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
  });
  const database = await deployment.database();
  testPosts = await createTestPosts(database, { clients: CLIENTS, toDelete: 0 });
  await database.close();
});
afterAll(async () => {
  await deployment?.close();
  killStartedPrograms();
});

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

/** The short form runs beside other tests, so that a gateway may start after its health check. */
const MAX_FAILED = suite.length === 'short' ? 3 : 0;

describe.each([
  ['nginx', startNginx],
  ['HAProxy', startHaproxy],
])('%s', (_name, start) => {
  let balancer: LoadBalancer;
  let client: GatewayClient;
  let direct: GatewayClient;
  let uploads: Agent;
  beforeAll(async () => {
    const [first, second] = [deployment.gateways[0]!, deployment.gateways[1]!];
    balancer = await start([portOf(first), portOf(second)]);
    client = createGatewayClient([balancer.url], testPosts.viewer, { ca: balancer.ca });
    direct = createGatewayClient([first.url, second.url], testPosts.viewer);
    uploads = new Agent({ connect: { ca: balancer.ca } });
    while ((await client.send(0, { method: 'GET', path: '/v1/posts' })).status !== 200)
      await sleep(PAUSE_MS);
  });
  afterAll(async () => {
    await Promise.all([client?.close(), direct?.close(), uploads?.destroy()]);
    await balancer?.close();
  });

  const requestsOf = (id: string, n: number): readonly GatewayRequest[] => [
    { method: 'GET', path: '/v1/posts?limit=5' },
    { method: 'PUT', path: `/v1/posts/${id}`, body: { post: { text: `Text ${n}` } } },
    { method: 'POST', path: '/graphql', body: { query: '{ posts(first: 5) { totalCount } }' } },
  ];

  /** What clients receive, and when they asked, while a promise is pending. */
  async function responsesDuring(
    over: Promise<unknown>,
  ): Promise<readonly { readonly startedAt: number; readonly result: string }[]> {
    const responses: { startedAt: number; result: string }[] = [];
    let isOver = false;
    const ended = over.finally(() => {
      isOver = true;
    });
    await Promise.all([
      ended,
      ...testPosts.byClient.map(async ({ scheduled }) => {
        for (let n = 0; !isOver; n += 1) {
          for (const sent of requestsOf(scheduled[0]!, n)) {
            const { startedAt, status, message } = await client.send(0, sent);
            responses.push({ startedAt, result: `${status} ${message}` });
          }
          await sleep(PAUSE_MS);
        }
      }),
    ]);
    return responses;
  }
  const results = (responses: readonly { readonly result: string }[]): Set<string> =>
    new Set(responses.map(({ result }) => result));

  it('does not tell clients what the gateways depend on', async () => {
    for (const path of ['/readyz', '/healthz']) {
      const { body } = await request(balancer.url + path, { dispatcher: uploads });
      expect(await body.json()).toEqual({ status: 'ok' });
    }
  });

  it('serves all other requests while both gateways answer 503 to one kind', async () => {
    const form = new Response(aForm(await aPicture()));
    const contentType = form.headers.get('Content-Type')!;
    const content = Buffer.from(await form.arrayBuffer());
    const upload = async (): Promise<string> => {
      const { statusCode, body } = await request(`${balancer.url}/v1/media`, {
        method: 'POST',
        dispatcher: uploads,
        headers: {
          Authorization: `Bearer-API ${testPosts.viewer.apiKey}`,
          'Service-Workspace-Id': testPosts.viewer.workspace.id,
          'Content-Type': contentType,
        },
        body: content,
      });
      return `${statusCode} ${((await body.json()) as { message: string }).message}`;
    };
    const failing = Promise.all(
      Array.from({ length: 4 }, async () => {
        const answers: string[] = [];
        while (answers.length < UPLOADS / 4) answers.push(await upload());
        return answers;
      }),
    );
    const others = await responsesDuring(failing);
    expect(new Set((await failing).flat())).toEqual(
      new Set(['503 The media storage is full or cannot be written.']),
    );
    expect(others.length).toBeGreaterThan(UPLOADS);
    expect(results(others)).toEqual(new Set(['200 ']));
  });

  it('serves all requests as soon as PostgreSQL does, after a restart', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      let servedSince = Infinity;
      const restart = async (): Promise<void> => {
        deployment.postgres.kill();
        await sleep(OUTAGE_MS);
        await deployment.postgres.start();
        deployment.proxy.forwardTo(deployment.postgres.port());
        for (const gateway of [0, 1])
          for (const sent of requestsOf(testPosts.shared[0]!, round))
            while ((await direct.send(gateway, sent)).status !== 200) await sleep(PAUSE_MS);
        servedSince = performance.now();
        await sleep(500); // of requests after the restart
      };
      const responses = await responsesDuring(restart());
      const after = responses.filter(({ startedAt }) => startedAt > servedSince);
      expect(after.length).toBeGreaterThan(CLIENTS);
      expect(results(after)).toEqual(new Set(['200 ']));
    }
  });

  it('serves all requests while the gateways are restarted one after the other', async () => {
    const restart = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const gateway of deployment.gateways) {
          await gateway.stop();
          await gateway.start();
        }
    };
    const responses = await responsesDuring(restart());
    const failed = responses.filter(({ result }) => result !== '200 ');
    expect(responses.length).toBeGreaterThan(CLIENTS);
    expect(failed.length).toBeLessThanOrEqual(MAX_FAILED);
  });
});
