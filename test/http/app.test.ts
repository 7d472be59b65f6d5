import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';

describe('the HTTP layer', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith();
  });
  afterAll(() => gateway.close());

  const anonymous = { caller: { key: null, workspace: null } };

  it('serves /healthz and /readyz without a key', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect(await gateway.request(path, anonymous)).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
      expect(await gateway.request(path, { ...anonymous, method: 'HEAD' })).toMatchObject({
        status: 200,
        body: '',
      });
      const wrong = await gateway.request(path, { ...anonymous, method: 'POST' });
      expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ]);
    }
  });

  it('tells only programs on this machine what it depends on', async () => {
    const forwarded = { ...anonymous, headers: { 'X-Forwarded-For': '192.0.2.1' } };
    for (const path of ['/healthz', '/readyz'])
      expect((await gateway.request(path, forwarded)).body).toEqual({ status: 'ok' });
  });

  const healthy = {
    database: 'ok',
    migrations: 'ok',
    publishing: 'ok',
    clock: 'ok',
    media: 'ok',
    media_url: 'local',
    redis: 'unused',
  };
  const unhealthy: [string, string, string, object][] = [
    [
      'a migration has not finished',
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', 'x')",
      "DELETE FROM _prisma_migrations WHERE id = 'x'",
      { migrations: 'pending', publishing: 'unknown' },
    ],
    [
      'migrations are missing',
      "UPDATE _prisma_migrations SET migration_name = 'not_' || migration_name",
      "UPDATE _prisma_migrations SET migration_name = substr(migration_name, 5) WHERE migration_name LIKE 'not\\_%'",
      { migrations: 'pending', publishing: 'unknown' },
    ],
    [
      'the readiness query fails',
      'ALTER TABLE _prisma_migrations RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO _prisma_migrations',
      { database: 'unavailable', migrations: 'unknown', publishing: 'unknown' },
    ],
  ];
  it.each(unhealthy)(
    'is not ready while %s, and reports the failed check',
    async (_what, breakSql, repairSql, checks) => {
      await gateway.db.pool.query(breakSql);
      expect(await gateway.request('/readyz', anonymous)).toMatchObject({
        status: 503,
        body: { status: 'unavailable', checks: { ...healthy, ...checks } },
      });
      expect((await gateway.request('/healthz', anonymous)).status).toBe(200);
      await gateway.db.pool.query(repairSql);
      expect(await gateway.request('/readyz', anonymous)).toMatchObject({
        status: 200,
        body: { status: 'ok', checks: healthy },
      });
    },
  );

  it('is ready while publication is paused, and says so', async () => {
    await gateway.db.pool.query('INSERT INTO publishing_pause DEFAULT VALUES');
    expect(await gateway.request('/readyz', anonymous)).toMatchObject({
      status: 200,
      body: { status: 'ok', checks: { ...healthy, publishing: 'paused' } },
    });
    await gateway.db.pool.query('DELETE FROM publishing_pause');
  });

  it('is not ready while the database does not respond, and reports that within the timeout of a load balancer', async () => {
    const blocker = await gateway.db.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all([1, 2].map(() => gateway.request('/readyz', anonymous)));
    expect(answers).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({
          status: 503,
          body: {
            status: 'unavailable',
            checks: {
              ...healthy,
              database: 'unavailable',
              migrations: 'unknown',
              publishing: 'unknown',
            },
          },
        }),
      ),
    );
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await gateway.request('/readyz', anonymous)).status).toBe(200);
  });

  it('gives each response a request id: the client’s if it is safe', async () => {
    const idOf = async (given?: string) =>
      (
        await gateway.request('/healthz', {
          headers: given === undefined ? {} : { 'X-Request-Id': given },
        })
      ).headers.get('x-request-id');
    expect(await idOf('trace-1:2/3')).toBe('trace-1:2/3');
    expect(await idOf('x'.repeat(128))).toBe('x'.repeat(128));
    for (const unsafe of [undefined, '', 'x'.repeat(129), 'a b', '{"a":1}', 'é'])
      expect(await idOf(unsafe)).toMatch(/^[0-9a-f-]{36}$/);
    for (const path of ['/nothing', '/graphql', '/v1/posts', '/v1/openapi.json']) {
      expect(
        (
          await gateway.request(path, { ...anonymous, headers: { 'X-Request-Id': 'mine' } })
        ).headers.get('x-request-id'),
      ).toBe('mine');
    }
  });

  it('sends security headers and the API version with every response', async () => {
    for (const path of ['/healthz', '/v1/posts', '/graphql?query={__typename}', '/nothing']) {
      const { headers } = await gateway.request(path);
      expect(
        Object.fromEntries(
          [
            'content-security-policy',
            'x-content-type-options',
            'x-powered-by',
            'access-control-allow-origin',
            'x-api-version',
          ].map((name) => [name, headers.get(name)]),
        ),
      ).toEqual({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-powered-by': null,
        'access-control-allow-origin': null,
        'x-api-version': 'v1',
      });
    }
  });

  it('does not reveal routes to clients without a key', async () => {
    const outcomeOf = async (path: string, caller = {}) => {
      const { status, body } = await gateway.request(path, { caller });
      return [status, body.code];
    };
    const withoutKey = { key: null };
    expect(await outcomeOf('/nothing', withoutKey)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf('/', withoutKey)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf('/v2/posts', withoutKey)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf('/v1/nothing', withoutKey)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await outcomeOf('/v1/nothing')).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf('/v1')).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf('/v1/posts/%E0%A4%A')).toEqual([400, 'BAD_USER_INPUT']);
    expect((await gateway.request('/v2/posts')).body.message).toMatch(/current version is v1/);
  });

  it('lists the allowed methods of a path', async () => {
    for (const method of ['POST', 'OPTIONS', 'PATCH']) {
      const answer = await gateway.v1(method, '/posts');
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
    }
  });

  it('responds to HEAD with the headers of GET and no body', async () => {
    const [head, get] = [await gateway.v1('HEAD', '/posts'), await gateway.v1('GET', '/posts')];
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ]);
  });
});
