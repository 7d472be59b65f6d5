/** Users that PostgreSQL and Patroni need. */
export const SUPERUSER = { username: 'postgres', password: 'superuser-password' } as const;
const REPLICATION = { username: 'replicator', password: 'replication-password' } as const;

/** The name of the cluster in etcd. */
export const SCOPE = 'posts';

interface NodeConfig {
  readonly name: string;
  readonly folder: string;
  readonly port: number;
  readonly restPort: number;
  /** Port through which this node reaches etcd. */
  readonly etcdPort: number;
  readonly postgresFolder: string;
}

/** Seconds. Shorter than Patroni's defaults (30, 10 and 10), so that a round takes less time. */
const TIMES = { ttl: 8, loop_wait: 1, retry_timeout: 3 } as const;

/** The configuration of Patroni on a node, in YAML, of which JSON is a part. */
export const patroniConfig = (node: NodeConfig): string =>
  JSON.stringify({
    scope: SCOPE,
    name: node.name,
    restapi: {
      listen: `127.0.0.1:${node.restPort}`,
      connect_address: `127.0.0.1:${node.restPort}`,
    },
    // Not `etcd3`: with it, Patroni 3.0.2 lets a primary that was frozen take the role back from the
    // new one, and acknowledged changes are lost (fixed in 3.0.3). `use_proxies`: no discovery of the
    // address of etcd, because each node has its own way to it, which can be cut.
    etcd: { hosts: [`127.0.0.1:${node.etcdPort}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...TIMES,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 150,
            shared_buffers: '64MB',
            wal_keep_size: '256MB',
            // the pause before a standby that found no primary tries again
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.port}`,
      data_dir: `${node.folder}/data`,
      bin_dir: node.postgresFolder,
      pgpass: `${node.folder}/pgpass`,
      authentication: { superuser: SUPERUSER, replication: REPLICATION },
      parameters: { unix_socket_directories: '' },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        `host replication ${REPLICATION.username} 127.0.0.1/32 scram-sha-256`,
      ],
      basebackup: [{ checkpoint: 'fast' }],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
    watchdog: { mode: 'off' },
  });
