import { Redis } from 'ioredis';
import { aRedisServer, aSentinel, type RedisServer } from '../../test/setup/redis.js';
import { waitFor } from '../../test/fixtures/wait-for.js';

/** A master, three replicas and three Sentinels, all real and on 127.0.0.1. */
export interface SentinelDeployment {
  /** The Sentinels as `host:port`, separated by commas. */
  readonly hosts: string;
  /** The server that the Sentinels name. */
  master(): Promise<RedisServer>;
  /** Makes the Sentinels replace a master that works. */
  failOver(): Promise<void>;
  close(): Promise<void>;
}

interface SentinelOptions {
  /** Name of the master. */
  readonly name: string;
  /** Settings of the servers. */
  readonly settings: readonly string[];
  /** Password of the servers' default user. */
  readonly password: string;
  /** Password of the Sentinels. */
  readonly sentinelPassword: string;
}

const REPLICAS = 3;

/** Starts a deployment that replaces a dead master within about two seconds. */
export async function aSentinelDeployment({
  name,
  settings,
  password,
  sentinelPassword,
}: SentinelOptions): Promise<SentinelDeployment> {
  const passwords = ['--requirepass', password, '--masterauth', password];
  const first = await aRedisServer(...passwords, ...settings);
  const replicaOf = ['--replicaof', '127.0.0.1', String(first.port)];
  const startReplica = (): Promise<RedisServer> =>
    aRedisServer(...passwords, ...settings, ...replicaOf, '--repl-diskless-sync-delay', '0');
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, startReplica));
  const servers = [first, ...replicas];
  const sentinels = await Promise.all(
    Array.from({ length: 3 }, () =>
      aSentinel([
        `requirepass ${sentinelPassword}`,
        `sentinel monitor ${name} 127.0.0.1 ${first.port} 2`,
        `sentinel auth-pass ${name} ${password}`,
        `sentinel down-after-milliseconds ${name} 700`,
        `sentinel failover-timeout ${name} 2000`,
      ]),
    ),
  );
  const clients = sentinels.map(
    ({ port }) =>
      new Redis(port, '127.0.0.1', { password: sentinelPassword, enableReadyCheck: false }),
  );
  const knowsAll = async (client: Redis): Promise<boolean> => {
    const [known, others] = await Promise.all([
      client.call('SENTINEL', 'REPLICAS', name),
      client.call('SENTINEL', 'SENTINELS', name),
    ]);
    return (known as unknown[]).length === REPLICAS && (others as unknown[]).length === 2;
  };
  await waitFor(async () => (await Promise.all(clients.map(knowsAll))).every(Boolean));
  return {
    hosts: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
    async master() {
      const address = await clients[0]!.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
      const [, port] = address as string[];
      return servers.find((server) => server.port === Number(port))!;
    },
    async failOver() {
      await clients[0]!.call('SENTINEL', 'FAILOVER', name);
    },
    async close() {
      clients.forEach((client) => client.disconnect());
      await Promise.all([...sentinels, ...servers].map((server) => server.close()));
    },
  };
}
