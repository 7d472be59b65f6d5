import { AsyncLocalStorage } from 'node:async_hooks';
import { GatewayError } from '../../domain/errors.js';
import type { RequestUser } from '../database.js';
import { presentLogPosition, readLogPosition, type LogPosition } from './log-position.js';

/** Positions of users, shared by all processes. */
export interface UserPositions {
  /** The stored position; null if there is none, and undefined if it could not be read. */
  read(userId: string): Promise<LogPosition | null | undefined>;
  /** Stores the position unless a later one is stored. False if it may not be stored. */
  advance(userId: string, position: LogPosition): Promise<boolean>;
  /** Makes the position unknown. False if it may still be stored. */
  forget(userId: string): Promise<boolean>;
}

interface CurrentRequest {
  user: (RequestUser & { readonly sent: LogPosition }) | null;
  /** Its own changes are read from the primary. */
  hasChanged: boolean;
}

interface OwnChangesDependencies {
  /** The position of the primary after all commits that were acknowledged before the call. */
  readonly currentPosition: () => Promise<LogPosition>;
  readonly userPositions: UserPositions;
  readonly replicas: {
    /** Whether any replica is used now. */
    canRead(): boolean;
    /** Whether every replica is known to have replayed the log up to the position. */
    haveAll(position: LogPosition): boolean;
  };
  /** Replicas that are further behind are not used. */
  readonly maxLagMs: number;
}

const RETRY_MS = 50;
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, RETRY_MS));
/** Added to the maximum lag: a process may use what it knows about a replica for this time. */
const MARGIN_MS = 1_500;

/** The position that the client sent; 0 without one. @throws GatewayError BAD_USER_INPUT */
function readSent(text: string | undefined): LogPosition {
  const position = text === undefined ? 0 : readLogPosition(text);
  if (position !== undefined) return position;
  throw new GatewayError(
    'BAD_USER_INPUT',
    'X-Database-Position is not valid. Send the value of an earlier response, such as 16/B374D848, or leave the header out.',
  );
}

const mayBeSaved = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UNAVAILABLE';

/**
 * Lets users read their own changes from every server and through every process.
 *
 * A change commits, then the position of the primary is read and stored for the user, then the
 * change is acknowledged. A read that starts afterwards reads the stored position, and a replica
 * answers it only if it has replayed the log up to there. If the stored position may be lost,
 * because there is none or because a connection to Redis was lost, the current position of the
 * primary takes its place. Statements find their request by the asynchronous context.
 */
export function createOwnChanges({
  currentPosition,
  userPositions,
  replicas,
  maxLagMs,
}: OwnChangesDependencies) {
  const requests = new AsyncLocalStorage<CurrentRequest>();
  /** All commits that were acknowledged before stored positions were trusted; null until then. */
  let floor: LogPosition | null = null;
  let trust = 0;

  const readCurrent = (): Promise<LogPosition | null> => currentPosition().catch(() => null);

  /** The current position is stored for the next read. It need not wait for that. */
  async function establish(userId: string, isStored: boolean): Promise<LogPosition | null> {
    const before = trust;
    const current = await readCurrent();
    if (current === null) return null;
    if (before === trust) floor ??= current;
    if (!isStored) void userPositions.advance(userId, current);
    return current;
  }

  /** When it returns, no process answers a later read of the user without what was committed. */
  async function advance(userId: string): Promise<LogPosition | null> {
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
  }

  return {
    /** Runs a request, whose reads go to the primary until its user is known. */
    inRequest: <T>(work: () => Promise<T>): Promise<T> =>
      requests.run({ user: null, hasChanged: false }, work),
    /** Runs work that belongs to several requests. */
    outsideRequests: <T>(work: () => T): T => requests.exit(work),
    /** @throws GatewayError BAD_USER_INPUT if the position that the client sent is not valid */
    setUser(user: RequestUser): void {
      const request = requests.getStore();
      if (request) request.user = { ...user, sent: readSent(user.position) };
    },
    /**
     * The position that a replica must have to answer a read of the current request; undefined if
     * only the primary may answer.
     */
    async required(): Promise<LogPosition | undefined> {
      const { user = null, hasChanged = false } = requests.getStore() ?? {};
      if (!user || hasChanged || !replicas.canRead()) return undefined;
      const stored = await userPositions.read(user.id);
      if (stored === undefined) return undefined;
      const known =
        floor === null || stored === null
          ? await establish(user.id, stored !== null)
          : Math.max(floor, stored);
      return known === null ? undefined : Math.max(known, user.sent);
    },
    /** Runs a change of the current request. When it returns, later reads of its user show it. */
    async change<T>(work: () => Promise<T>): Promise<T> {
      const request = requests.getStore();
      if (!request?.user) return work();
      const { user } = request;
      request.hasChanged = true;
      const result = await work().catch(async (error: unknown) => {
        if (mayBeSaved(error)) await advance(user.id);
        throw error;
      });
      const position = await advance(user.id);
      if (position !== null) user.onChange(presentLogPosition(position));
      return result;
    },
    /** When it returns, later reads of the user of the request show what was committed so far. */
    async acknowledge(): Promise<void> {
      const user = requests.getStore()?.user;
      if (user) await advance(user.id);
    },
    /** Call it when stored positions may be lost. */
    distrustStored(): void {
      floor = null;
      trust += 1;
    },
  };
}
