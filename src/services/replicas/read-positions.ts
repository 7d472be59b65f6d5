import type { LogPosition } from '../../domain/access/log-position.js';
import type { ReplicaProgress, UserPositions } from './replica-ports.js';

/**
 * Lets users read their own changes from every server and through every process.
 *
 * A change commits, then the position of the primary is read and stored for the user, then the
 * change is acknowledged. A request that starts afterwards reads the stored position, and a replica
 * answers it only if it has replayed the log up to there. If the stored position may be lost,
 * because there is none or because a connection to Redis was lost, the current position of the
 * primary takes its place.
 */
export interface ReadPositions {
  /**
   * The position that a replica must have to answer a request; undefined if only the primary may
   * answer. `stored` is the stored position of the user after the request has started: null if
   * there is none, and undefined if it could not be read. `sent` is the position that the client
   * sent.
   */
  required(
    userId: string,
    positions: { readonly stored: LogPosition | null | undefined; readonly sent: LogPosition },
  ): Promise<LogPosition | undefined>;
  /**
   * Call it after a change and before it is acknowledged, and after the delivery of a change of
   * another user. When it returns, no process answers a later request of the user without the
   * change. Returns the position; null if it is not known.
   */
  advance(userId: string): Promise<LogPosition | null>;
  /** Call it when stored positions may be lost. */
  distrustStored(): void;
}

interface ReadPositionsDependencies {
  /** The position of the primary after all commits that were acknowledged before the call. */
  readonly currentPosition: () => Promise<LogPosition>;
  readonly userPositions: UserPositions;
  readonly replicas: ReplicaProgress;
  /** Replicas that are further behind are not used. */
  readonly maxLagMs: number;
}

const RETRY_MS = 50;
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
/** Added to the maximum lag: how long a process may use what it knows about a replica. */
const MARGIN_MS = 1_500;

/** Creates the positions of a process. */
export function createReadPositions({
  currentPosition,
  userPositions,
  replicas,
  maxLagMs,
}: ReadPositionsDependencies): ReadPositions {
  /** All commits that were acknowledged before stored positions were trusted; null until then. */
  let floor: LogPosition | null = null;
  let trust = 0;

  const readCurrent = (): Promise<LogPosition | null> => currentPosition().catch(() => null);

  /** The current position is stored for the next request. It need not wait for that. */
  async function establish(userId: string, isStored: boolean): Promise<LogPosition | null> {
    const before = trust;
    const current = await readCurrent();
    if (current === null) return null;
    if (before === trust) floor ??= current;
    if (!isStored) void userPositions.advance(userId, current);
    return current;
  }

  return {
    async required(userId, { stored, sent }) {
      if (stored === undefined || !replicas.canRead()) return undefined;
      const known =
        floor === null || stored === null
          ? await establish(userId, stored !== null)
          : Math.max(floor, stored);
      return known === null ? undefined : Math.max(known, sent);
    },

    async advance(userId) {
      const expiry = performance.now() + maxLagMs + MARGIN_MS;
      const position = await readCurrent();
      for (;;) {
        const isDone =
          position === null
            ? await userPositions.forget(userId)
            : (await userPositions.advance(userId, position)) || replicas.haveAll(position);
        if (isDone || performance.now() >= expiry) return position;
        await pause();
      }
    },

    distrustStored() {
      floor = null;
      trust += 1;
    },
  };
}
