import { pino } from 'pino';
import { gatewayWith, type TestGateway } from '../../test/fixtures/gateway.js';
import { recordsIn, type KeyedViewer, type Records } from '../../test/fixtures/records.js';
import { waitFor } from '../../test/fixtures/wait-for.js';
import { aRedisServer, type RedisServer } from '../../test/setup/redis.js';
import { aReplicatedCluster, type ReplicatedCluster } from './replicated-cluster.js';

/** Two gateways that read the replicas of one cluster. */
export interface ReplicatedGateways {
  readonly cluster: ReplicatedCluster;
  readonly redis: RedisServer;
  readonly gateways: readonly [TestGateway, TestGateway];
  readonly records: Records;
  /** Messages that the gateways logged. */
  readonly logged: readonly string[];
  /** Waits until both gateways use all replicas (`true`) or none. */
  waitUntilUsed(isUsed: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly maxLagMs: number;
  readonly replicas?: number;
  /** Whether the primary is in the list of replicas, too. */
  readonly listsPrimary?: boolean;
}

/** Starts the servers and the gateways. */
export async function replicatedGateways({
  maxLagMs,
  replicas = 1,
  listsPrimary = false,
}: Options): Promise<ReplicatedGateways> {
  const cluster = await aReplicatedCluster(replicas);
  const redis = await aRedisServer();
  const logged: string[] = [];
  const log = pino(
    { level: 'warn' },
    { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
  );
  const settings = {
    databaseUrl: cluster.url,
    databaseReplicaUrls: [
      ...(listsPrimary ? [cluster.url] : []),
      ...cluster.replicas.map(({ url }) => url),
    ],
    databaseReplicaMaxLagMs: maxLagMs,
    redisUrls: [redis.url],
    metricsPort: 0,
    log,
  };
  const gateways = [await gatewayWith(settings), await gatewayWith(settings)] as const;
  const uses = async ({ metricsUrl }: TestGateway): Promise<number[]> => {
    const text = await (await fetch(`${metricsUrl}/metrics`)).text();
    return [...text.matchAll(/^posts_gateway_replica_used\{.*\} (\d)$/gm)].map(
      ([, used]) => +used!,
    );
  };
  return {
    cluster,
    redis,
    gateways,
    records: recordsIn(cluster.database),
    logged,
    async waitUntilUsed(isUsed) {
      let used: number[] = [];
      const areUsed = async (): Promise<boolean> => {
        used = (await Promise.all(gateways.map(uses))).flat();
        return used.length === 2 * replicas && used.every((value) => value === Number(isUsed));
      };
      await waitFor(areUsed).catch((error: unknown) => {
        throw new Error(`used: ${used.join(', ')}; logged:\n${logged.join('\n')}`, {
          cause: error,
        });
      });
    },
    async close() {
      for (const gateway of gateways) await gateway.close();
      await redis.close();
      await cluster.close();
    },
  };
}

/** A post, and the caller of a request for it. */
export interface PostRequest {
  readonly as: KeyedViewer;
  readonly id: string;
  readonly headers?: Record<string, string>;
}

export const LIST_QUERY = '{ posts(first: 100) { totalCount nodes { id text account { name } } } }';

/** In place of the text of a post that was not found. */
const MISSING = 'no such post';

/** The ways to read the text of a post. */
export const READS = {
  async query(gateway: TestGateway, { id, ...caller }: PostRequest): Promise<string> {
    const query = 'query ($id: ID!) { post(id: $id) { text } }';
    const { body } = await gateway.graphql(query, { id }, caller);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return (body.data.post?.text as string | undefined) ?? MISSING;
  },
  async listQuery(gateway: TestGateway, { id, ...caller }: PostRequest): Promise<string> {
    const { body } = await gateway.graphql(LIST_QUERY, {}, caller);
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    const nodes = body.data.posts.nodes as { id: string; text: string }[];
    return nodes.find((node) => node.id === id)?.text ?? MISSING;
  },
  async detail(gateway: TestGateway, { id, ...caller }: PostRequest): Promise<string> {
    const { status, body } = await gateway.v1('GET', `/posts/${id}`, caller);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.text as string;
  },
} as const;

/** The ways to change the text of a post. Each returns the position of the change. */
export const CHANGES = {
  async mutation(gateway: TestGateway, { as, id }: PostRequest, text: string): Promise<string> {
    const query =
      'mutation ($id: ID!, $text: String!) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } userErrors { message } } }';
    const { body, headers } = await gateway.graphql(query, { id, text }, { as });
    if (body.data?.updatePost?.post?.text !== text) throw new Error(JSON.stringify(body));
    return headers.get('x-database-position')!;
  },
  async put(gateway: TestGateway, { as, id }: PostRequest, text: string): Promise<string> {
    const { status, body, headers } = await gateway.v1('PUT', `/posts/${id}`, {
      as,
      body: { post: { text } },
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return headers.get('x-database-position')!;
  },
} as const;
