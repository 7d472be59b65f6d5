import { setTimeout as sleep } from 'node:timers/promises';
import { startDeployment, type Deployment } from '../faults/deployment.js';
import { createRandom, SEED } from '../faults/random.js';
import { loggedErrors } from '../faults/violations.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import {
  countInterrupted,
  noneInterrupted,
  PHASES,
  UNTIL_RENEWED_MS,
  type Phase,
  type RunningAttempt,
} from './attempt-phases.js';
import { affectsEachAttempt, KINDS } from './kill-kinds.js';
import { newAccounts } from './load-accounts.js';
import { createLoadUsers, type LoadUsers } from './load-clients.js';
import { runLoadClient } from './load.js';
import {
  describeViolation,
  findPublishingViolations,
  readRows,
  type PublishedRow,
} from './network-record.js';
import type { PostRecord } from './post-record.js';
import { reportLines } from './report.js';
import { settle } from './settle.js';
import { aimStrike, type Strike } from './strikes.js';

/** `npm run test:publishing -- [--quick] [--rounds n] [--seed n]`: each round has a strike in each phase. */
const ROUNDS = suite.number('rounds', { short: 1, quick: 2, full: 200 }[suite.length]);
/** More rounds if each strike in a phase came too late to interrupt an attempt. */
const MAX_MORE_ROUNDS = 2;
const MAX_ROUND_MS = 240_000;
jest.setTimeout(180_000 + (ROUNDS + MAX_MORE_ROUNDS) * MAX_ROUND_MS);

/** After so many rounds, attempts must have been interrupted in each phase. */
const SUFFICIENT_ROUNDS = 8;
const CLIENTS = 4;
const POSTS_PER_CLIENT = 12;
/** Fewer jobs than usual for each process, so that all of them have attempts in a phase. */
const JOB_CONCURRENCY = 8;
const MAX_RECOVERY_MS = 15_000;
const MAX_SHOWN = 5;
/** Rounds between two reports: a full run takes long. */
const REPORT_INTERVAL = 5;

const random = createRandom(0);
const interrupted = noneInterrupted();
let deployment: Deployment;
let users: LoadUsers;

beforeAll(async () => {
  buildIfChanged();
  deployment = await startDeployment({ JOB_CONCURRENCY: String(JOB_CONCURRENCY) });
  const database = await deployment.database();
  users = await createLoadUsers(
    database,
    deployment.gateways.map(({ url }) => url),
  );
  await database.close();
});
afterAll(async () => {
  await users?.owner.close();
  await users?.member.close();
  await deployment?.close();
  killStartedPrograms();
});

async function waitUntilRecovered(): Promise<void> {
  const deadline = performance.now() + MAX_RECOVERY_MS;
  for (let gateway = 0; gateway < users.owner.count; gateway += 1)
    while ((await users.owner.send(gateway, { method: 'GET', path: '/v1/posts' })).status !== 200) {
      if (performance.now() > deadline) throw new Error(`gateway ${gateway + 1} did not recover`);
      await sleep(20);
    }
}

const openAccounts = async () => {
  const database = await deployment.database();
  const accounts = await newAccounts(database, users.viewer.workspace.id);
  await database.close();
  return accounts;
};

/** All of them equally often, in random order. */
function* shuffled<T>(all: readonly T[]): Generator<T, never> {
  for (;;) {
    const left = [...all];
    while (left.length > 0) yield left.splice(Math.floor(random.fraction() * left.length), 1)[0]!;
  }
}
const [kinds, phases] = [shuffled(KINDS), shuffled(PHASES)];

/** Counts the attempts that a strike interrupted, as soon as that can be told. */
async function countStrike(phase: Phase, waiting: readonly RunningAttempt[], struckAt: number) {
  await sleep(Math.max(0, struckAt + UNTIL_RENEWED_MS - performance.now()));
  const database = await deployment.database();
  interrupted[phase] += await countInterrupted(database.pool, waiting);
  await database.close();
}

/** A round: load, and a strike in each phase. */
async function loadWithStrikes(
  round: number,
  violations: string[],
): Promise<{ records: PostRecord[]; accountIds: string[]; strikes: Strike[] }> {
  const records: PostRecord[] = [];
  const strikes: Strike[] = [];
  let isOver = false;
  const accounts = await openAccounts();
  const { owner, member } = users;
  const load = { round, accounts, owner, member, records, violations, isOver: () => isOver };
  const clientsRunning = Array.from({ length: CLIENTS }, (_, index) =>
    runLoadClient(load, createRandom(round * CLIENTS + index + 1), POSTS_PER_CLIENT),
  );
  const target = { deployment, owner, random };
  let count = (): Promise<void> => Promise.resolve();
  for (let nth = 1; nth <= PHASES.length; nth += 1) {
    const [kind, phase] = [kinds.next().value, phases.next().value];
    const strike = { round, kind, phase, accounts: await openAccounts() };
    const { records: burst, kill } = await aimStrike(target, strike);
    records.push(...burst);
    strikes.push(strike);
    // The attempts of the last strike, before this one interrupts them again.
    await count();
    const struckAt = performance.now();
    const waiting = await kill();
    count = () => countStrike(phase, waiting, struckAt);
    await waitUntilRecovered();
  }
  await count();
  isOver = true;
  // A killed gateway keeps its idempotency keys for 30 s.
  await deployment.postgres.admin(
    "UPDATE idempotency SET started_at = started_at - interval '1 minute' WHERE outcome IS NULL",
  );
  await Promise.all(clientsRunning);
  const accountIds = [accounts, ...strikes.map((strike) => strike.accounts)].flat();
  return { records, accountIds: accountIds.map(({ id }) => id), strikes };
}

test('no post is lost, published twice, or published after it was deleted, declined or moved', async () => {
  const violations: string[] = [];
  const [allRows, allRecords]: [PublishedRow[], PostRecord[]] = [[], []];
  const mustBeInterrupted = new Set<Phase>(ROUNDS < SUFFICIENT_ROUNDS ? [] : PHASES);
  const missedPhases = () => [...mustBeInterrupted].filter((phase) => interrupted[phase] === 0);
  const isRun = (round: number): boolean =>
    round <= ROUNDS || (round <= ROUNDS + MAX_MORE_ROUNDS && missedPhases().length > 0);
  for (let round = 1; isRun(round); round += 1) {
    const { records, accountIds, strikes } = await loadWithStrikes(round, violations);
    const database = await deployment.database();
    await settle(database);
    for (const { kind, phase } of strikes)
      if (affectsEachAttempt(kind)) mustBeInterrupted.add(phase);
    const rows = await readRows(database, accountIds);
    const names = strikes.map(({ kind, phase }) => `${kind.name}, ${phase}`).join('; ');
    for (const violation of findPublishingViolations(rows, records))
      violations.push(`round ${round} (${names}): ${await describeViolation(database, violation)}`);
    await database.close();
    allRows.push(...rows);
    allRecords.push(...records);
    if (round % REPORT_INTERVAL === 0 || round >= ROUNDS)
      for (const line of [
        `${round} rounds (seed ${SEED})`,
        ...reportLines({ rows: allRows, records: allRecords }, interrupted),
      ])
        suite.report(line);
    if (violations.length >= MAX_SHOWN) break;
  }
  violations.push(...loggedErrors(deployment));
  expect({ seed: SEED, violations: violations.slice(0, MAX_SHOWN) }).toEqual({
    seed: SEED,
    violations: [],
  });
  for (const guarantee of ['exact', 'compared', 'cannot_tell'] as const)
    expect(allRows.some((row) => row.guarantee === guarantee && row.result === 'published')).toBe(
      true,
    );
  expect({ seed: SEED, missed: missedPhases() }).toEqual({ seed: SEED, missed: [] });
});
