import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../test/setup/free-port.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { startNode, type ClusterNode, type Member } from './cluster-node.js';
import { clusterPrograms, type ClusterPrograms } from './cluster-programs.js';
import { SCOPE, SUPERUSER } from './patroni-config.js';

/** Three PostgreSQL servers with synchronous replication, run by Patroni. */
export interface Cluster {
  readonly programs: ClusterPrograms;
  /** For the files of other programs. Removed with the cluster. */
  readonly folder: string;
  readonly nodes: readonly ClusterNode[];
  /** Waits until all nodes run and follow the same primary. @returns the primary */
  whenHealthy(): Promise<ClusterNode>;
  /** Asks Patroni for a planned switch-over to the synchronous standby. */
  switchOver(): Promise<void>;
  /** The URL of the database of the service at these addresses. */
  url(...addresses: readonly string[]): string;
  close(): Promise<void>;
}

const NODES = ['node1', 'node2', 'node3'];
const HEALTHY_TIMEOUT_MS = 120_000;
const MAX_LAG_BYTES = 1_000_000;
const ROLE = 'service';
const PASSWORD = 'test-password';
const DATABASE = 'posts';

async function startEtcd(program: string, folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const child = spawn(
    program,
    [
      ['--name', 'etcd'],
      ['--data-dir', path.join(folder, 'etcd')],
      ['--listen-client-urls', url],
      ['--advertise-client-urls', url],
      ['--listen-peer-urls', peerUrl],
      ['--initial-advertise-peer-urls', peerUrl],
      ['--initial-cluster', `etcd=${peerUrl}`],
      ['--unsafe-no-fsync'],
      ['--enable-v2'],
    ].flat(),
    { stdio: 'ignore' },
  );
  const exit = once(child, 'exit');
  return {
    port,
    async close() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Connects to a server directly. The caller ends the connection. */
export async function connectAsSuperuser(
  { port }: Pick<ClusterNode, 'port'>,
  database: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER.username,
    password: SUPERUSER.password,
    database,
  });
  await client.connect();
  return client;
}

/** Runs statements as the superuser of a node. */
export async function asSuperuser(
  node: Pick<ClusterNode, 'port'>,
  database: string,
  ...statements: readonly string[]
): Promise<void> {
  const client = await connectAsSuperuser(node, database);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const isLeader = ({ role }: Member): boolean => role === 'leader';

function isHealthy(members: readonly Member[]): boolean {
  const leader = members.find(isLeader);
  return (
    members.length === NODES.length &&
    members.some(({ role }) => role === 'sync_standby') &&
    members.every(
      ({ state, timeline, lag = 0 }) =>
        ['running', 'streaming'].includes(state) &&
        timeline === leader?.timeline &&
        Number(lag) < MAX_LAG_BYTES,
    )
  );
}

/** Starts etcd and the nodes, and creates the database of the service. */
export async function startCluster(): Promise<Cluster> {
  const programs = clusterPrograms();
  const folder = temporaryFolder();
  const etcd = await startEtcd(programs.etcd, folder);
  const nodes: ClusterNode[] = [];
  for (const name of NODES)
    nodes.push(await startNode({ name, parent: folder, etcdPort: etcd.port, programs }));

  let isFolderKept = false;
  async function whenHealthy(): Promise<ClusterNode> {
    let all: readonly (readonly Member[] | undefined)[] = [];
    for (const deadline = Date.now() + HEALTHY_TIMEOUT_MS; Date.now() < deadline;) {
      all = await Promise.all(nodes.map((node) => node.members()));
      if (all.every((members) => members && isHealthy(members))) {
        const leaders = new Set(all.map((members) => members!.find(isLeader)!.name));
        const [leader] = leaders;
        if (leaders.size === 1) return nodes.find(({ name }) => name === leader)!;
      }
      await sleep(100);
    }
    isFolderKept = true;
    throw new Error(`the cluster is not healthy (logs: ${folder}): ${JSON.stringify(all)}`);
  }

  const primary = await whenHealthy();
  await asSuperuser(
    primary,
    'postgres',
    `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLE}`,
  );
  return {
    programs,
    folder,
    nodes,
    whenHealthy,
    async switchOver() {
      const [{ configFile }] = nodes as [ClusterNode];
      const args = ['-c', configFile, 'switchover', '--force', SCOPE];
      await promisify(execFile)(programs.patronictl, args);
    },
    url: (...addresses) =>
      `postgresql://${ROLE}:${PASSWORD}@${addresses.join(',')}/${DATABASE}${addresses.length > 1 ? '?target_session_attrs=read-write' : ''}`,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
      await etcd.close();
      if (!isFolderKept) removeFolder(folder);
    },
  };
}
