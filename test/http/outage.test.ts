import pg from 'pg';
import type { TestDatabases } from '../setup/global-setup.js';
import { gatewayWith, type Answer, type TestGateway } from '../fixtures/gateway.js';

const UPDATE =
  'mutation($id: ID!) { updatePost(input: {id: $id, post: {text: "new"}}) { post { text } } }';

let gateway: TestGateway;
afterEach(() => gateway.close());

const seen = ({ status, body, headers }: Answer<any>): unknown[] => [
  status,
  body.code ?? body.errors?.[0]?.extensions?.code,
  headers.get('retry-after'),
];
const AWAY = [503, 'UNAVAILABLE', '5'];

/** Nobody can be let in while this holds the keys. */
async function keysHeld(): Promise<() => Promise<void>> {
  const blocker = await gateway.db.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await blocker.query('ROLLBACK');
    blocker.release();
  };
}

/** Statements that wait for somebody else's lock. */
async function waiting(): Promise<number> {
  const { rows } = await gateway.db.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

describe('a gateway whose database', () => {
  it('is read-only answers reads, and every change with 503, of which nothing stays', async () => {
    gateway = await gatewayWith();
    const { db, owner, records, v1, graphql } = gateway;
    const post = await records.aPost({ by: owner, text: 'old' });
    const name = new URL(db.url).pathname.slice(1);
    await db.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await db.pool.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    expect(seen(await v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'new' } } }))).toEqual(
      AWAY,
    );
    expect(seen(await v1('DELETE', `/posts?post_ids[]=${post.id}`))).toEqual(AWAY);
    expect(seen(await graphql(UPDATE, { id: post.id }))).toEqual(AWAY);
    expect(
      (await graphql('query($id: ID!) { post(id: $id) { text version } }', { id: post.id })).body
        .data,
    ).toEqual({ post: { text: 'old', version: 1 } });
  });

  it('has no answer and takes no connection says so in less than 2 s', async () => {
    gateway = await gatewayWith();
    const admin = new pg.Client({
      connectionString: (JSON.parse(process.env.TEST_DATABASES!) as TestDatabases).adminUrl,
    });
    await admin.connect();
    const connections = (areTaken: boolean) =>
      admin.query(
        `ALTER DATABASE ${new URL(gateway.db.url).pathname.slice(1)} ALLOW_CONNECTIONS ${areTaken}`,
      );
    await gateway.v1('GET', '/posts');
    const release = await keysHeld();
    await connections(false);
    const since = performance.now();
    const answers = await Promise.all([
      gateway.v1('GET', '/posts'),
      gateway.graphql(UPDATE, { id: '1' }),
    ]);
    const took = performance.now() - since;
    await connections(true);
    await admin.end();
    await release();
    expect(answers.map(seen)).toEqual([AWAY, AWAY]);
    expect(took).toBeLessThan(2_000);
    expect((await gateway.v1('GET', '/posts')).status).toBe(200);
  });

  it('has no answer to one question, and answers others, is waited for', async () => {
    gateway = await gatewayWith({ databasePoolSize: 1 });
    const release = await keysHeld();
    const asked = [gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')];
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await release();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('a gateway with more requests than it can answer', () => {
  it('answers what it has not begun within a second with 503, and what it has begun when it can', async () => {
    gateway = await gatewayWith({ requestsAtOnce: 2 });
    const release = await keysHeld();
    const begun = [gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')];
    while ((await waiting()) < begun.length)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(
      (await Promise.all([gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')])).map(
        seen,
      ),
    ).toEqual([AWAY, AWAY]);
    expect((await gateway.ask('/healthz')).status).toBe(200);
    const inTurn = gateway.v1('GET', '/posts');
    await release();
    expect((await Promise.all([...begun, inTurn])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  });
});
