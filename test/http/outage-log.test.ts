import { createLog } from '../../src/log/log.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';

const UPDATES =
  'mutation($id: ID!) { a: updatePost(input: {id: $id, post: {text: "1"}}) { post { id } } b: updatePost(input: {id: $id, post: {text: "2"}}) { post { id } } }';

let gateway: TestGateway;
afterEach(() => gateway.close());

it('a request that fails because the database does is one line in the log, without a stack', async () => {
  const lines: string[] = [];
  gateway = await gatewayWith({ log: createLog('warn', (line) => void lines.push(line)) });
  const { db, owner, records, v1, graphql } = gateway;
  const post = await records.aPost({ by: owner });
  const name = new URL(db.url).pathname.slice(1);
  await db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await db.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  const withId = (id: string) => ({ headers: { 'X-Request-Id': id } });
  expect([
    (await v1('DELETE', `/posts?post_ids[]=${post.id}`, withId('rest'))).status,
    (await graphql(UPDATES, { id: post.id }, withId('graphql'))).status,
  ]).toEqual([503, 503]);
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const reason = expect.stringMatching(/^cannot execute .+ in a read-only transaction$/);
  const warning = { level: 40, time: expect.any(String), reason };
  expect(entries.filter(({ requestId }) => requestId !== undefined)).toEqual([
    { ...warning, requestId: 'rest', msg: 'request failed: dependency unavailable' },
    {
      ...warning,
      requestId: 'graphql',
      path: ['a'],
      msg: 'resolver failed: dependency unavailable',
    },
  ]);
});
