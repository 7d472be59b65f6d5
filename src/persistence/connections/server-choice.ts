import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** The address of a PostgreSQL server. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The servers of a URL with several hosts. Connections lead to the one that accepts changes. */
export interface ServerChoice {
  /** The server that accepts changes. @throws Error if none does, or if none answers within 1 s */
  choose(): Promise<ServerAddress>;
  /**
   * Makes the next connection look for the server again: this one, or whichever was chosen, may be
   * gone.
   */
  forget(address?: ServerAddress): void;
  /** Ends a search that goes on. */
  close(): void;
}

/** Each server is asked until one accepts changes. */
interface Search {
  readonly ended: AbortController;
  /**
   * Settles when a server accepts changes, when none does, or after 1 s: connections that are
   * wanted later fail at once, until the search finds a server.
   */
  readonly firstAnswers: Promise<unknown>;
  /** The last problem of each server, by URL. */
  readonly problems: Map<string, string>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A server that hangs holds up requests only in the first second of a search. */
const MAX_WAIT_MS = 1_000;
/** Pause before a server is asked again. */
const PAUSE_MS = 100;
/** A search ends if no connection was requested for this time. */
const MAX_UNWANTED_MS = 5_000;
/** SQLSTATE of a server that cannot be used now. */
const CANNOT_CONNECT_NOW = '57P03';

const STATE = `SELECT CASE WHEN pg_is_in_recovery() THEN 'is a standby'
  WHEN current_setting('transaction_read_only') = 'on' THEN 'is read-only' END AS problem`;

/** Asks a server whether it accepts changes. Returns its address, or why it cannot be used. */
async function askServer(connectionString: string): Promise<ServerAddress | string> {
  const { host: name } = new URL(connectionString);
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CONNECT_TIMEOUT_MS,
    });
    client.on('error', () => undefined); // the statement reports it
    await client.connect();
    const { rows } = await client.query<{ problem: string | null }>(STATE);
    const { problem } = rows[0]!;
    const { host, port } = client;
    return problem === null ? { host, port } : `${name} ${problem}`;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return `${name}: ${message || code}`; // a refused connection has no message
  } finally {
    void client?.end().catch(() => undefined);
  }
}

/**
 * Chooses among servers, one URL for each, as libpq does with `target_session_attrs=read-write`,
 * but asks all of them at the same time. The choice lasts until it is forgotten.
 */
export function createServerChoice(urls: readonly string[]): ServerChoice {
  let chosen: ServerAddress | undefined;
  let search: Search | undefined;
  let wantedAt = 0;

  function endSearch(): void {
    search?.ended.abort();
    search = undefined;
  }

  function startSearch(): Search {
    const ended = new AbortController();
    const { signal } = ended;
    const problems = new Map<string, string>();

    async function ask(url: string): Promise<void> {
      const answer = await askServer(url);
      if (signal.aborted) return;
      if (typeof answer === 'string') problems.set(url, answer);
      else {
        chosen = answer;
        endSearch();
      }
    }
    async function askAgain(url: string): Promise<void> {
      for (;;) {
        await sleep(PAUSE_MS, undefined, { ref: false });
        if (signal.aborted) return;
        if (performance.now() - wantedAt > MAX_UNWANTED_MS) endSearch();
        else await ask(url);
      }
    }

    const end = new Promise((resolve) => signal.addEventListener('abort', resolve));
    const asked = urls.map(ask);
    urls.forEach((url, index) => void asked[index]!.then(() => askAgain(url)));
    const timeout = sleep(MAX_WAIT_MS, undefined, { ref: false });
    return { ended, problems, firstAnswers: Promise.race([end, Promise.all(asked), timeout]) };
  }

  return {
    async choose() {
      wantedAt = performance.now();
      if (chosen) return chosen;
      search ??= startSearch();
      const { firstAnswers, problems } = search;
      await firstAnswers;
      if (chosen) return chosen;
      const reasons = urls.map(
        (url) => problems.get(url) ?? `${new URL(url).host} does not answer`,
      );
      throw Object.assign(
        new Error(`no server of DATABASE_URL accepts changes: ${reasons.join('; ')}`),
        { code: CANNOT_CONNECT_NOW },
      );
    },
    forget(address) {
      if (!address || chosen === address) chosen = undefined;
    },
    close: endSearch,
  };
}
