import type { FaultKind } from '../../test/faults/fault-kinds.js';
import type { ClusterNode } from './cluster-node.js';
import type { Cluster } from './cluster.js';

/** A way in which a cluster loses its primary. */
export interface FailoverKind extends Pick<FaultKind, 'name' | 'tolerates'> {
  begin(cluster: Cluster, primary: ClusterNode): void | Promise<void>;
  /** Returns the earlier primary to the cluster. */
  end?(primary: ClusterNode): void;
}

const TOLERANCE = { tolerates: ['UNAVAILABLE', 'late', 'IDEMPOTENCY_IN_FLIGHT'] } as const;

export const FAILOVER_KINDS: readonly FailoverKind[] = [
  {
    name: 'the primary is killed',
    ...TOLERANCE,
    begin: (_cluster, primary) => primary.kill(),
    end: (primary) => primary.start(),
  },
  {
    name: 'only PostgreSQL of the primary is killed',
    ...TOLERANCE,
    begin: (_cluster, primary) => primary.crash(),
  },
  {
    name: 'the primary is frozen',
    ...TOLERANCE,
    begin: (_cluster, primary) => primary.freeze(),
    end: (primary) => primary.thaw(),
  },
  {
    name: 'the primary is cut off from etcd',
    ...TOLERANCE,
    begin: (_cluster, primary) => primary.cutOff(),
    end: (primary) => primary.reconnect(),
  },
  {
    name: 'planned switch-over',
    ...TOLERANCE,
    begin: (cluster) => cluster.switchOver(),
  },
];
