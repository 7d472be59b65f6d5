import { startPgBouncer } from '../../test/setup/pgbouncer.js';
import type { Cluster } from './cluster.js';
import { startHaproxy } from './haproxy.js';

/** An open way from the service to the primary. */
export interface OpenRoute {
  /** Settings of the gateways and workers. */
  readonly settings: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** A way from the service to the primary, which docs/postgresql.md describes. */
export interface Route {
  readonly name: string;
  open(cluster: Cluster): Promise<OpenRoute>;
}

/** The address of each server, which may be the primary or a standby. */
const addressesOf = ({ nodes }: Cluster): string[] => nodes.map(({ port }) => `127.0.0.1:${port}`);

export const ROUTES: readonly Route[] = [
  {
    name: 'HAProxy',
    async open(cluster) {
      const { port, close } = await startHaproxy(cluster);
      return { settings: { DATABASE_URL: cluster.url(`127.0.0.1:${port}`) }, close };
    },
  },
  {
    name: 'several hosts in DATABASE_URL',
    async open(cluster) {
      return {
        settings: { DATABASE_URL: cluster.url(...addressesOf(cluster)) },
        close: async () => undefined,
      };
    },
  },
  {
    name: 'several hosts with read replicas',
    async open(cluster) {
      const addresses = addressesOf(cluster);
      return {
        settings: {
          DATABASE_URL: cluster.url(...addresses),
          DATABASE_REPLICA_URLS: addresses.map((address) => cluster.url(address)).join(),
        },
        close: async () => undefined,
      };
    },
  },
  {
    name: 'PgBouncer in transaction mode',
    async open(cluster) {
      const haproxy = await startHaproxy(cluster);
      const directUrl = cluster.url(`127.0.0.1:${haproxy.port}`);
      const pgbouncer = await startPgBouncer(directUrl, {
        mode: 'transaction',
        followsGuide: true,
      });
      return {
        settings: { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: directUrl },
        async close() {
          await pgbouncer.close();
          await haproxy.close();
        },
      };
    },
  },
];
