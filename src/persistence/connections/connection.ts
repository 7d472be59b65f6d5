import { Socket } from 'node:net';
import pg from 'pg';

/** The server process of a connection. A later process can have the same `pid`. */
export interface Backend {
  readonly pid: number;
  /** Seconds since 1970, as text. */
  readonly startedAt: string;
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
  readonly #socket: Socket;
  #isAnswered = true;
  #isCorked = false;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.#socket = socket;
    this.on('drain', () => {
      this.#isAnswered = true;
    });
  }

  override query = ((...args: Parameters<pg.Client['query']>) => {
    this.#isAnswered = false;
    this.#sendTogether();
    return super.query(...args);
  }) as pg.Client['query'];

  /** Sends the statements of this turn of the event loop in one packet: each one wakes the server. */
  #sendTogether(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }

  /** The port of this process, which a server without a pooler or proxy in between also sees. */
  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /**
   * The number of bytes that the server has sent so far, which changes with each answer; undefined
   * if it owes no answer.
   */
  get bytesBeforeAnswer(): number | undefined {
    return this.#isAnswered && this.backend ? undefined : this.#socket.bytesRead;
  }

  /** Closes the connection without a word to the server. All its statements fail. */
  abandon(): void {
    this.#socket.destroy(noAnswer());
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
