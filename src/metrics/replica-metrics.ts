import { Gauge, type Registry } from 'prom-client';

/** The state of a read replica. */
export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  readonly isUsed: boolean;
  /** Seconds; Infinity if it is not known. */
  readonly lag: number;
}

/** Reports how this process sees the read replicas. */
export function collectReplicaMetrics(
  register: Registry,
  replicas: () => readonly ReplicaState[],
): void {
  const labelNames = ['replica'] as const;
  new Gauge({
    name: 'posts_gateway_replica_used',
    labelNames,
    help: 'Whether the process reads posts from the read replica: 1 if so, else 0.',
    registers: [register],
    collect() {
      for (const { name, isUsed } of replicas()) this.set({ replica: name }, isUsed ? 1 : 0);
    },
  });
  new Gauge({
    name: 'posts_gateway_replica_lag_seconds',
    labelNames,
    help: 'How far the read replica is behind the primary, to a quarter of a second. +Inf if it is not known.',
    registers: [register],
    collect() {
      for (const { name, lag } of replicas()) this.set({ replica: name }, lag);
    },
  });
}
