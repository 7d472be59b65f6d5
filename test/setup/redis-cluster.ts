import { Redis } from 'ioredis';
import { aRedisServer, type RedisServer } from './redis.js';
import { waitFor } from '../fixtures/wait-for.js';

/** A cluster of real servers on 127.0.0.1. */
export interface RedisCluster {
  /** Its masters, for REDIS_URL. */
  readonly url: string;
  readonly masters: readonly RedisServer[];
  /** One of each master, in the same order, if the cluster has replicas. */
  readonly replicas: readonly RedisServer[];
  close(): Promise<void>;
}

interface ClusterOptions {
  readonly masters: number;
  readonly hasReplicas?: boolean;
  /** Settings of all servers. */
  readonly settings?: readonly string[];
  /** Password of the default user, if the settings have one. */
  readonly password?: string;
}

const SLOTS = 16_384;

/** Starts a cluster of masters that share the slots. */
export async function aRedisCluster({
  masters: size,
  hasReplicas = false,
  settings = [],
  password = '',
}: ClusterOptions): Promise<RedisCluster> {
  const startNodes = (): Promise<RedisServer[]> =>
    Promise.all(
      Array.from({ length: size }, () =>
        aRedisServer(
          '--cluster-enabled',
          'yes',
          '--cluster-node-timeout',
          hasReplicas ? '1000' : '2000',
          ...settings,
        ),
      ),
    );
  const masters = await startNodes();
  const replicas = hasReplicas ? await startNodes() : [];
  const nodes = [...masters, ...replicas];
  const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1', { password }));
  const share = (part: number): number[] =>
    Array.from({ length: SLOTS }, (_, slot) => slot).filter(
      (slot) => Math.floor((slot * size) / SLOTS) === part,
    );
  await Promise.all(masters.map((_, part) => clients[part]!.cluster('ADDSLOTS', ...share(part))));
  await Promise.all(
    nodes.slice(1).map(({ port }) => clients[0]!.cluster('MEET', '127.0.0.1', port)),
  );
  const reports = async (...lines: string[]): Promise<boolean> => {
    const infos = await Promise.all(clients.map((client) => client.cluster('INFO')));
    return infos.every((info) => lines.every((line) => String(info).includes(`${line}\r\n`)));
  };
  await waitFor(() => reports('cluster_state:ok', `cluster_known_nodes:${nodes.length}`));
  const ids = await Promise.all(masters.map((_, part) => clients[part]!.cluster('MYID')));
  await Promise.all(
    replicas.map((_, part) => clients[size + part]!.cluster('REPLICATE', String(ids[part]))),
  );
  const isReplicating = async (client: Redis): Promise<boolean> =>
    (await client.info('replication')).includes('master_link_status:up');
  await waitFor(async () =>
    (await Promise.all(clients.slice(size).map(isReplicating))).every(Boolean),
  );
  await waitFor(() => reports('cluster_state:ok', `cluster_size:${size}`));
  clients.forEach((client) => client.disconnect());
  return {
    url: masters.map(({ url }) => url).join(','),
    masters,
    replicas,
    close: async () => {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}
