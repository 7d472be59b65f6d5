import pg from 'pg';
import type { TestDatabases } from '../setup/global-setup.js';
import { gatewayWith, type TestResponse, type TestGateway } from '../fixtures/gateway.js';
import { setReadOnly } from '../fixtures/read-only-database.js';
import { waitFor } from '../fixtures/wait-for.js';

const UPDATE =
  'mutation($id: ID!) { updatePost(input: {id: $id, post: {text: "new"}}) { post { text } } }';

let gateway: TestGateway;
afterEach(() => gateway.close());

const outcomeOf = ({ status, body, headers }: TestResponse<any>): unknown[] => [
  status,
  body.code ?? body.errors?.[0]?.extensions?.code,
  headers.get('retry-after'),
];
const UNAVAILABLE = [503, 'UNAVAILABLE', '5'];

/** Locks the table of keys, so that no request can be authenticated. */
async function lockKeys(): Promise<() => Promise<void>> {
  const blocker = await gateway.db.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await blocker.query('ROLLBACK');
    blocker.release();
  };
}

/** Number of statements that wait for a lock. */
async function blockedStatements(): Promise<number> {
  const { rows } = await gateway.db.pool.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

describe('a gateway whose database', () => {
  it('is read-only serves reads, and fails every change with 503 and without effect', async () => {
    gateway = await gatewayWith();
    const { db, owner, records, v1, graphql } = gateway;
    const post = await records.aPost({ by: owner, text: 'old' });
    await setReadOnly(db.url, true);
    expect(
      outcomeOf(await v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'new' } } })),
    ).toEqual(UNAVAILABLE);
    expect(outcomeOf(await v1('DELETE', `/posts?post_ids[]=${post.id}`))).toEqual(UNAVAILABLE);
    expect(outcomeOf(await graphql(UPDATE, { id: post.id }))).toEqual(UNAVAILABLE);
    expect(
      (await graphql('query($id: ID!) { post(id: $id) { text version } }', { id: post.id })).body
        .data,
    ).toEqual({ post: { text: 'old', version: 1 } });
  });

  it('has no disk space left serves reads, and says so to changes', async () => {
    gateway = await gatewayWith();
    const { db, owner, records, v1, graphql } = gateway;
    const post = await records.aPost({ by: owner, text: 'old' });
    // as PostgreSQL reports it
    await db.pool.query(
      `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         RAISE EXCEPTION 'could not extend file "base/1/1": No space left on device' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER disk_full BEFORE UPDATE ON post FOR EACH ROW EXECUTE FUNCTION disk_full()`,
    );
    const refused = await v1('PUT', `/posts/${post.id}`, { body: { post: { text: 'new' } } });
    expect(outcomeOf(refused)).toEqual(UNAVAILABLE);
    expect(refused.body.message).toBe('The disk of the database is full. Retry later.');
    const inGraphql = await graphql(UPDATE, { id: post.id });
    expect(outcomeOf(inGraphql)).toEqual(UNAVAILABLE);
    expect(inGraphql.body.errors[0].message).toBe('The disk of the database is full. Retry later.');
    expect((await v1('GET', `/posts/${post.id}`)).body.text).toBe('old');
  });

  it('does not respond and accepts no connection responds with 503 within 2 s', async () => {
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
    const release = await lockKeys();
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
    expect(answers.map(outcomeOf)).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(took).toBeLessThan(10_000);
    expect((await gateway.v1('GET', '/posts')).status).toBe(200);
  });

  it('is slow for one query, but responsive, waits for it', async () => {
    gateway = await gatewayWith({ databasePoolSize: 1 });
    const release = await lockKeys();
    const responses = [gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')];
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('an overloaded gateway', () => {
  it('rejects queued requests with 503, and finishes those that it started', async () => {
    gateway = await gatewayWith({ maxConcurrentRequests: 2 });
    const release = await lockKeys();
    const started = [gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')];
    await waitFor(async () => (await blockedStatements()) >= started.length);
    expect(
      (await Promise.all([gateway.v1('GET', '/posts'), gateway.graphql('{ __typename }')])).map(
        outcomeOf,
      ),
    ).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect((await gateway.request('/healthz')).status).toBe(200);
    const queued = gateway.v1('GET', '/posts');
    await release();
    expect((await Promise.all([...started, queued])).map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
  });
});
