import type { LogPosition } from './log-position.js';
import { GatewayError } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { OpenDatabase, Reader, ReplicaState } from '../database.js';
import { sessionOptions } from '../connections/session.js';
import { CLUSTER, inBytes, TIMELINE, WRITTEN } from './log-position.js';
import { poll } from './poll.js';
import { createPrimaryProgress } from './primary-progress.js';
import { openReplica, type PrimaryIdentity, type Replica } from './replica.js';

/** The streaming replicas of a database. */
export interface Replicas {
  /** Whether any replica is used now. */
  canRead(): boolean;
  /** Whether every replica is known to have replayed the log up to the position. */
  haveAll(position: LogPosition): boolean;
  /**
   * Runs a read on a replica that has replayed the log up to the position. If there is none, or if
   * it fails there, it runs on the primary. Without a position, it runs on the primary.
   */
  read<T>(position: LogPosition | undefined, work: (server: Reader) => Promise<T>): Promise<T>;
  /** The state of each replica. A server in the list that is the primary is left out. */
  states(): ReplicaState[];
  close(): Promise<void>;
}

interface ReplicasOptions {
  readonly urls: readonly string[];
  readonly primary: OpenDatabase;
  /** Maximum number of connections to each replica. */
  readonly poolSize: number;
  readonly maxLagMs: number;
  readonly log: Log;
}

interface PrimaryRow extends PrimaryIdentity {
  readonly position: LogPosition;
}
const PRIMARY = `SELECT ${inBytes(WRITTEN)} AS position, ${TIMELINE} AS timeline, ${CLUSTER} AS cluster`;

/** SQLSTATE of a statement that was ended; its message says by whom. */
const QUERY_CANCELED = '57014';

/** A read that takes too long on a replica would take too long on the primary as well. */
function isTooSlow(error: unknown): boolean {
  const { code, message } = ((error as Error).cause ?? error) as Error & { code?: string };
  return code === QUERY_CANCELED && message.includes('statement timeout');
}

const isRepeatable = (error: unknown): boolean =>
  !isTooSlow(error) && !(error instanceof GatewayError && error.code !== 'UNAVAILABLE');

/** Opens the replicas. None of them has to be available. */
export function openReplicas({
  urls,
  primary,
  poolSize,
  maxLagMs,
  log,
}: ReplicasOptions): Replicas {
  const progress = createPrimaryProgress();
  let identity: PrimaryIdentity | undefined;
  const leftOut = new Set<Replica>();

  const lagOf = (replica: Replica, now: number): number => {
    const replayed = replica.replayed(now);
    return replayed === undefined ? Infinity : progress.lagOf(replayed, now);
  };

  function problemOf(replica: Replica): string | null {
    if (replica.problem !== null) return replica.problem;
    const now = performance.now();
    if (!progress.isKnown(now)) return 'the primary does not answer';
    const lag = lagOf(replica, now);
    return lag <= maxLagMs ? null : `it is more than ${maxLagMs} ms behind the primary`;
  }

  /** Logs when a replica is left out, and when it is used again. */
  function report(): void {
    if (identity === undefined) return; // the process has just started
    for (const replica of replicas) {
      const problem = problemOf(replica);
      if (problem === null && leftOut.delete(replica))
        log.warn(`The read replica ${replica.name} is used again`);
      else if (problem !== null && !leftOut.has(replica)) {
        leftOut.add(replica);
        log.warn(`The read replica ${replica.name} is not used: ${problem}`);
      }
    }
  }

  const endPoll = poll<PrimaryRow>({
    options: sessionOptions(primary.pool),
    text: PRIMARY,
    onAnswer({ position, ...answered }, askedAt) {
      identity = answered;
      progress.add(position, answered.timeline, askedAt);
      for (const replica of replicas) replica.compare(position, askedAt);
    },
    onFailure: () => undefined, // no replica is used after a second
  });
  const replicas = urls.map((url) =>
    openReplica({
      url,
      poolSize,
      mediaBaseUrl: primary.mediaBaseUrl,
      primary: () => identity,
      onChange: report,
    }),
  );

  /** The least busy one of those that have the position. */
  function choose(position: LogPosition): Replica | undefined {
    const now = performance.now();
    if (!progress.isKnown(now)) return undefined;
    let chosen: Replica | undefined;
    for (const replica of replicas) {
      const replayed = replica.replayed(now);
      if (replayed === undefined || replayed < position) continue;
      if (progress.lagOf(replayed, now) > maxLagMs) continue;
      if (!chosen || replica.running < chosen.running) chosen = replica;
    }
    return chosen;
  }

  return {
    async read(position, work) {
      const replica = position === undefined ? undefined : choose(position);
      if (!replica) return work(primary);
      try {
        return await replica.read(work);
      } catch (error) {
        if (isRepeatable(error)) return work(primary);
        throw error;
      }
    },
    canRead: () => replicas.some((replica) => problemOf(replica) === null),
    haveAll(position) {
      const now = performance.now();
      return replicas.every(
        (replica) => replica.isPrimary(now) || (replica.replayed(now) ?? -1) >= position,
      );
    },
    states() {
      const now = performance.now();
      return replicas
        .filter((replica) => !replica.isPrimary(now))
        .map((replica) => ({
          name: replica.name,
          isUsed: problemOf(replica) === null,
          lag: lagOf(replica, now) / 1000,
        }));
    },
    async close() {
      endPoll();
      await Promise.all(replicas.map((replica) => replica.close()));
    },
  };
}
