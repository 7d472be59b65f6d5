import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The server process of a connection. A later process can have the same `pid`. */
export interface Backend {
  readonly pid: number;
  /** Seconds since 1970, as text. */
  readonly startedAt: string;
}

/** Parts of pg's client that its types leave out. */
interface ClientInternals {
  readonly _activeQuery?: object | null;
  readonly processID: number | null;
  readonly connection: { readonly stream: Duplex };
}

/** Error of a connection that was closed because the server did not answer on it. */
const noAnswer = (): Error =>
  Object.assign(new Error('Connection terminated: the database did not answer on it'), {
    code: 'ETIMEDOUT',
  });

/**
 * A connection that shows what it waits for, and that can be closed while the server is silent: a
 * host that dies without closing its connections answers nothing, and the kernel reports that only
 * after a quarter of an hour.
 */
export class Connection extends pg.Client {
  /** Undefined until the session is set up. */
  backend: Backend | undefined;

  /**
   * The process ID for cancellation: that of the backend, or a number that a connection pooler made
   * up.
   */
  get cancellationPid(): number | null {
    return (this as unknown as ClientInternals).processID;
  }

  /** What the server has to answer next; undefined if it owes nothing. */
  get awaited(): object | undefined {
    const { _activeQuery } = this as unknown as ClientInternals;
    return _activeQuery ?? (this.backend ? undefined : this);
  }

  /** Closes the connection without a word to the server. All its statements fail. */
  abandon(): void {
    (this as unknown as ClientInternals).connection.stream.destroy(noAnswer());
  }
}

/** A class for `pg.Pool` whose open connections, including those that are connecting, are in `open`. */
export const trackedConnections = (open: Set<Connection>): typeof Connection =>
  class extends Connection {
    constructor(config?: pg.ClientConfig) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  };
