import type { Log } from '../../domain/log.js';
import type { OpenDatabase } from '../database.js';
import type { LogPosition } from './log-position.js';
import { inBytes } from './log-position.js';
import { createOwnChanges, type UserPositions } from './own-changes.js';
import { openReplicas } from './replicas.js';

interface ReplicatedDatabaseOptions {
  readonly urls: readonly string[];
  /** Maximum number of connections to each replica. */
  readonly poolSize: number;
  /** Replicas that are further behind are not used. */
  readonly maxLagMs: number;
  readonly userPositions: UserPositions;
  /** Calls `listener` when stored positions may be lost. */
  readonly onPositionsLost: (listener: () => void) => void;
  readonly log: Log;
}

/**
 * A position at or after every commit that has been acknowledged. Not the position up to which the
 * log is on disk: without `synchronous_commit`, a commit is acknowledged earlier.
 */
const CURRENT = `SELECT ${inBytes('pg_current_wal_insert_lsn()')} AS position`;

/**
 * Reads the position of the primary: all commits that were acknowledged before the call are before
 * it. Concurrent calls share a statement. Fails if the primary does not answer, or if it is none.
 */
function createPrimaryPosition({ read, share }: OpenDatabase): () => Promise<LogPosition> {
  const readPosition = async (): Promise<LogPosition> =>
    (await read<{ position: LogPosition }>(CURRENT))[0]!.position;
  const readShared = share<null, LogPosition>({
    async together(calls) {
      const position = await readPosition();
      return calls.map(() => position);
    },
    alone: readPosition,
  });
  return () => readShared(null);
}

/**
 * Adds read replicas to a database, none of which has to be available. They answer reads of posts
 * (`anywhere`) in requests, which show the users their own changes.
 */
export function withReplicas(
  primary: OpenDatabase,
  { userPositions, onPositionsLost, ...options }: ReplicatedDatabaseOptions,
): OpenDatabase {
  const replicas = openReplicas({ ...options, primary });
  const { change, outsideRequests, required, distrustStored, ...own } = createOwnChanges({
    currentPosition: createPrimaryPosition(primary),
    userPositions,
    replicas,
    maxLagMs: options.maxLagMs,
  });
  onPositionsLost(distrustStored);
  return {
    ...primary,
    ...own,
    changeRecords: (work) => change(() => primary.changeRecords(work)),
    change: (text, values) => change(() => primary.change(text, values)),
    transaction: (work) => change(() => primary.transaction(work)),
    share({ together, alone, changesPosts, ...limits }) {
      const run = primary.share({
        ...limits,
        together: (calls) => outsideRequests(() => together(calls)),
        alone: (call) => outsideRequests(() => alone(call)),
      });
      return changesPosts ? (call) => change(() => run(call)) : run;
    },
    anywhere: async (work) => replicas.read(await required(), work),
    replicaStates: () => replicas.states(),
    async close() {
      await replicas.close();
      await primary.close();
    },
  };
}
