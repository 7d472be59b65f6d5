import type { Costs, RequestCost } from '../../../lab/bench/src/scaling/costs.js';
import { bottlenecksOf, needsOf, serversOf } from '../../../lab/bench/src/scaling/needs.js';
import { rounded } from '../../../lab/bench/src/scaling/needs-report.js';
import { GOAL, type Scenario } from '../../../lab/bench/src/scaling/scenario.js';

const growth = (table: string, tableBytes: number, indexBytes: number) => ({
  table,
  rows: 1,
  tableBytes,
  indexBytes,
});
const request = (cost: Partial<RequestCost>): RequestCost => ({
  gatewayCpu: 1,
  databaseCpu: 0.5,
  redisCpu: 0.01,
  wal: { bytes: 0, pages: 1 },
  storage: [],
  ...cost,
});
const creation = request({
  gatewayCpu: 3,
  databaseCpu: 4,
  wal: { bytes: 10_000, pages: 1 },
  storage: [growth('post', 9, 9), growth('event', 100, 100)],
});

const COSTS: Costs = {
  machine: 'none',
  workspace: [growth('workspace', 600, 400)],
  post: [growth('post', 1_000, 500), growth('post_body', 500, 0)],
  requests: {
    list: request({}),
    detail: request({ gatewayCpu: 0.5, databaseCpu: 0.25 }),
    change: request({ wal: { bytes: 2_000, pages: 1 }, storage: [growth('revision', 100, 100)] }),
    creation,
    'creation of 25 posts': creation,
  },
  publication: {
    workerCpu: 0.6,
    databaseCpu: 0.7,
    transactions: 0.5,
    wal: { bytes: 3_000, pages: 1 },
    storage: [growth('job', 200, 200), growth('publication', 100, 100)],
  },
  memory: { gatewayIdle: 100, gateway: 200, worker: 150, connection: 5 },
  connections: { gateway: 12, worker: 10 },
};

const neededOf = (scenario: Scenario, resource: string): number =>
  needsOf(COSTS, scenario).needs.find((need) => need.resource === resource)!.needed;
const some = (scenario: Partial<Scenario>): Scenario => ({
  workspaces: 0,
  posts: 0,
  requestsPerSecond: 0,
  publicationsPerSecond: 0,
  ...scenario,
});

it('computes CPU and the write-ahead log of requests from their shares', () => {
  const scenario = some({ requestsPerSecond: 1_000 });
  // 500 lists, 430 details, 50 changes and 20 creations
  expect(neededOf(scenario, 'gateways')).toBeCloseTo(0.5 + 0.215 + 0.05 + 0.06);
  expect(neededOf(scenario, 'PostgreSQL, reads and changes')).toBeCloseTo(
    0.25 + 0.1075 + 0.025 + 0.08,
  );
  expect(neededOf(scenario, 'PostgreSQL, changes and publications')).toBeCloseTo(0.105);
  expect(neededOf(scenario, 'write-ahead log')).toBeCloseTo(0.05 * 2 + 0.02 * 10);
  expect(needsOf(COSTS, scenario).processes).toEqual({ gateways: 2, workers: 0, redis: 1 });
});

it('computes the processes and connections of publications', () => {
  const scenario = some({ publicationsPerSecond: 10_000 });
  expect(neededOf(scenario, 'workers')).toBeCloseTo(6);
  expect(neededOf(scenario, 'PostgreSQL, changes and publications')).toBeCloseTo(7);
  expect(neededOf(scenario, 'connections to PostgreSQL')).toBe(100);
  expect(neededOf(scenario, 'memory of gateways and workers')).toBeCloseTo(1.5);
});

it('keeps posts and their history, and the events and jobs of some days', () => {
  expect(neededOf(some({ workspaces: 1e9 }), 'disk')).toBeCloseTo(1);
  const perYear = (days: number): number => days / (3 * 365.25);
  // posts 2,000 bytes, three revisions of 200, publications 200; events 200 and jobs 400
  expect(neededOf(some({ posts: 1e9 }), 'disk')).toBeCloseTo(
    2 + 0.6 + 0.2 + 0.2 * perYear(97) + 0.4 * perYear(30),
  );
});

it('counts the events of creations, changes and publications', () => {
  // one of the creation, none of changes and publications
  expect(neededOf(some({ posts: 3 * 365.25 * 1_000 }), 'events that are kept')).toBeCloseTo(97_000);
});

it('lists the limits of one server in the order in which they are reached', () => {
  const bottlenecks = bottlenecksOf(needsOf(COSTS, GOAL));
  const shares = bottlenecks.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(bottlenecks.find(({ resource }) => resource === 'IDs of posts')!.share).toBeCloseTo(
    0.4295,
    4,
  );
  expect(bottlenecks.map(({ resource }) => resource)).not.toContain('gateways');
  expect(bottlenecksOf(needsOf(COSTS, some({ posts: 1_000 })))).toEqual([]);
});

it('needs as many database servers as the scarcest resource', () => {
  const { databaseServers, needs } = needsOf(COSTS, GOAL);
  const servers = needs
    .filter(({ grows }) => grows === 'database')
    .map((need) => serversOf(need) ?? 0);
  expect(databaseServers).toBe(Math.max(...servers));
  expect(databaseServers).toBeGreaterThan(1);
  expect(serversOf(needs.find(({ resource }) => resource === 'IDs of posts')!)).toBeNull();
  expect(needsOf(COSTS, GOAL)).toEqual(needsOf(COSTS, GOAL));
});

it.each([
  [0.01234, '0.01'],
  [0.0567, '0.06'],
  [1.26, '1.3'],
  [42.6, '43'],
  [1_234, '1,200'],
  [2_147_483_647, '2,100,000,000'],
])('prints %s as %s', (value, text) => {
  expect(rounded(value)).toBe(text);
});
