import { setTimeout as sleep } from 'node:timers/promises';
import { MIGRATIONS_DIR } from '../../src/config/package-paths.js';
import { applyMigrations } from '../../src/persistence/migrations.js';
import { openDatabase, type OpenDatabase } from '../../src/persistence/database.js';
import { startService } from '../../test/faults/deployment.js';
import { createRandom, SEED } from '../../test/faults/random.js';
import { WEBHOOK_SETTINGS } from '../../test/faults/received-events.js';
import { reportLines } from '../../test/faults/report.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import { buildIfChanged, killStartedPrograms } from '../../test/setup/started-program.js';
import { suite } from '../../test/setup/suite.js';
import { silentLog } from '../../test/setup/test-server.js';
import { startCluster, type Cluster } from './cluster.js';
import { FAILOVER_KINDS, type FailoverKind } from './failover-kinds.js';
import { createFailoverLoad, type Service } from './failover-load.js';
import { lateResponsesLine } from './late-responses.js';
import { prepareWriteChecks } from './new-primary.js';
import { loseThePrimary, type Failover } from './lose-the-primary.js';
import { ROUTES, type Route } from './routes.js';

/** `npm run lab -- failover --rounds 20`: rounds of each kind, for each route to the primary. */
const ROUNDS = suite.number('rounds', suite.length === 'full' ? 5 : 1);
const MAX_ROUND_MS = 180_000;
const MAX_SERVED_MS = 2_000;
const MAX_PAUSE_MS = 500;
/** Without the lines on each kind of fault. */
const REPORTED_LINES = 4;
/** `--only HAProxy`: only routes with this word in their name. */
const routes = ROUTES.filter(({ name }) => name.includes(suite.option('only') ?? ''));
jest.setTimeout(300_000 + FAILOVER_KINDS.length * ROUNDS * MAX_ROUND_MS);

let cluster: Cluster;
let redis: RedisServer;
beforeAll(async () => {
  buildIfChanged();
  [cluster, redis] = await Promise.all([startCluster(), aRedisServer()]);
  const primary = await cluster.whenHealthy();
  await prepareWriteChecks(primary);
  const database = await open();
  await applyMigrations(database, MIGRATIONS_DIR, silentLog);
  await database.close();
}, 600_000);
afterAll(async () => {
  killStartedPrograms();
  await redis?.close();
  await cluster?.close();
});

/** The database on the primary, without anything in between. The primary may change meanwhile. */
async function open(): Promise<OpenDatabase> {
  for (const deadline = performance.now() + MAX_ROUND_MS; ;) {
    const { port } = await cluster.whenHealthy();
    const connectionString = cluster.url(`127.0.0.1:${port}`);
    try {
      return await openDatabase({ connectionString, poolSize: 4, log: silentLog });
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(MAX_PAUSE_MS);
    }
  }
}

const round = (values: readonly number[]): string =>
  values
    .toSorted((a, b) => a - b)
    .map((value) => Math.round(value))
    .join(', ');

function reportKind({ name }: FailoverKind, failovers: readonly Failover[]): void {
  const of = (read: (failover: Failover) => number): string => round(failovers.map(read));
  suite.report(
    `${name}: promoted after ${of(({ promotedMs }) => promotedMs)} ms, could commit ${of(({ commitMs }) => commitMs)} ms later, served ${of(({ servedMs }) => servedMs)} ms after that`,
  );
}

/** Loses the primary in all ways, and reports what that cost. @returns what contradicts the guarantees */
async function runRounds(route: Route, service: Service): Promise<string[]> {
  const random = createRandom(0);
  const pause = (): Promise<void> => sleep(random.between([MAX_PAUSE_MS, 2 * MAX_PAUSE_MS]));
  const load = await createFailoverLoad(service, FAILOVER_KINDS.length * ROUNDS);
  const failovers = new Map<FailoverKind, Failover[]>(FAILOVER_KINDS.map((kind) => [kind, []]));
  for (let n = 0; n < ROUNDS; n++)
    for (const [kind, done] of failovers)
      await load.during(async () => {
        await pause();
        done.push(await loseThePrimary({ cluster, kind, load }));
        await pause();
      });
  const { violations, rows } = await load.finish();
  await load.close();
  const published = rows.filter(({ result }) => result === 'published');
  const repeated = rows.filter(({ copies }) => copies.length > 1);
  const guarantees = [...new Set(repeated.map(({ guarantee }) => guarantee))].join(', ');
  suite.report(
    `${route.name}, seed ${SEED}, ${rows.length} posts, ${published.length} published, ${repeated.length} more than once (guarantee ${guarantees || '–'})`,
  );
  for (const line of reportLines(load.history).slice(0, REPORTED_LINES)) suite.report(line);
  suite.report(lateResponsesLine(load.history));
  failovers.forEach((done, kind) => reportKind(kind, done));
  const late = [...failovers].flatMap(([{ name }, done]) =>
    done
      .filter(({ servedMs }) => servedMs > MAX_SERVED_MS)
      .map(
        ({ servedMs }) =>
          `${name}: changes were saved ${Math.round(servedMs)} ms after they could be`,
      ),
  );
  return [...violations, ...late];
}

describe.each(routes)('a service that reaches the primary by $name', (route: Route) => {
  it('loses nothing acknowledged and publishes nothing twice, whatever the primary dies of', async () => {
    const path = await route.open(cluster);
    try {
      const { gateways, workers } = await startService({
        LOG_LEVEL: 'error',
        ...WEBHOOK_SETTINGS,
        ...path.settings,
        REDIS_URL: redis.url,
      });
      const processes = [...gateways, ...workers];
      const violations = await runRounds(route, { gateways, workers, database: open });
      expect(processes.map((process) => process.isRunning())).toEqual(processes.map(() => true));
      expect({ seed: SEED, violations }).toEqual({ seed: SEED, violations: [] });
    } finally {
      killStartedPrograms();
      await path.close();
    }
  });
});
