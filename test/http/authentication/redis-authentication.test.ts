import { pino } from 'pino';
import { NO_GRANTS_VERSIONS } from '../../../src/redis/grants-versions.js';
import { createAdminStore } from '../../../src/persistence/admin/admin-store.js';
import {
  AUTHENTICATION_TIMES,
  openGrantsVersions,
  type AuthenticationTimes,
} from '../../../src/redis/shared-redis-state.js';
import { gatewayWith, type TestGateway } from '../../fixtures/gateway.js';
import { recordingLog } from '../../fixtures/redis-connection.js';
import { waitFor } from '../../fixtures/wait-for.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { aRedisServer, type RedisServer } from '../../setup/redis.js';

const LIMIT = 5;
const unavailable = expect.stringMatching(/^Redis is unavailable/);
const available = expect.stringMatching(/^Redis is available again/);

let redis: RedisServer;
let gateway: TestGateway;
let viewer: KeyedViewer;
const lines: string[] = [];

function setUp(times: AuthenticationTimes): void {
  beforeAll(async () => {
    redis = await aRedisServer();
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

const list = (options = {}) => gateway.v1('GET', '/posts', { as: viewer, ...options });
const status = async (): Promise<number> => (await list()).status;
const revoke = async (epochs = NO_GRANTS_VERSIONS): Promise<void> =>
  void (await createAdminStore(gateway.db, epochs).revokeKey(viewer.key.id, new Date()));
/** Sends requests until cached grants are used. */
async function fillCache(): Promise<void> {
  for (let times = 0; times < 3; times++) expect(await status()).toBe(200);
}

describe('authentication with Redis', () => {
  setUp({ requestWindowMs: 3_000, grantLeaseMs: 600 });

  it('resets the window when its headers announced it, and both APIs report the same counts', async () => {
    const limitsOf = ({ headers }: { headers: Headers }) =>
      ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
    const first = await list();
    const [, , reset = 0] = limitsOf(first);
    const second = await gateway.graphql(
      '{ rateLimit { limit remaining resetAt } }',
      {},
      { as: viewer },
    );
    const { rateLimit } = second.body.data;
    expect([limitsOf(first), limitsOf(second), rateLimit]).toEqual([
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
    expect(refused.map((answer) => [answer.status, ...limitsOf(answer)])).toEqual([
      [404, LIMIT, 2, reset],
      [403, LIMIT, 1, reset],
      [200, LIMIT, 0, reset],
    ]);
    for (const over of [
      await list(),
      await gateway.graphql('{ __typename }', {}, { as: viewer }),
    ]) {
      const wait = Number(over.headers.get('retry-after'));
      expect([over.status, ...limitsOf(over), wait >= 1 && wait <= 3]).toEqual([
        429,
        LIMIT,
        0,
        reset,
        true,
      ]);
    }
    await waitFor(() => Date.now() >= reset * 1000);
    expect(limitsOf(await list()).slice(0, 2)).toEqual([LIMIT, 4]);
  });

  it('makes a change wait until cached grants have expired if it cannot invalidate them', async () => {
    const { log, lines: warnings } = recordingLog();
    await fillCache();
    // The gateway is connected to Redis; the process that revokes the key is not.
    const disconnected = openGrantsVersions(
      { redisUrls: ['redis://127.0.0.1:1'], redisPrefix: gateway.config.redisPrefix },
      log,
      { ...AUTHENTICATION_TIMES, grantLeaseMs: 600 },
    );
    await revoke(disconnected);
    expect([await status(), lines, warnings]).toEqual([
      401,
      [],
      [expect.stringMatching(/^Could not invalidate cached grants in Redis/)],
    ]);
    await disconnected.close();
  });
});

describe('authentication during a Redis outage', () => {
  setUp(AUTHENTICATION_TIMES);

  it('counts in the process from the last shared count and reads every grant while Redis is down, and shares counts again afterwards', async () => {
    await fillCache();
    await redis.stop();
    await waitFor(() => lines.length > 0);
    const reset = (await list()).headers.get('x-ratelimit-reset');
    const last = await list();
    expect([
      last.status,
      last.headers.get('x-ratelimit-remaining'),
      last.headers.get('x-ratelimit-reset'),
    ]).toEqual([200, '0', reset]);
    expect(await gateway.request('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { redis: 'unavailable' } },
    });
    expect(await status()).toBe(429);
    await revoke(); // nothing to invalidate: no grants are cached
    expect([await status(), lines]).toEqual([401, [unavailable]]);
    await redis.start();
    await waitFor(() => lines.length === 2);
    viewer = await gateway.records.aViewer();
    expect([await status(), lines]).toEqual([200, [unavailable, available]]);
    expect(await gateway.request('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { redis: 'ok' } },
    });
  });

  it('serves requests while Redis is frozen, and drops the grants cached before', async () => {
    await fillCache();
    redis.freeze();
    expect([await status(), await status(), lines]).toEqual([200, 200, [unavailable]]);
    await revoke();
    expect(await status()).toBe(401);
    redis.thaw();
    await waitFor(() => lines.length === 2);
    expect([await status(), lines]).toEqual([401, [unavailable, available]]);
  });

  it('drops cached grants after Redis lost its data', async () => {
    await fillCache();
    await revoke();
    expect(await status()).toBe(200); // the cached grant is used: otherwise this test shows nothing
    await redis.stop();
    await redis.start();
    await waitFor(() => lines.length === 2);
    expect(await status()).toBe(401);
  });
});
