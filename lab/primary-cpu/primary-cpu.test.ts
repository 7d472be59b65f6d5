import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { gatewayWith, type TestGateway } from '../../test/fixtures/gateway.js';
import type { KeyedViewer } from '../../test/fixtures/records.js';
import { suite } from '../../test/setup/suite.js';
import { replicatedGateways, type ReplicatedGateways } from '../replicas/replicated-gateways.js';

const ROUNDS = suite.length === 'full' ? 4_000 : 1_000;
const CLIENTS = 8;
const POSTS = 60;
const IDLE_MS = suite.length === 'full' ? 30_000 : 10_000;
/** The share of the CPU time that the primary keeps. */
const MAX_SHARE = 0.1;

jest.setTimeout(600_000);

let servers: ReplicatedGateways;
let withoutReplicas: TestGateway;

beforeAll(async () => {
  servers = await replicatedGateways({ maxLagMs: 5_000 });
  const { databaseUrl, redisUrls } = servers.gateways[0].config;
  withoutReplicas = await gatewayWith({ databaseUrl, redisUrls });
});
afterAll(async () => {
  await withoutReplicas?.close();
  await servers?.close();
});

/** The fields of /proc/<pid>/stat after the name of the program, from the state on. */
const statOf = (pid: number | string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
const PARENT = 1;
const [USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED] = [11, 12, 13, 14];
const TICKS_PER_SECOND = 100;

/** The CPU time of a PostgreSQL server since its start, in seconds. */
function cpuSeconds(postmaster: number): number {
  const timesOf = (stat: readonly string[], fields: readonly number[]): number =>
    fields.reduce((sum, field) => sum + Number(stat[field]), 0);
  let ticks = timesOf(statOf(postmaster), [USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED]);
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const stat = statOf(pid);
      if (Number(stat[PARENT]) === postmaster) ticks += timesOf(stat, [USER, SYSTEM]);
    } catch {
      // the process has just ended
    }
  return ticks / TICKS_PER_SECOND;
}

const LIST =
  '{ posts(first: 25, filter: {states: [SCHEDULED]}) { totalCount nodes { id text account { name } } } }';
const SEARCH = '{ posts(first: 10, filter: {query: "word"}) { totalCount nodes { id text } } }';
const DETAIL = 'query ($id: ID!) { post(id: $id) { text account { name } labels { name } } }';

test('with a replica, reads cost the primary little CPU time', async () => {
  const { records, cluster, gateways } = servers;
  const as: KeyedViewer = await records.aViewer();
  const ids: string[] = [];
  for (let n = 0; n < POSTS; n++)
    ids.push((await records.aPost({ by: as, text: `A word ${n}` })).id);
  await servers.waitUntilUsed(true);
  await cluster.replicas[0]!.catchUp();

  const idleBefore = cpuSeconds(cluster.primaryPid());
  await sleep(IDLE_MS);
  const idleShare = ((cpuSeconds(cluster.primaryPid()) - idleBefore) * 1_000) / IDLE_MS;

  async function read(gateway: TestGateway, id: string): Promise<void> {
    const responses = [
      await gateway.graphql(LIST, {}, { as }),
      await gateway.graphql(SEARCH, {}, { as }),
      await gateway.graphql(DETAIL, { id }, { as }),
      await gateway.v1('GET', `/posts/${id}`, { as }),
      await gateway.v1('GET', '/posts', { as }),
    ];
    for (const { status, body } of responses)
      expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  }
  /** Milliseconds of CPU time of the primary for each round of reads, without those of an idle server. */
  async function costOf(gateway: TestGateway): Promise<number> {
    const startedAt = performance.now();
    const before = cpuSeconds(cluster.primaryPid());
    let round = 0;
    const client = async (): Promise<void> => {
      while (round++ < ROUNDS) await read(gateway, ids[round % POSTS]!);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const used = (cpuSeconds(cluster.primaryPid()) - before) * 1_000;
    return (used - idleShare * (performance.now() - startedAt)) / ROUNDS;
  }
  await costOf(withoutReplicas); // prepares the statements
  await costOf(gateways[0]);
  const without = await costOf(withoutReplicas);
  const withReplica = await costOf(gateways[0]);
  suite.report(
    `CPU time of the primary for 5 reads: ${without.toFixed(2)} ms, with a replica ${withReplica.toFixed(2)} ms; idle: ${(idleShare * 100).toFixed(2)}% of a core; left out: ${servers.logged.filter((line) => line.includes('is not used')).length} times`,
  );
  expect(withReplica / without).toBeLessThan(MAX_SHARE);
});
