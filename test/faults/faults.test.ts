import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createDatabase } from '../../src/persistence/database.js';
import { withClockAhead } from '../fixtures/wrong-clock.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { createGatewayClient, type GatewayClient } from './gateway-client.js';
import { findDataViolations, findViolations } from './violations.js';
import { createRandom, SEED } from './random.js';
import { createLoadClient, POSTS_PER_DELETION } from './load-client.js';
import { FAULT_KINDS, type FaultKind } from './fault-kinds.js';
import { eventLine, reportLines } from './report.js';
import { startDeployment, type Deployment } from './deployment.js';
import { createRequestHistory, type InjectedFault } from './request-history.js';
import { DATA_DAMAGES, HISTORY_DAMAGES } from './damages.js';
import { EVENT_DATA_DAMAGES, RECEIPT_DAMAGES } from './event-damages.js';
import { startEventClients, WEBHOOK_SETTINGS } from './received-events.js';
import { createTestPosts, beginSeries, type TestPosts } from './test-posts.js';

/**
 * `npm run test:faults -- --rounds 50`. Three rounds in `npm run test:system`: one of each kind would take too
 * long.
 */
const ROUNDS = suite.number('rounds', { short: 3, quick: 20, full: 200 }[suite.length]);
const CLIENTS = 6;
const DELETIONS_PER_ROUND = 2;
const MAX_PAUSE_MS = 500;
const MAX_RECOVERY_MS = 5_000;
const LEASES_TIMEOUT_MS = 20_000;
const MAX_ROUND_MS = 15_000;
/** Of the second gateway and the second worker, which must not notice it. */
const WRONG_CLOCK_S = -7_200;
jest.setTimeout(180_000 + ROUNDS * MAX_ROUND_MS);

let deployment: Deployment;
beforeAll(async () => {
  buildIfChanged();
  deployment = await startDeployment(WEBHOOK_SETTINGS, {
    clockOptions: withClockAhead(WRONG_CLOCK_S),
  });
});
afterAll(async () => {
  await deployment?.close();
  killStartedPrograms();
});

/** `--only Redis`: only kinds with this word in their name. */
const KINDS = FAULT_KINDS.filter(({ name }) => name.includes(suite.option('only') ?? ''));

/** Each kind equally often, in random order. */
function* faultSequence(count: number): Generator<FaultKind> {
  let remaining = KINDS;
  for (let round = 0; round < count; round++) {
    const kind = random.oneOf(remaining);
    yield kind;
    remaining = remaining.length > 1 ? remaining.filter((other) => other !== kind) : KINDS;
  }
}

/** Waits until every gateway reads and writes again. */
async function waitUntilRecovered(gatewayClient: GatewayClient, id: string): Promise<void> {
  const deadline = performance.now() + MAX_RECOVERY_MS;
  for (let gateway = 0; gateway < gatewayClient.count; gateway++) {
    while (
      (
        await gatewayClient.send(gateway, {
          method: 'PUT',
          path: `/v1/posts/${id}?dry_run=true`,
          body: { post: { text: 'dry' } },
        })
      ).status !== 200
    ) {
      if (performance.now() > deadline)
        throw new Error(`gateway ${gateway + 1} did not recover (--seed ${SEED})`);
      await sleep(20);
    }
  }
}

const WAITING =
  "SELECT 1 FROM job WHERE status = 'working' UNION ALL SELECT 1 FROM webhook_delivery WHERE leased_until > now()";

/**
 * Killed processes keep idempotency keys for 30 s and job leases for 20 s, and messages for 30 s; only
 * the full run waits for that. A live worker renews the leases of jobs every 5 s, and sends a message
 * within a second: leases that are 8 s old belong to killed ones.
 */
async function expireTokensOfKilledProcesses(): Promise<void> {
  if (suite.length !== 'full')
    await deployment.postgres.admin(
      "UPDATE idempotency SET started_at = started_at - interval '1 minute' WHERE outcome IS NULL",
    );
}
async function expireLeasesOfKilledProcesses(): Promise<void> {
  if (suite.length === 'full') return;
  const { pool, close } = await deployment.database();
  const isWorking = async (): Promise<boolean> => (await pool.query(WAITING)).rows.length > 0;
  for (
    const deadline = performance.now() + LEASES_TIMEOUT_MS;
    performance.now() < deadline && (await isWorking());
    await sleep(200)
  ) {
    await pool.query(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE leased_until BETWEEN now() AND now() + interval '12 seconds'",
    );
    await pool.query(
      "UPDATE webhook_delivery SET leased_until = now() - interval '1 second' WHERE leased_until BETWEEN now() AND now() + interval '22 seconds'",
    );
  }
  await close();
}

const random = createRandom(0);
const history = createRequestHistory();
let testPosts: TestPosts;

it('loses no acknowledged change, applies none in part, and answers 503 in time, for every fault under load', async () => {
  const database = await deployment.database();
  testPosts = await createTestPosts(database, {
    clients: CLIENTS,
    toDelete: (CLIENTS + ROUNDS * DELETIONS_PER_ROUND) * POSTS_PER_DELETION,
  });
  const gatewayClient = createGatewayClient(
    deployment.gateways.map(({ url }) => url),
    testPosts.viewer,
  );
  const eventClients = await startEventClients(gatewayClient, {
    urls: deployment.gateways.map(({ url }) => url),
    viewer: testPosts.viewer,
    history,
  });
  await beginSeries(gatewayClient, testPosts);
  await database.close();

  suite.report(`seed ${SEED}`);
  let isOver = false;
  const clients = testPosts.byClient.map((ownPosts, index) =>
    createLoadClient(
      { gatewayClient, history, testPosts, random: createRandom(index + 1), isOver: () => isOver },
      ownPosts,
    ),
  );
  // Clients send each kind of change once before the first fault. Without an acknowledged deletion,
  // for example, the tests below could not detect that its event is missing.
  await Promise.all(clients.map((client) => client.sendEachKind()));
  const load = clients.map((client) => client.sendUntilOver());
  for (const kind of faultSequence(ROUNDS)) {
    await sleep(random.between([0, MAX_PAUSE_MS]));
    const fault: InjectedFault = {
      kind,
      from: performance.now(),
      to: Infinity,
      recoveryMs: 0,
      target: null,
    };
    history.faults.push(fault);
    fault.target = (await kind.begin(deployment, random)) ?? null;
    await sleep(random.between(kind.durationMs));
    await kind.end(deployment);
    const removedAt = performance.now();
    await waitUntilRecovered(gatewayClient, testPosts.byClient[0]!.scheduled[0]!);
    Object.assign(fault, { to: performance.now(), recoveryMs: performance.now() - removedAt });
  }
  isOver = true;
  await expireTokensOfKilledProcesses();
  await Promise.all(load);
  await expireLeasesOfKilledProcesses();

  const violations = await findViolations({
    deployment,
    history,
    testPosts,
    gatewayClient,
    eventClients,
  });
  reportLines(history).forEach((line) => suite.report(line));
  suite.report(eventLine(history, eventClients.connections()));
  await gatewayClient.close();
  expect({ seed: SEED, violations }).toEqual({ seed: SEED, violations: [] });
});

it.each([...DATA_DAMAGES, ...EVENT_DATA_DAMAGES])('detects %s', async (_name, sql, violation) => {
  const { pool, close } = await deployment.database();
  // one connection, so that every query is in the transaction
  const singleConnection = new pg.Pool({ ...pool.options, max: 1 });
  const violationsFound = (): Promise<string[]> =>
    findDataViolations(
      { ...createDatabase(singleConnection), pool: singleConnection },
      { history, testPosts },
    );
  try {
    await singleConnection.query('BEGIN');
    expect(await violationsFound()).toEqual([]);
    expect((await singleConnection.query(sql)).rowCount).toBeGreaterThan(0);
    expect(await violationsFound()).toContainEqual(expect.stringMatching(violation));
  } finally {
    await singleConnection.query('ROLLBACK');
    await singleConnection.end();
    await close();
  }
});

it.each([...HISTORY_DAMAGES, ...RECEIPT_DAMAGES])(
  'detects a record of %s',
  async (_name, damage, violation) => {
    const database = await deployment.database();
    expect(
      await findDataViolations(database, { history: damage(history), testPosts }),
    ).toContainEqual(expect.stringMatching(violation));
    await database.close();
  },
);
