import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../src/log/log.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { rawConnection } from './raw.js';

describe('the hall', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith();
  });
  afterAll(() => gateway.close());

  const nobody = { asking: { key: null, workspace: null } };

  it('says that it lives and that it is ready, to anybody', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect(await gateway.ask(path, nobody)).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
      expect(await gateway.ask(path, { ...nobody, method: 'HEAD' })).toMatchObject({
        status: 200,
        body: '',
      });
      const wrong = await gateway.ask(path, { ...nobody, method: 'POST' });
      expect([wrong.status, wrong.body.code, wrong.headers.get('allow')]).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
        'GET, HEAD',
      ]);
    }
  });

  const well = { database: 'ok', migrations: 'ok', queue: 'ok', redis: 'unused' };
  const unwell: [string, string, string, object][] = [
    [
      'a migration is open',
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', 'x')",
      "DELETE FROM _prisma_migrations WHERE id = 'x'",
      { migrations: 'open' },
    ],
    [
      'a migration is not there',
      "UPDATE _prisma_migrations SET migration_name = 'not_' || migration_name WHERE migration_name LIKE '%_post_counts'",
      "UPDATE _prisma_migrations SET migration_name = substr(migration_name, 5) WHERE migration_name LIKE 'not\\_%'",
      { migrations: 'open' },
    ],
    [
      'there is no place for jobs to wait',
      'ALTER SCHEMA pgboss RENAME TO elsewhere',
      'ALTER SCHEMA elsewhere RENAME TO pgboss',
      { queue: 'missing' },
    ],
    [
      'the database cannot say how it is',
      'ALTER TABLE _prisma_migrations RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO _prisma_migrations',
      { database: 'away', migrations: 'unknown', queue: 'unknown' },
    ],
  ];
  it.each(unwell)(
    'is not ready while %s, and says what it is',
    async (_what, harm, mend, parts) => {
      await gateway.db.pool.query(harm);
      expect(await gateway.ask('/readyz', nobody)).toMatchObject({
        status: 503,
        body: { status: 'unavailable', parts: { ...well, ...parts } },
      });
      expect((await gateway.ask('/healthz', nobody)).status).toBe(200);
      await gateway.db.pool.query(mend);
      expect(await gateway.ask('/readyz', nobody)).toMatchObject({
        status: 200,
        body: { status: 'ok', parts: well },
      });
    },
  );

  it('is not ready while the database keeps silent, and waits for it no longer than who asks would', async () => {
    const blocker = await gateway.db.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all([1, 2].map(() => gateway.ask('/readyz', nobody)));
    expect(answers).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({
          status: 503,
          body: {
            status: 'unavailable',
            parts: { database: 'away', migrations: 'unknown', queue: 'unknown', redis: 'unused' },
          },
        }),
      ),
    );
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await gateway.ask('/readyz', nobody)).status).toBe(200);
  });

  it('gives each answer an id, the caller’s where it is safe', async () => {
    const idOf = async (given?: string) =>
      (
        await gateway.ask('/healthz', {
          headers: given === undefined ? {} : { 'X-Request-Id': given },
        })
      ).headers.get('x-request-id');
    expect(await idOf('trace-1:2/3')).toBe('trace-1:2/3');
    expect(await idOf('x'.repeat(128))).toBe('x'.repeat(128));
    for (const unsafe of [undefined, '', 'x'.repeat(129), 'a b', '{"a":1}', 'é'])
      expect(await idOf(unsafe)).toMatch(/^[0-9a-f-]{36}$/);
    for (const path of ['/nothing', '/graphql', '/v1/posts', '/v1/openapi.json']) {
      expect(
        (await gateway.ask(path, { ...nobody, headers: { 'X-Request-Id': 'mine' } })).headers.get(
          'x-request-id',
        ),
      ).toBe('mine');
    }
  });

  it('guards every answer against being run, framed or kept, and names the version of the interface', async () => {
    for (const path of ['/healthz', '/v1/posts', '/graphql?query={__typename}', '/nothing']) {
      const { headers } = await gateway.ask(path);
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

  it('tells of unknown paths only what the asker may know', async () => {
    const ask = async (path: string, asking = {}) => {
      const { status, body } = await gateway.ask(path, { asking });
      return [status, body.code];
    };
    const stranger = { key: null };
    expect(await ask('/nothing', stranger)).toEqual([404, 'NOT_FOUND']);
    expect(await ask('/', stranger)).toEqual([404, 'NOT_FOUND']);
    expect(await ask('/v2/posts', stranger)).toEqual([404, 'NOT_FOUND']);
    expect(await ask('/v1/nothing', stranger)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await ask('/v1/nothing')).toEqual([404, 'NOT_FOUND']);
    expect(await ask('/v1')).toEqual([404, 'NOT_FOUND']);
    expect(await ask('/v1/posts/%E0%A4%A')).toEqual([400, 'BAD_USER_INPUT']);
    expect((await gateway.ask('/v2/posts')).body.message).toMatch(/current one is v1/);
  });

  it('names the methods that a path has', async () => {
    for (const method of ['POST', 'OPTIONS', 'PATCH']) {
      const answer = await gateway.v1(method, '/posts');
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
    }
  });

  it('answers HEAD with the headers of GET and no body', async () => {
    const [head, get] = [await gateway.v1('HEAD', '/posts'), await gateway.v1('GET', '/posts')];
    expect([head.status, head.body, head.headers.get('content-length')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
    ]);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    [
      'two lengths',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: a\r\nX: \0\r\n\r\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an unknown expectation', 'GET /nothing HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n', 404],
    [
      'a target with scheme and host',
      'GET http://elsewhere/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      200,
    ],
    [
      'such a target that needs a key',
      'GET http://elsewhere/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n',
      401,
    ],
    [
      'a target that is no URL',
      'GET http://elsewhere:port/v1/posts HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
    ],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 404],
    ['HTTP/1.0', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
  ])('answers %s in JSON', async (_what, text, status) => {
    const raw = await rawConnection(gateway.url);
    raw.write(text);
    const answer = await raw.answer();
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/content-type: application\/json/i);
    expect(answer.head).toMatch(/x-request-id: \S/i);
    expect(JSON.parse(answer.body)).toEqual(expect.any(Object));
    raw.end();
  });
});

describe('the log of a gateway', () => {
  it('has the request’s id, what was asked and how it went, and of posts and keys nothing', async () => {
    const lines: string[] = [];
    const gateway = await gatewayWith({ log: createLog('trace', (line) => void lines.push(line)) });
    const { v1, graphql, records, owner } = gateway;
    const [post, secret] = [
      await records.aPost({ by: owner, text: 'before' }),
      'Nobody may read this in a log',
    ];
    const asking = (id: string) => ({ headers: { 'X-Request-Id': id } });
    const update =
      'mutation($id: ID!, $text: String!) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } } }';
    await graphql(update, { id: post.id, text: secret }, asking('changed'));
    await v1('PUT', `/posts/${post.id}`, {
      ...asking('refused'),
      body: { post: { text: 5, title: secret } },
    });
    await v1('GET', `/posts?query=${encodeURIComponent(secret)}`, asking('listed'));
    await gateway.db.pool.query(
      "ALTER TABLE post_body ADD CONSTRAINT no_more CHECK (text NOT LIKE 'Nobody%') NOT VALID",
    );
    await graphql(update, { id: post.id, text: `${secret}, either` }, asking('fault'));
    await v1('PUT', `/posts/${post.id}`, {
      ...asking('fault-too'),
      body: { post: { text: `${secret}, either` } },
    });
    await gateway.close();

    const told = lines.map((line) => JSON.parse(line) as Record<string, any>);
    const ofRequest = (id: string) =>
      told
        .filter(({ requestId }) => requestId === id)
        .map(({ level, msg, operation, status, refusal, err }) => ({
          level,
          msg,
          operation,
          status,
          refusal,
          constraint: err?.constraint as string | undefined,
        }));
    const answered = {
      level: 30,
      msg: 'answered',
      status: 200,
      refusal: undefined,
      constraint: undefined,
    };
    const [updated, put] = ['mutation updatePost', 'PUT /v1/posts/{id}'];
    expect(ofRequest('changed')).toEqual([{ ...answered, operation: updated }]);
    expect(ofRequest('refused')).toEqual([
      { ...answered, operation: put, status: 400, refusal: 'BAD_USER_INPUT' },
    ]);
    expect(ofRequest('listed')).toEqual([{ ...answered, operation: 'GET /v1/posts' }]);
    const fault = {
      level: 50,
      operation: undefined,
      status: undefined,
      refusal: undefined,
      constraint: 'no_more',
    };
    expect(ofRequest('fault')).toEqual([
      { ...fault, msg: 'a resolver met a fault' },
      { ...answered, operation: updated, refusal: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(ofRequest('fault-too')).toEqual([
      { ...fault, msg: 'a request met a fault' },
      { ...answered, operation: put, status: 500, refusal: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(lines.join('')).not.toMatch(/Nobody may|spk_live_/);
  });
});

it('keeps no place for requests whose client went before their turn came', async () => {
  const gateway = await gatewayWith({ requestsAtOnce: 4 });
  for (const wait of [0, 3, 30]) {
    const connection = await rawConnection(gateway.url);
    connection.write(
      `GET /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer-API ${gateway.owner.apiKey}\r\nService-Workspace-Id: ${gateway.owner.workspace.id}\r\n\r\n`.repeat(
        40,
      ),
    );
    await sleep(wait); // before the first is read, while they are worked at, and later
    connection.end();
  }
  await sleep(100);
  const { status } = await gateway.v1('GET', '/posts');
  expect(status).toBe(200);
  await gateway.close();
});
