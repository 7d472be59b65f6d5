import { Gauge, type Registry } from 'prom-client';

/** The counters of a connection pool. */
export interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Reports the use of this process's database connections. */
export function collectPoolMetrics(register: Registry, pool: Pool): void {
  new Gauge({
    name: 'posts_gateway_database_connections',
    labelNames: ['state'],
    help: 'Open database connections, by state: busy or idle.',
    registers: [register],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_connections_max',
    help: 'Maximum number of database connections: DATABASE_POOL_SIZE.',
    registers: [register],
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_queries_waiting',
    help: 'Queries waiting for a connection.',
    registers: [register],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
