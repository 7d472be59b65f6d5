import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SUPERUSER } from './patroni-config.js';
import type { ClusterNode } from './cluster-node.js';
import { asSuperuser, connectAsSuperuser, type Cluster } from './cluster.js';

/** When a new primary was there, in milliseconds from `performance.now()`. */
export interface NewPrimary {
  readonly node: ClusterNode;
  /** It had left recovery. */
  readonly promotedAt: number;
  /** It had committed a change, which a standby has confirmed. */
  readonly writableAt: number;
}

const POLL_MS = 20;
const TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 1_000;

const INSERT = 'INSERT INTO failover_check VALUES (now())';

/** Creates the table whose changes show that a primary can commit. */
export const prepareWriteChecks = (primary: ClusterNode): Promise<void> =>
  asSuperuser(primary, 'postgres', 'CREATE TABLE failover_check (at timestamptz)');

/** Watches whether a primary goes on to commit. */
export interface CommitWatch {
  /** Returns when the last commit ended that had to wait; null if none had to. */
  end(): Promise<number | null>;
}

/** A commit that takes longer waits for a standby. */
const MAX_COMMIT_MS = 500;

/**
 * Commits changes on a primary until the end. A new primary can lose its first standby again: the
 * standby connects anew when Patroni has created its replication slot.
 */
export function watchCommits(primary: ClusterNode): CommitWatch {
  let lastWaitEndedAt: number | null = null;
  let isOver = false;
  const ended = (async () => {
    const client = await connectAsSuperuser(primary, 'postgres');
    try {
      while (!isOver) {
        const startedAt = performance.now();
        await client.query(INSERT);
        if (performance.now() - startedAt > MAX_COMMIT_MS) lastWaitEndedAt = performance.now();
        await sleep(POLL_MS);
      }
    } finally {
      await client.end();
    }
  })();
  ended.catch(() => undefined); // `end` reports it
  return {
    async end() {
      isOver = true;
      await ended;
      return lastWaitEndedAt;
    },
  };
}

/** Whether the server at this port is a primary. False if it does not answer within 1 s. */
export async function isPromoted({ port }: Pick<ClusterNode, 'port'>): Promise<boolean> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: SUPERUSER.username,
    password: SUPERUSER.password,
    database: 'postgres',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  }).on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isStandby"');
    return !rows[0].isStandby;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/**
 * Waits until one of the standbys is the primary and commits changes. Asks each of them directly.
 * @throws Error after 60 s
 */
export async function newPrimary({ nodes }: Cluster, earlier: ClusterNode): Promise<NewPrimary> {
  const deadline = performance.now() + TIMEOUT_MS;
  const candidates = nodes.filter((node) => node !== earlier);
  while (performance.now() < deadline) {
    const promoted = await Promise.all(candidates.map(isPromoted));
    const node = candidates[promoted.indexOf(true)];
    if (node) {
      const promotedAt = performance.now();
      await asSuperuser(node, 'postgres', INSERT);
      return { node, promotedAt, writableAt: performance.now() };
    }
    await sleep(POLL_MS);
  }
  throw new Error('no standby was promoted within 60 s');
}
