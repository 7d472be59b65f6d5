import { testRedis, type TestRedis } from '../setup/redis.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { expectSeries, scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';
import { rawConnection } from '../http/connections/raw-connection.js';

const REQUESTS = 'posts_gateway_requests_total';
const DURATIONS = 'posts_gateway_request_duration_seconds';

describe('the metrics of requests', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await gatewayWith({ metricsPort: 0 });
  });
  afterEach(() => gateway.close());

  const series = async (name: string) => seriesOf(await scrapeMetrics(gateway.metricsUrl), name);
  const seriesWith = (name: string, expected: Record<string, number>) =>
    expectSeries(gateway.metricsUrl, name, expected);

  it('count by API and by operation', async () => {
    const { graphql, v1, request } = gateway;
    await graphql('{ posts { totalCount } }');
    await graphql(
      'query Mine($on: Boolean!) { ...Mine @include(if: $on) } fragment Mine on Query { ... { mine: posts { totalCount } more: posts { totalCount } } }',
      { on: true },
    );
    await graphql('{ __schema { queryType { name } } }');
    await graphql('{ viewer { user { id } } networks { network } }');
    await graphql('mutation Delete { deletePosts(input: {ids: ["1"]}) { results { id } } }');
    await graphql('{ nothing }');
    await v1('GET', '/posts');
    await v1('HEAD', '/posts');
    await v1('GET', '/posts/1');
    await v1('GET', '/posts/2');
    await v1('GET', '/nothing');
    await v1('POST', '/posts');
    for (const path of ['/healthz', '/docs', '/v1/openapi.json'])
      await request(path, { caller: { key: null } });
    await seriesWith(REQUESTS, {
      '{api="graphql",operation="query posts",status="200"}': 2,
      '{api="graphql",operation="query __schema",status="200"}': 1,
      '{api="graphql",operation="query (several)",status="200"}': 1,
      '{api="graphql",operation="mutation deletePosts",status="200"}': 1,
      '{api="graphql",operation="unknown",status="200"}': 1,
      '{api="rest",operation="GET /v1/posts",status="200"}': 2,
      '{api="rest",operation="GET /v1/posts/{id}",status="422"}': 2,
      '{api="rest",operation="unknown",status="404"}': 1,
      '{api="rest",operation="unknown",status="405"}': 1,
      '{api="health",operation="/healthz",status="200"}': 1,
      '{api="rest",operation="pages",status="200"}': 1,
      '{api="rest",operation="GET /v1/openapi.json",status="200"}': 1,
    });
  });

  it('have no series that a client can create', async () => {
    for (let count = 0; count < 5; count++) {
      await gateway.graphql(`query Name${count} { alias${count}: __typename }`);
      await gateway.graphql(`{ field${count} }`);
      await gateway.v1('GET', `/posts/${count}`);
      await gateway.request(`/path${count}`);
    }
    await seriesWith(REQUESTS, {
      '{api="graphql",operation="query __typename",status="200"}': 5,
      '{api="graphql",operation="unknown",status="200"}': 5,
      '{api="rest",operation="GET /v1/posts/{id}",status="422"}': 5,
      '{api="rest",operation="unknown",status="404"}': 5,
    });
  });

  it('report durations as a histogram', async () => {
    for (let count = 0; count < 3; count++) await gateway.v1('GET', '/posts');
    await seriesWith(REQUESTS, { '{api="rest",operation="GET /v1/posts",status="200"}': 3 });
    const labels = 'api="rest",operation="GET /v1/posts"';
    const buckets = Object.entries(await series(`${DURATIONS}_bucket`));
    const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, '+Inf'];
    expect(buckets.map(([name]) => name)).toEqual(
      bounds.map((bound) => `{le="${bound}",${labels}}`),
    );
    const counts = buckets.map(([, count]) => count);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect([counts.at(-1), await series(`${DURATIONS}_count`)]).toEqual([
      3,
      { [`{${labels}}`]: 3 },
    ]);
    const sum = (await series(`${DURATIONS}_sum`))[`{${labels}}`]!;
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(30);
  });

  it('count errors by code, in both APIs', async () => {
    const { records, v1, graphql, request } = gateway;
    const free = await records.aViewer({ plan: 'free' });
    const narrow = await records.aViewer({ scopes: ['media'] });
    for (const options of [
      { key: null },
      { as: free },
      { as: narrow },
      { workspace: null },
      { headers: { 'X-Forwarded-For': '8.8.8.8' } },
    ]) {
      await v1('GET', '/posts', options);
      await graphql('{ posts { totalCount } }', {}, options);
    }
    await request('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    });
    const codes = {
      UNAUTHENTICATED: 1,
      PLAN_REQUIRED: 1,
      MISSING_SCOPE: 1,
      MISSING_WORKSPACE: 1,
      HTTPS_REQUIRED: 1,
    };
    // errors of the service are 0 from the start
    const at = (api: string) =>
      Object.fromEntries(
        Object.entries({ ...codes, INTERNAL_SERVER_ERROR: 0, UNAVAILABLE: 0 }).map(
          ([code, count]) => [`{api="${api}",code="${code}"}`, count],
        ),
      );
    await seriesWith('posts_gateway_request_errors_total', {
      ...at('rest'),
      ...at('graphql'),
      '{api="graphql",code="BAD_USER_INPUT"}': 1,
    });
  });

  it('count clients that disconnect before the response, and requests in flight', async () => {
    const blocker = await gateway.db.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE post IN ACCESS EXCLUSIVE MODE');
    const raw = await rawConnection(gateway.url);
    const { apiKey, workspace } = gateway.owner;
    raw.write(
      `GET /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer-API ${apiKey}\r\nService-Workspace-Id: ${workspace.id}\r\n\r\n`,
    );
    await seriesWith('posts_gateway_requests_in_flight', { '': 1 });
    raw.end();
    await seriesWith(REQUESTS, { '{api="rest",operation="GET /v1/posts",status="499"}': 1 });
    expect(await series('posts_gateway_requests_in_flight')).toEqual({ '': 0 });
    await blocker.query('ROLLBACK');
    blocker.release();
  });
});

describe('the metrics of rate limits', () => {
  let redis: TestRedis | undefined;
  let gateway: TestGateway;
  afterEach(async () => {
    await gateway.close();
    await redis?.close();
  });

  const none = {
    '{source="redis",outcome="allowed"}': 0,
    '{source="redis",outcome="refused"}': 0,
    '{source="memory",outcome="allowed"}': 0,
    '{source="memory",outcome="refused"}': 0,
  };
  const expectChecks = (counted: Record<string, number>) =>
    expectSeries(gateway.metricsUrl, 'posts_gateway_rate_limit_checks_total', {
      ...none,
      ...counted,
    });
  const sendRequests = async () => {
    for (let count = 0; count < 3; count++) await gateway.v1('GET', '/posts');
  };

  it('count the checks of this process', async () => {
    gateway = await gatewayWith({ metricsPort: 0, rateLimit: 2 });
    await gateway.v1('GET', '/posts', { key: null }); // not counted
    await sendRequests();
    await expectChecks({
      '{source="memory",outcome="allowed"}': 2,
      '{source="memory",outcome="refused"}': 1,
    });
  });

  it('count the checks of Redis', async () => {
    redis = await testRedis();
    gateway = await gatewayWith({
      metricsPort: 0,
      rateLimit: 2,
      redisUrls: [redis.url],
      redisPrefix: redis.prefix,
    });
    await sendRequests();
    await expectChecks({
      '{source="redis",outcome="allowed"}': 2,
      '{source="redis",outcome="refused"}': 1,
    });
  });
});
