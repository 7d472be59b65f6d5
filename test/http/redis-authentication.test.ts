import { pino } from 'pino';
import { NO_EPOCHS } from '../../src/redis/grants-versions.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { GATE_TIMES, openEpochs, type GateTimes } from '../../src/redis/redis-state.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { eventually, keptLog } from '../fixtures/redis-parts.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { ownRedis, type OwnRedis } from '../setup/redis.js';

const LIMIT = 5;
const isAway = expect.stringMatching(/^Redis is away/);
const isBack = expect.stringMatching(/^Redis is back/);

let redis: OwnRedis;
let gateway: TestGateway;
let viewer: KeyedViewer;
const lines: string[] = [];

function opened(times: GateTimes): void {
  beforeAll(async () => {
    redis = await ownRedis();
    const log = pino(
      { level: 'warn' },
      { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) },
    );
    gateway = await gatewayWith({ redisUrls: [redis.url], rateLimit: LIMIT, log, times });
  });
  beforeEach(async () => {
    viewer = await gateway.records.aViewer();
    lines.length = 0;
  });
  afterAll(async () => {
    await gateway.close();
    await redis.close();
  });
}

const list = (asking = {}) => gateway.v1('GET', '/posts', { as: viewer, ...asking });
const status = async (): Promise<number> => (await list()).status;
const revoke = async (epochs = NO_EPOCHS): Promise<void> =>
  void (await createAdminStore(gateway.db.prisma, epochs).revokeKey(viewer.key.id, new Date()));
/** Until grants are used that nobody reads again. */
async function known(): Promise<void> {
  for (let times = 0; times < 3; times++) expect(await status()).toBe(200);
}

describe('the gate with a Redis', () => {
  opened({ requestWindow: 3_000, lease: 600 });

  it('opens the window when its headers said so, to both doors, and they agree on every answer', async () => {
    const told = ({ headers }: { headers: Headers }) =>
      ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    const first = await list();
    const [, , reset = 0] = told(first);
    const second = await gateway.graphql(
      '{ rateLimit { limit remaining resetAt } }',
      {},
      { as: viewer },
    );
    const { rateLimit } = second.body.data;
    expect([told(first), told(second), rateLimit]).toEqual([
      [LIMIT, 4, reset],
      [LIMIT, 3, reset],
      { limit: LIMIT, remaining: 3, resetAt: expect.any(String) },
    ]);
    expect(second.body.extensions.rateLimit).toEqual(rateLimit);
    expect(Math.ceil(Date.parse(rateLimit.resetAt) / 1000)).toBe(reset);
    const refused = [
      await gateway.v1('GET', '/nothing', { as: viewer }),
      await list({ workspace: null }),
      await gateway.graphql('{', {}, { as: viewer }),
    ];
    expect(refused.map((answer) => [answer.status, ...told(answer)])).toEqual([
      [404, LIMIT, 2, reset],
      [403, LIMIT, 1, reset],
      [200, LIMIT, 0, reset],
    ]);
    for (const over of [
      await list(),
      await gateway.graphql('{ __typename }', {}, { as: viewer }),
    ]) {
      const wait = Number(over.headers.get('retry-after'));
      expect([over.status, ...told(over), wait >= 1 && wait <= 3]).toEqual([
        429,
        LIMIT,
        0,
        reset,
        true,
      ]);
    }
    await eventually(() => Date.now() >= reset * 1000);
    expect(told(await list()).slice(0, 2)).toEqual([LIMIT, 4]);
  });

  it('lets no grant outlive a change that Redis could not be told of: the change waits', async () => {
    const { log, lines: told } = keptLog();
    await known();
    // This gateway reaches its Redis; whoever revokes does not.
    const cutOff = openEpochs(
      { redisUrls: ['redis://127.0.0.1:1'], redisPrefix: gateway.config.redisPrefix },
      log,
      { ...GATE_TIMES, lease: 600 },
    );
    await revoke(cutOff);
    expect([await status(), lines, told]).toEqual([
      401,
      [],
      [expect.stringMatching(/^Redis could not be told/)],
    ]);
    await cutOff.close();
  });
});

describe('the gate without its Redis', () => {
  opened(GATE_TIMES);

  it('counts for itself while it is stopped, from what it saw last, reads every grant, and counts with the others again when it is back', async () => {
    await known();
    await redis.stop();
    await eventually(() => lines.length > 0);
    const reset = (await list()).headers.get('x-ratelimit-reset');
    const last = await list();
    expect([
      last.status,
      last.headers.get('x-ratelimit-remaining'),
      last.headers.get('x-ratelimit-reset'),
    ]).toEqual([200, '0', reset]);
    expect(await gateway.ask('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', parts: { redis: 'away' } },
    });
    expect(await status()).toBe(429);
    await revoke(); // nobody has to be told: nothing is known
    expect([await status(), lines]).toEqual([401, [isAway]]);
    await redis.start();
    await eventually(() => lines.length === 2);
    viewer = await gateway.records.aViewer();
    expect([await status(), lines]).toEqual([200, [isAway, isBack]]);
    expect(await gateway.ask('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', parts: { redis: 'ok' } },
    });
  });

  it('serves while it is frozen; what was known before is not used when it comes back', async () => {
    await known();
    redis.freeze();
    expect([await status(), await status(), lines]).toEqual([200, 200, [isAway]]);
    await revoke();
    expect(await status()).toBe(401);
    redis.thaw();
    await eventually(() => lines.length === 2);
    expect([await status(), lines]).toEqual([401, [isAway, isBack]]);
  });

  it('knows nothing any more by one that lost its memory', async () => {
    await known();
    await revoke();
    expect(await status()).toBe(200); // what is known is used, or this shows nothing
    await redis.stop();
    await redis.start();
    await eventually(() => lines.length === 2);
    expect(await status()).toBe(401);
  });
});
