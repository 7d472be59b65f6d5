import { Gauge, type Registry } from 'prom-client';

/** What a pool of connections says of itself. */
export interface Pool {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
}

/** Shows how this process uses its connections to the database. */
export function watchPool(register: Registry, pool: Pool): void {
  new Gauge({
    name: 'posts_gateway_database_connections',
    labelNames: ['state'],
    help: 'Open connections to the database: busy or idle.',
    registers: [register],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_connections_max',
    help: 'Connections to the database at most: DATABASE_POOL_SIZE.',
    registers: [register],
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'posts_gateway_database_waiting',
    help: 'Queries that wait for a connection.',
    registers: [register],
    collect() {
      this.set(pool.waitingCount);
    },
  });
}
