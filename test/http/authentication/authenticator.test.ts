import { gatewayWith, type RequestOptions, type TestGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const UNAUTHENTICATED = 'The key is missing, malformed, unknown, revoked or expired.';

describe('authentication', () => {
  let gateway: TestGateway;
  let free: KeyedViewer;
  let otherOwner: KeyedViewer;
  let narrow: KeyedViewer;
  beforeAll(async () => {
    gateway = await gatewayWith();
    const { aViewer } = gateway.records;
    [free, otherOwner, narrow] = await Promise.all([
      aViewer({ plan: 'free' }),
      aViewer(),
      aViewer({ scopes: ['accounts'] }),
    ]);
  });
  afterAll(() => gateway.close());

  const forwarded = { 'X-Forwarded-For': '8.8.8.8' };
  const rejected: [string, () => RequestOptions, number, string][] = [
    [
      'plain HTTP before a bad key',
      () => ({ key: 'nonsense', headers: forwarded }),
      403,
      'HTTPS_REQUIRED',
    ],
    ['plain HTTP before anything', () => ({ headers: forwarded }), 403, 'HTTPS_REQUIRED'],
    [
      'the key before the workspace',
      () => ({ key: null, workspace: null }),
      401,
      'UNAUTHENTICATED',
    ],
    ['the plan before the workspace', () => ({ as: free, workspace: null }), 403, 'PLAN_REQUIRED'],
    ['the plan', () => ({ as: free }), 403, 'PLAN_REQUIRED'],
    [
      'the workspace before the scope',
      () => ({ as: narrow, workspace: null }),
      403,
      'MISSING_WORKSPACE',
    ],
    [
      'a workspace of another user',
      () => ({ workspace: otherOwner.workspace.id }),
      403,
      'NOT_A_MEMBER',
    ],
    ['an unknown workspace', () => ({ workspace: 'wks_0000000000000000' }), 403, 'NOT_A_MEMBER'],
    ['an invalid workspace id', () => ({ workspace: 'x'.repeat(5_000) }), 403, 'NOT_A_MEMBER'],
    ['the scope', () => ({ as: narrow }), 403, 'MISSING_SCOPE'],
  ];
  it.each(rejected)('checks %s, in the order of D35 (v1)', async (_what, options, status, code) => {
    const answer = await gateway.v1('GET', '/posts', options());
    expect(answer).toMatchObject({ status, body: { code, errors: [expect.any(String)] } });
  });

  const checkedBeforeGraphql = new Set(['HTTPS_REQUIRED', 'UNAUTHENTICATED', 'PLAN_REQUIRED']);
  it.each(rejected.filter(([, , , code]) => checkedBeforeGraphql.has(code)))(
    'checks %s (GraphQL)',
    async (_what, options, status, code) => {
      const answer = await gateway.graphql('{ __typename }', {}, options());
      expect(answer).toMatchObject({
        status,
        body: { errors: [{ message: expect.any(String), extensions: { code } }] },
      });
      expect(answer.body).not.toHaveProperty('data');
    },
  );

  it('names the missing scope', async () => {
    expect((await gateway.v1('GET', '/posts', { as: narrow })).body).toEqual({
      errors: ['The key does not have the scope posts:read.'],
      code: 'MISSING_SCOPE',
      message: 'The key does not have the scope posts:read.',
    });
  });

  it('responds with the same 401 for every invalid key (D33)', async () => {
    const { records, owner, db } = gateway;
    const expired = await records.aKey({
      userId: owner.user.id,
      expiresAt: new Date(Date.now() - 1_000),
    });
    const revoked = await records.aKey({ userId: owner.user.id });
    await db.prisma.apiKey.updateMany({
      where: { prefix: revoked.slice(0, 13) },
      data: { revokedAt: new Date() },
    });
    const { apiKey } = owner;
    const typo = apiKey.slice(0, 12) + (apiKey[12] === 'a' ? 'b' : 'a') + apiKey.slice(13);
    const values = [
      `Bearer-API ${expired}`,
      `Bearer-API ${revoked}`,
      `Bearer-API ${typo}`,
      'Bearer-API',
      `Bearer ${apiKey}`,
      apiKey,
      `Bearer-API ${apiKey} x`,
      '',
    ];
    for (const Authorization of values) {
      const answer = await gateway.request('/v1/posts', {
        caller: { key: null },
        headers: { Authorization },
      });
      expect(answer).toMatchObject({
        status: 401,
        body: { errors: [UNAUTHENTICATED], code: 'UNAUTHENTICATED', message: UNAUTHENTICATED },
      });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer-API');
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it('applies a revocation from the next request (D33)', async () => {
    const { records, owner, db } = gateway;
    const key = await records.aKey({ userId: owner.user.id });
    expect((await gateway.v1('GET', '/posts', { key })).status).toBe(200);
    await db.prisma.apiKey.updateMany({
      where: { userId: owner.user.id, name: 'test', prefix: key.slice(0, 13) },
      data: { revokedAt: new Date() },
    });
    expect((await gateway.v1('GET', '/posts', { key })).status).toBe(401);
  });
});

describe('the rate limit (D37)', () => {
  let now = new Date('2026-11-21T10:00:00.500Z');
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith({ rateLimit: 3, clock: { now: () => now } });
  });
  afterAll(() => gateway.close());

  it('counts both APIs, all keys and failed requests, reports the count on each, and responds with the documented 429', async () => {
    const { owner, records } = gateway;
    const other = await records.aKey({ userId: owner.user.id, scopes: ['media'] });
    const limits = (answer: { headers: Headers }): (string | null)[] =>
      ['limit', 'remaining', 'reset'].map((name) => answer.headers.get(`x-ratelimit-${name}`));
    const reset = String(Date.parse('2026-11-21T10:02:01Z') / 1000);

    expect(limits(await gateway.v1('GET', '/posts'))).toEqual(['3', '2', reset]);
    expect(limits(await gateway.graphql('{ __typename }', {}, { key: other }))).toEqual([
      '3',
      '1',
      reset,
    ]);
    const refused = await gateway.v1('GET', '/nothing', { key: other });
    expect([refused.status, ...limits(refused)]).toEqual([404, '3', '0', reset]);

    now = new Date('2026-11-21T10:01:00.000Z');
    const over = await gateway.v1('GET', '/posts');
    expect(over).toMatchObject({
      status: 429,
      body: { error: 'Rate limit exceeded. Retry later.' },
    });
    expect([...limits(over), over.headers.get('retry-after')]).toEqual(['3', '0', reset, '61']);
    const overGraphql = await gateway.graphql('{ __typename }');
    expect(overGraphql).toMatchObject({
      status: 429,
      body: {
        errors: [
          { message: 'Rate limit exceeded. Retry later.', extensions: { code: 'RATE_LIMITED' } },
        ],
      },
    });
    expect(overGraphql.headers.get('retry-after')).toBe('61');

    for (const path of ['/healthz', '/readyz', '/v1/openapi.json']) {
      const free = await gateway.request(path, { caller: { key: null } });
      expect([path, free.status, ...limits(free)]).toEqual([path, 200, null, null, null]);
    }
    now = new Date('2026-11-21T10:02:00.500Z');
    expect((await gateway.v1('GET', '/posts')).status).toBe(200);
  });

  it('applies a user’s override from the next request', async () => {
    const viewer = await gateway.records.aViewer({ rateLimitOverride: 50 });
    expect(
      (await gateway.v1('GET', '/posts', { as: viewer })).headers.get('x-ratelimit-limit'),
    ).toBe('50');
    await gateway.db.prisma.user.update({
      where: { id: viewer.user.id },
      data: { rateLimitOverride: 7 },
    });
    const answer = await gateway.v1('GET', '/posts', { as: viewer });
    expect([
      answer.headers.get('x-ratelimit-limit'),
      answer.headers.get('x-ratelimit-remaining'),
    ]).toEqual(['7', '5']);
  });

  it('limits guessing to 20 failures per minute, and accepts a valid key meanwhile (D38)', async () => {
    const viewer = await gateway.records.aViewer();
    const guess = () => gateway.v1('GET', '/posts', { key: 'spk_live_guess' });
    for (let count = 0; count < 20; count++) expect((await guess()).status).toBe(401);
    const throttled = await guess();
    expect(throttled).toMatchObject({
      status: 429,
      body: { error: 'Rate limit exceeded. Retry later.' },
    });
    expect(throttled.headers.get('x-ratelimit-remaining')).toBe('0');
    expect(throttled.headers.get('retry-after')).toBe('60');
    expect((await gateway.v1('GET', '/posts', { as: viewer })).status).toBe(200);
    expect((await guess()).status).toBe(429);
    now = new Date(now.getTime() + 60_000);
    expect((await guess()).status).toBe(401);
  });
});
