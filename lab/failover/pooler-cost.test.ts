import { readFileSync } from 'node:fs';
import { createLoadGenerator, type LoadRequest } from '../load/load-generator.js';
import { createRequestMix, createWorkspaceWithPosts } from '../load/request-mix.js';
import { median, ratioOf, rounded } from '../load/statistics.js';
import { testDatabase, type TestDatabase } from '../../test/setup/database.js';
import { freePort } from '../../test/setup/free-port.js';
import { startPgBouncer, type PgBouncer } from '../../test/setup/pgbouncer.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';

const PAIRS = suite.length === 'full' ? 15 : 4;
const CLIENTS = 16;
const SECONDS = 3;
/**
 * Without prepared statements, PostgreSQL parses and plans each statement anew, which doubles or
 * triples its work.
 */
const MAX_RATIO = 4;
/** Length of a clock tick in /proc, in milliseconds. */
const TICK_MS = 10;
jest.setTimeout(300_000);

let database: TestDatabase;
let pooler: PgBouncer;
beforeAll(async () => {
  buildIfChanged();
  database = await testDatabase();
  pooler = await startPgBouncer(database.url, { mode: 'transaction', followsGuide: true });
});
afterAll(async () => {
  killStartedPrograms();
  await pooler?.close();
  await database?.drop();
});

interface MeasuredGateway {
  readonly program: StartedProgram;
  readonly generator: ReturnType<typeof createLoadGenerator>;
}

async function startGateway(settings: Record<string, string>): Promise<MeasuredGateway> {
  const PORT = String(await freePort());
  const program = startProgram({
    NODE_ENV: 'production',
    MEDIA_BASE_URL: 'https://posts.example.com',
    JOB_CONCURRENCY: '0',
    PORT,
    ...settings,
  });
  await waitUntil(() => program.output().includes('REST v1'), program);
  return { program, generator: createLoadGenerator(`http://127.0.0.1:${PORT}`) };
}

/** CPU time of a process since it started. */
function cpuMs(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const BACKENDS =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'";
async function backends(): Promise<number[]> {
  return (await database.pool.query<{ pid: number }>(BACKENDS)).rows.map(({ pid }) => pid);
}

/** What a request costs, in milliseconds of CPU time. */
interface Cost {
  readonly gateway: number;
  readonly postgres: number;
}

async function measure(
  { program, generator }: MeasuredGateway,
  next: () => LoadRequest,
): Promise<Cost> {
  await generator.measureCapacity(CLIENTS, 1, next); // opens the connections
  const gatewayMs = cpuMs(program.child.pid!);
  const backendsMs = new Map((await backends()).map((pid) => [pid, cpuMs(pid)]));
  const requests = SECONDS * (await generator.measureCapacity(CLIENTS, SECONDS, next));
  // an idle connection of the test may have ended
  const remaining = (await backends()).filter((pid) => backendsMs.has(pid));
  const usedMs = remaining.map((pid) => cpuMs(pid) - backendsMs.get(pid)!);
  return {
    gateway: (cpuMs(program.child.pid!) - gatewayMs) / requests,
    postgres: usedMs.reduce((sum, ms) => sum + ms, 0) / requests,
  };
}

test('through PgBouncer in transaction mode, requests cost less than four times as much', async () => {
  const { viewer, posts } = await createWorkspaceWithPosts(database);
  const next = createRequestMix(viewer, posts);
  const direct = await startGateway({ DATABASE_URL: database.url });
  const pooled = await startGateway({
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: database.url,
  });
  const costs: [pooled: Cost, direct: Cost][] = [];
  for (let pair = 0; pair < PAIRS; pair++)
    costs.push([await measure(pooled, next), await measure(direct, next)]);
  for (const process of ['gateway', 'postgres'] as const) {
    const values = costs.map((pair) => pair.map((cost) => cost[process]));
    const { mean, lower, upper } = ratioOf(values);
    const [viaPooler, directly] = [0, 1].map((n) => rounded(median(values.map((v) => v[n]!))));
    suite.report(
      `CPU time of ${process} per request: ${viaPooler} ms through PgBouncer, ${directly} ms directly, ${rounded(mean * 100)}% (${rounded(lower * 100)} to ${rounded(upper * 100)})`,
    );
    expect(mean).toBeLessThan(MAX_RATIO);
  }
  await Promise.all([direct.generator.close(), pooled.generator.close()]);
}, 300_000);
