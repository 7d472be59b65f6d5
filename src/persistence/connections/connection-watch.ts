import type { Backend, Connection } from './connection.js';

/**
 * A backend that the server has. `isWorking`: it runs a statement, or did within the last second.
 */
export interface BackendState extends Backend {
  readonly isWorking: boolean | null;
}

/** Questions to the server, on connections other than the watched ones. */
export interface ServerInquiry {
  /** The existing backends among these processes; undefined if the server does not answer. */
  readBackends(pids: readonly number[]): Promise<readonly BackendState[] | undefined>;
  /** Ends the statement of a backend. */
  cancel(backend: Backend): Promise<unknown>;
}

interface WatchOptions {
  readonly server: ServerInquiry;
  /** A statement that is not answered in this time is given up. */
  readonly maxAnswerMs: number;
}

const TICK_MS = 500;
/** The server is asked about a connection that waits for the same answer for this many ticks. */
const ASK_AFTER_TICKS = 2;
/** Connecting may take longer on a busy server. */
const CONNECTING_TICKS = 4;
/** Pause after the server said that it is working on the statement. */
const ASK_AGAIN_TICKS = 10;
/**
 * The next inquiry does not wait longer for this one: an inquiry that began before a failover is
 * never answered. It ends within 2 s, so at most two run at the same time.
 */
const MAX_INQUIRY_TICKS = 2;

/**
 * Counted in ticks, not by the clock: a process that was suspended has not read the answers yet.
 */
interface Wait {
  readonly bytesBefore: number;
  ticks: number;
  askAt: number;
}

/**
 * Closes connections that will not answer: those whose backend the server does not have (any more),
 * those that wait although their backend is idle, and those that wait for longer than
 * `maxAnswerMs`, whose statements are canceled. Without sessions, only the latter is known. Slow
 * statements within that time continue. Costs nothing per statement. Returns a function that ends
 * the watch.
 */
export function watchConnections(
  connections: ReadonlySet<Connection>,
  { server, maxAnswerMs }: WatchOptions,
): () => void {
  const waits = new WeakMap<Connection, Wait>();
  /** The last inquiry, until it ends. */
  let inquiry: { ticks: number } | undefined;

  function waitOf(connection: Connection): Wait | undefined {
    const bytesBefore = connection.bytesBeforeAnswer;
    const earlier = waits.get(connection);
    if (bytesBefore === undefined) waits.delete(connection);
    else if (earlier?.bytesBefore === bytesBefore) earlier.ticks += 1;
    else waits.set(connection, { bytesBefore, ticks: 0, askAt: ASK_AFTER_TICKS });
    return waits.get(connection);
  }

  function giveUp(connection: Connection): void {
    connection.abandon();
    if (connection.backend) void server.cancel(connection.backend);
  }

  async function closeLost(): Promise<void> {
    const inSessions = [...connections].filter(({ backend }) => backend !== null);
    const asked = inSessions.map((connection) => {
      const { backend, bytesBeforeAnswer } = connection;
      return { connection, backend, bytesBeforeAnswer };
    });
    const pids = asked.flatMap(({ backend }) => (backend ? [backend.pid] : []));
    const states = await server.readBackends(pids);
    if (!states) return;
    for (const { connection, backend, bytesBeforeAnswer } of asked) {
      const wait = waits.get(connection);
      const isWaiting =
        wait !== undefined &&
        bytesBeforeAnswer !== undefined &&
        bytesBeforeAnswer === connection.bytesBeforeAnswer;
      const state = states.find(
        ({ pid, startedAt }) => pid === backend?.pid && startedAt === backend.startedAt,
      );
      const isLost = backend
        ? !state || (isWaiting && wait.ticks >= ASK_AFTER_TICKS && state.isWorking === false)
        : isWaiting && wait.ticks >= CONNECTING_TICKS;
      if (isLost) connection.abandon();
      else if (wait) wait.askAt = wait.ticks + (backend ? ASK_AGAIN_TICKS : 1);
    }
  }

  function onTick(): void {
    let mustAsk = false;
    for (const connection of connections) {
      const wait = waitOf(connection);
      if (!wait) continue;
      if (wait.ticks * TICK_MS >= maxAnswerMs) giveUp(connection);
      else if (wait.ticks >= wait.askAt && connection.backend !== null) mustAsk = true;
    }
    if (inquiry) inquiry.ticks += 1;
    if (!mustAsk || (inquiry && inquiry.ticks < MAX_INQUIRY_TICKS)) return;
    const started = { ticks: 0 };
    inquiry = started;
    void closeLost().finally(() => {
      if (inquiry === started) inquiry = undefined;
    });
  }

  const timer = setInterval(onTick, TICK_MS).unref();
  return () => clearInterval(timer);
}
