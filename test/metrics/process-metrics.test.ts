import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { createProcessMetrics } from '../../src/metrics/process-metrics.js';
import { JOB_KINDS } from '../../src/domain/jobs/job-kinds.js';
import { waitFor } from '../fixtures/wait-for.js';
import { expectSeries, readMetrics, scrapeMetrics, seriesOf } from '../fixtures/metric-series.js';

describe('the metrics of a process', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await gatewayWith({ metricsPort: 0, databasePoolSize: 3 });
  });
  afterAll(() => gateway.close());

  const series = async (name: string) => seriesOf(await scrapeMetrics(gateway.metricsUrl), name);

  /** The series of jobs above 0. */
  const openJobs = async () =>
    Object.fromEntries(
      Object.entries(await series('posts_gateway_jobs')).filter(([, count]) => count > 0),
    );

  async function jobs(
    ...rows: { kind: string; status: string; due?: string; leased?: string }[]
  ): Promise<void> {
    await gateway.db.pool.query('DELETE FROM job');
    for (const [index, { kind, status, due = '0', leased = null }] of rows.entries()) {
      await gateway.db.pool.query(
        `INSERT INTO job (id, kind, status, failures, progress, finished_at, due_at, leased_until)
         VALUES ($1, $2::job_kind, $3::job_status, '[]', 0, CASE WHEN $3 = 'working' THEN NULL ELSE now() END, now() + $4::interval, now() + $5::interval)`,
        [`job_${String(index).padStart(16, '0')}`, kind, status, due, leased],
      );
    }
  }

  it('report the jobs in the database by kind and state, and the age of the oldest due or running one', async () => {
    await jobs(
      { kind: 'network_edit', status: 'working', due: '-90 seconds' },
      { kind: 'network_edit', status: 'working', due: '-10 seconds' },
      { kind: 'network_edit', status: 'working', due: '1 hour' },
      { kind: 'network_edit', status: 'working', due: '-5 minutes', leased: '1 minute' },
      { kind: 'purge', status: 'working', due: '-30 seconds', leased: '-1 second' },
      { kind: 'import', status: 'working', due: '-1 day' },
      { kind: 'network_edit', status: 'failed', due: '-1 day' },
      { kind: 'notification', status: 'failed' },
      { kind: 'notification', status: 'completed' },
    );
    expect(await openJobs()).toEqual({
      '{kind="network_edit",state="due"}': 2,
      '{kind="network_edit",state="scheduled"}': 1,
      '{kind="network_edit",state="running"}': 1,
      '{kind="network_edit",state="failed"}': 1,
      '{kind="purge",state="due"}': 1,
      '{kind="import",state="running"}': 1,
      '{kind="notification",state="failed"}': 1,
    });
    const { '': oldest } = await series('posts_gateway_jobs_oldest_due_seconds');
    expect(Math.floor(oldest! / 60)).toBe(5); // a running job may hang
    await jobs({ kind: 'purge', status: 'working', due: '-90 seconds' });
    expect(Math.floor((await series('posts_gateway_jobs_oldest_due_seconds'))['']! / 60)).toBe(1);
    await jobs();
    expect([await openJobs(), await series('posts_gateway_jobs_oldest_due_seconds')]).toEqual([
      {},
      { '': 0 },
    ]);
  });

  it('report the time since the first due post became due', async () => {
    const name = 'posts_gateway_posts_oldest_due_seconds';
    const by = await gateway.records.aViewer();
    const account = await gateway.records.anAccount({ workspaceId: by.workspace.id });
    expect(await series(name)).toEqual({ '': 0 });
    const scheduledAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 120_000);
    await gateway.records.aPost({ by, account, scheduledAt });
    expect(Math.floor((await series(name))['']! / 60)).toBe(2);
    await gateway.db.pool.query('DELETE FROM post');
  });

  it('have every series of jobs from the start, at 0', async () => {
    await jobs();
    const kinds = Object.keys(JOB_KINDS);
    const zeros = (label: string, values: string[]) =>
      Object.fromEntries(
        kinds.flatMap((kind) => values.map((value) => [`{kind="${kind}",${label}="${value}"}`, 0])),
      );
    expect(await series('posts_gateway_jobs')).toEqual(
      zeros('state', ['due', 'scheduled', 'running', 'failed']),
    );
    expect(await series('posts_gateway_job_attempts_total')).toEqual(
      zeros('outcome', ['completed', 'failed', 'retried', 'postponed']),
    );
    expect(await series('posts_gateway_job_attempt_duration_seconds_count')).toEqual(
      Object.fromEntries(kinds.map((kind) => [`{kind="${kind}"}`, 0])),
    );
  });

  it('omit the jobs if the database does not respond in time', async () => {
    await jobs({ kind: 'purge', status: 'failed' });
    const blocker = await gateway.db.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE job IN ACCESS EXCLUSIVE MODE');
    // without a deadline the scrape would wait for the lock until the test times out
    const readings = await scrapeMetrics(gateway.metricsUrl);
    expect([
      seriesOf(readings, 'posts_gateway_jobs'),
      seriesOf(readings, 'posts_gateway_jobs_oldest_due_seconds'),
    ]).toEqual([{}, { '': NaN }]);
    expect(seriesOf(readings, 'posts_gateway_dependency_up')).toMatchObject({
      '{dependency="database"}': 1,
    });
    await blocker.query('ROLLBACK');
    blocker.release();
    await waitFor(async () => (await openJobs())['{kind="purge",state="failed"}'] === 1);
  });

  it('report database connections, their maximum, and waiting queries', async () => {
    const { pool } = gateway.db;
    const blocker = await pool.connect();
    await blocker.query('BEGIN; LOCK TABLE post IN ACCESS EXCLUSIVE MODE');
    // A search has a connection of its own, unlike short reads.
    const responses = Array.from({ length: 5 }, () => gateway.v1('GET', '/posts?query=coffee'));
    await expectSeries(gateway.metricsUrl, 'posts_gateway_database_connections', {
      '{state="busy"}': 3,
      '{state="idle"}': 0,
    });
    const readings = await scrapeMetrics(gateway.metricsUrl);
    expect(seriesOf(readings, 'posts_gateway_database_queries_waiting')['']).toBeGreaterThanOrEqual(
      2,
    );
    expect(seriesOf(readings, 'posts_gateway_database_connections_max')).toEqual({ '': 3 });
    await blocker.query('ROLLBACK');
    blocker.release();
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([
      200, 200, 200, 200, 200,
    ]);
  });

  it('include memory, CPU and event loop', async () => {
    const names = [...(await scrapeMetrics(gateway.metricsUrl)).keys()];
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
    ])
      expect(names).toContain(name);
  });

  it('are served on a separate port, with health checks and nothing else', async () => {
    const at = async (path: string, method = 'GET') => {
      const response = await fetch(gateway.metricsUrl + path, { method });
      return [response.status, response.headers.get('content-type')];
    };
    expect(await at('/metrics')).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await at('/metrics', 'POST')).toEqual([405, 'application/json; charset=utf-8']);
    for (const path of ['/healthz', '/readyz'])
      expect(await at(path)).toEqual([200, 'application/json; charset=utf-8']);
    for (const path of ['/', '/graphql', '/v1', '/docs'])
      expect(await at(path)).toEqual([404, 'application/json; charset=utf-8']);
    expect((await gateway.request('/metrics')).status).toBe(404);
  });
});

it('opens no port without METRICS_PORT', async () => {
  const gateway = await gatewayWith();
  expect(gateway.metricsUrl).toBeNull();
  await gateway.close();
});

test('a listed server that has become the primary is no read replica any more', async () => {
  const metrics = createProcessMetrics({ jobKinds: [], networks: [] });
  let replicas = ['first:5432', 'second:5432'];
  metrics.collectFrom({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0, options: { max: 1 } },
    clock: { offsetMs: 0 },
    replicas: () => replicas.map((name) => ({ name, isUsed: true, lag: 0.25 })),
    jobLoad: () => Promise.resolve(null),
    oldestDuePost: () => Promise.resolve(null),
    oldestDelivery: () => Promise.resolve(null),
    oldestNumbers: () => Promise.resolve(null),
    accountLoad: () => Promise.resolve(null),
    readiness: () => Promise.resolve({ isReady: true, checks: {} }),
  });
  const read = async (name: string) => seriesOf(readMetrics((await metrics.read()).text), name);
  await read('posts_gateway_replica_used');
  replicas = ['second:5432'];
  expect(await read('posts_gateway_replica_used')).toEqual({ '{replica="second:5432"}': 1 });
  expect(await read('posts_gateway_replica_lag_seconds')).toEqual({
    '{replica="second:5432"}': 0.25,
  });
});
