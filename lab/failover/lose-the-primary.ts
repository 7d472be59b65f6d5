import { setTimeout as sleep } from 'node:timers/promises';
import type { InjectedFault } from '../../test/faults/request-history.js';
import type { Cluster } from './cluster.js';
import type { FailoverKind } from './failover-kinds.js';
import type { FailoverLoad } from './failover-load.js';
import { newPrimary, watchCommits } from './new-primary.js';

/** How long a failover took, in milliseconds. */
export interface Failover {
  /** From the fault until a standby had been promoted. */
  readonly promotedMs: number;
  /** From then until it could commit. */
  readonly commitMs: number;
  /** From then until both gateways had saved a change. */
  readonly servedMs: number;
}

interface FailoverOptions {
  readonly cluster: Cluster;
  readonly kind: FailoverKind;
  readonly load: FailoverLoad;
}

/** Longest wait for a commit (docs/postgresql.md). */
const MAX_WAIT_MS = 25_000;

/** Until a standby follows the new primary, changes wait for it. */
const WITHOUT_STANDBY: InjectedFault['kind'] = {
  name: 'the new primary has no standby yet',
  tolerates: ['UNAVAILABLE', 'late', 'IDEMPOTENCY_IN_FLIGHT'],
  maxWaitMs: MAX_WAIT_MS,
};
/** The earlier primary becomes a standby. It may need the cores of this machine, and nothing else. */
const REJOINING: InjectedFault['kind'] = {
  name: 'the earlier primary returns',
  tolerates: ['late'],
  maxWaitMs: MAX_WAIT_MS,
};

const POLL_MS = 20;
const TIMEOUT_MS = 30_000;

/** Makes the cluster lose its primary under load, and waits until the earlier one is a standby. */
export async function loseThePrimary({ cluster, kind, load }: FailoverOptions): Promise<Failover> {
  const primary = await cluster.whenHealthy();
  const from = performance.now();
  const fault: InjectedFault = { kind, from, to: Infinity, recoveryMs: 0, target: null };
  load.history.faults.push(fault);
  const promotion = newPrimary(cluster, primary);
  await kind.begin(cluster, primary);
  const { node, promotedAt, writableAt: firstCommitAt } = await promotion;
  const commits = watchCommits(node);
  await Promise.all(
    load.writers.map(async (write) => {
      while (!(await write())) {
        if (performance.now() - firstCommitAt > TIMEOUT_MS)
          throw new Error(`no gateway saves changes: ${kind.name}`);
        await sleep(POLL_MS);
      }
    }),
  );
  const to = performance.now();
  const writableAt = Math.min((await commits.end()) ?? firstCommitAt, to);
  load.history.faults.push({ ...fault, kind: WITHOUT_STANDBY, from: promotedAt, to: writableAt });
  Object.assign(fault, { to, recoveryMs: to - writableAt });
  const rejoining: InjectedFault = { ...fault, kind: REJOINING, from: to, to: Infinity };
  load.history.faults.push(rejoining);
  kind.end?.(primary);
  await cluster.whenHealthy();
  rejoining.to = performance.now();
  return {
    promotedMs: promotedAt - from,
    commitMs: writableAt - promotedAt,
    servedMs: to - writableAt,
  };
}
