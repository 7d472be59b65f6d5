import type pg from 'pg';
import type { LogPosition } from './log-position.js';
import { connectionOptions, openPool } from '../connections/open-pool.js';
import { setUpSession } from '../connections/session.js';
import { createReader, type Reader } from '../database.js';
import { GatewayError } from '../../domain/errors.js';
import { CLUSTER, inBytes, TIMELINE } from './log-position.js';
import { poll } from './poll.js';
import { ANSWER_LIFETIME_MS } from './primary-progress.js';

/** A streaming replica, watched by this process. */
export interface Replica {
  /** Host and port. */
  readonly name: string;
  /** The number of reads that run on it. */
  readonly running: number;
  /**
   * The position up to which the replica has replayed the log; undefined while it cannot be read.
   */
  replayed(now: number): LogPosition | undefined;
  /**
   * Compares the replica with the position of the primary, which was asked for at a time. A replica
   * that is ahead has changes that were lost when another server took over.
   */
  compare(primary: LogPosition, askedAt: number): void;
  /** Why the replica cannot be read; null if it can. */
  readonly problem: string | null;
  /** Whether this server is the primary now, so that it has everything but is no replica. */
  isPrimary(now: number): boolean;
  /**
   * Runs a read. It fails when the replica stops answering.
   * @throws Error
   */
  read<T>(work: (server: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a primary shares with no other server that accepts changes. */
export interface PrimaryIdentity {
  /** The identifier of the cluster that replicas must belong to. */
  readonly cluster: string;
  /** Each server that takes over begins a new timeline. */
  readonly timeline: string;
}

interface ReplicaOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly mediaBaseUrl: Reader['mediaBaseUrl'];
  /** The server that accepts the changes of this process; undefined while it is not known. */
  readonly primary: () => PrimaryIdentity | undefined;
  /** Called when a question to the replica was answered or failed. */
  readonly onChange: () => void;
}

/** Times are in milliseconds of `performance.now()`. */
interface Answer {
  readonly replayed: LogPosition;
  readonly askedAt: number;
  readonly answeredAt: number;
}

interface StateRow {
  readonly isStandby: boolean;
  readonly replayed: LogPosition | null;
  readonly cluster: string;
  /** Null on a standby. */
  readonly timeline: string | null;
}
const REPLAYED = inBytes('pg_last_wal_replay_lsn()');
const STATE = `SELECT pg_is_in_recovery() AS "isStandby", ${REPLAYED} AS replayed, ${CLUSTER} AS cluster,
  CASE WHEN NOT pg_is_in_recovery() THEN ${TIMELINE} END AS timeline`;

const lost = (name: string, reason: string): GatewayError =>
  new GatewayError('UNAVAILABLE', `The read replica ${name} does not answer: ${reason}`);

/** Opens a replica, which may be unavailable. */
export function openReplica({
  url,
  poolSize,
  mediaBaseUrl,
  primary,
  onChange,
}: ReplicaOptions): Replica {
  const { host: name } = new URL(url);
  const failRunning = new Set<(error: Error) => void>();
  let problem: string | null = 'it has not answered yet';
  let answer: Answer | undefined;
  let wasPrimaryAt = -Infinity;
  /** Until it is restarted. */
  let isDiverged = false;

  function exclude(reason: string): void {
    answer = undefined;
    problem = reason;
    const error = lost(name, reason);
    for (const fail of failRunning) fail(error);
    for (const connection of connections) connection.abandon();
  }

  function include({ isStandby, replayed, cluster, timeline }: StateRow, askedAt: number): void {
    const known = primary();
    wasPrimaryAt = -Infinity;
    if (!known) exclude('the primary does not answer');
    else if (cluster !== known.cluster) exclude('it is not a replica of this database');
    else if (timeline === known.timeline) {
      exclude('it is the primary');
      wasPrimaryAt = askedAt;
    } else if (!isStandby || replayed === null) exclude('it is not a standby');
    else if (isDiverged) exclude('it has changes that the primary does not have');
    else {
      problem = null;
      answer = { replayed, askedAt, answeredAt: performance.now() };
    }
  }

  /**
   * A restarted server can be behind the position that it had. All its connections are new, and
   * positions that become known later are those of the same run.
   */
  async function assertReplayed(client: pg.ClientBase): Promise<void> {
    const [, { rows }] = await Promise.all([setUpSession(client), client.query<StateRow>(STATE)]);
    const { isStandby, replayed, cluster } = rows[0]!;
    if (
      !isStandby ||
      replayed === null ||
      cluster !== primary()?.cluster ||
      !(replayed >= (answer?.replayed ?? 0))
    )
      throw lost(name, 'it was restarted or replaced');
  }

  const { pool, connections, close } = openPool({
    connectionString: url,
    poolSize,
    onIdleLoss: () => undefined, // `poll` reports it
    onConnect: assertReplayed,
  });
  const reader = createReader(pool, mediaBaseUrl);
  const endPoll = poll<StateRow>({
    options: connectionOptions(url),
    text: STATE,
    onConnect() {
      isDiverged = false;
    },
    onAnswer(row, askedAt) {
      include(row, askedAt);
      onChange();
    },
    onFailure(reason) {
      exclude(reason);
      onChange();
    },
  });

  return {
    name,
    get running() {
      return failRunning.size;
    },
    compare(position, askedAt) {
      if (answer && answer.answeredAt <= askedAt && answer.replayed > position) isDiverged = true;
      if (isDiverged) answer = undefined;
    },
    get problem() {
      return problem;
    },
    isPrimary: (now) => now - wasPrimaryAt < ANSWER_LIFETIME_MS,
    replayed: (now) =>
      answer && now - answer.askedAt < ANSWER_LIFETIME_MS ? answer.replayed : undefined,
    read: (work) =>
      new Promise((resolve, reject) => {
        const fail = (error: Error): void => reject(error);
        failRunning.add(fail);
        void work(reader)
          .then(resolve, reject)
          .finally(() => failRunning.delete(fail));
      }),
    async close() {
      endPoll();
      exclude('the process ends');
      await close();
    },
  };
}
