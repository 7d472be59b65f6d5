import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { fromHeaderRecord, assertMatchesOpenApi } from '../../test/fixtures/described-response.js';

/** A request of the mix. */
export interface LoadRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A sent request and its outcome. */
export interface Sample {
  /** When the request was due, in milliseconds from the start of the run. */
  readonly dueAt: number;
  /**
   * Milliseconds from when it was due to the last byte of the response. A late start
   * counts.
   */
  readonly latencyMs: number;
  /**
   * Milliseconds from when it was due until it was sent: delays of this process and of shared
   * cores.
   */
  readonly delayMs: number;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Error of the response, or the reason why there is none; null on success. */
  readonly error: string | null;
}

const TICK_MS = 5;
/**
 * After a longer stall of this process its clock is set back by the stall: sending everything that
 * became due at once would be an overload.
 */
const MAX_STALL_MS = 250;
/**
 * More than can ever wait: a request is sent when it is due, however many responses are
 * pending.
 */
const CONNECTIONS = 4_096;
const TIMEOUT_MS = 20_000;

/**
 * One of this many responses is checked against the OpenAPI document: checking all would take too
 * much of the CPU.
 */
const CHECK_INTERVAL = 200;

/** An error in a response with status 200. */
const ERROR_IN_BODY = /"errors":|"userErrors":\[\{/;

const errorOf = (
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  text: string,
): string | null => {
  if (status === 200) return ERROR_IN_BODY.test(text) ? text.slice(0, 200) : null;
  const { code, message, errors } = JSON.parse(text) as {
    code?: string;
    message?: string;
    errors?: { message?: string; extensions?: { code?: string } }[];
  };
  const { extensions, message: errorMessage = message } = (errors?.[0] ?? {}) as {
    message?: string;
    extensions?: { code?: string };
  };
  return `${code ?? extensions?.code}: ${errorMessage}${headers['retry-after'] === undefined ? ' Without Retry-After' : ''}`;
};

/** Sends requests to one gateway over persistent connections until `close`. */
export function createLoadGenerator(url: string) {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });

  let responses = 0;
  async function send(loadRequest: LoadRequest, dueAt: number, startedAt: number): Promise<Sample> {
    const delayMs = performance.now() - startedAt - dueAt;
    const latencyMs = (): number => performance.now() - startedAt - dueAt;
    try {
      const { method, path, headers, body } = loadRequest;
      const response = await request(url + path, {
        method,
        headers,
        dispatcher,
        ...(body !== undefined && { body }),
      });
      const text = await response.body.text();
      const sample = {
        dueAt,
        delayMs,
        latencyMs: latencyMs(),
        status: response.statusCode,
        error: errorOf(response.statusCode, response.headers, text),
      };
      if (++responses % CHECK_INTERVAL === 0)
        await assertMatchesOpenApi({
          method,
          path,
          status: response.statusCode,
          headers: fromHeaderRecord(response.headers),
          text: () => text,
        });
      return sample;
    } catch (error) {
      return {
        dueAt,
        delayMs,
        latencyMs: latencyMs(),
        status: null,
        error: (error as { code?: string }).code ?? String(error),
      };
    }
  }

  return {
    /**
     * Sends that many requests per second at even intervals, independent of response times. A
     * client that waits for each response would not measure the wait of the requests behind a slow
     * one.
     */
    async sendAtRate(
      perSecond: number,
      seconds: number,
      next: () => LoadRequest,
    ): Promise<Sample[]> {
      let [startedAt, tickedAt] = [performance.now(), performance.now()];
      const samples: Sample[] = [];
      const pending = new Set<Promise<unknown>>();
      let sent = 0;
      for (const all = Math.floor(perSecond * seconds); sent < all; await sleep(TICK_MS)) {
        const now = performance.now();
        if (now - tickedAt > MAX_STALL_MS) startedAt += now - tickedAt;
        tickedAt = now;
        for (
          const dueCount = Math.min(all, ((now - startedAt) / 1000) * perSecond);
          sent < dueCount;
          sent += 1
        ) {
          const sending = send(next(), (sent / perSecond) * 1000, startedAt).then((sample) => {
            samples.push(sample);
            pending.delete(sending);
          });
          pending.add(sending);
        }
      }
      await Promise.all(pending);
      return samples;
    },

    /**
     * Requests per second that are served when that many clients send one request after another.
     */
    async measureCapacity(
      clients: number,
      seconds: number,
      next: () => LoadRequest,
    ): Promise<number> {
      const startedAt = performance.now();
      const deadline = startedAt + seconds * 1000;
      let served = 0;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (performance.now() < deadline) {
            const { error } = await send(next(), 0, performance.now());
            if (error !== null) throw new Error(`A request of the mix failed: ${error}`);
            served += 1;
          }
        }),
      );
      return (served / (performance.now() - startedAt)) * 1000;
    },

    close: (): Promise<void> => dispatcher.destroy(),
  };
}
export type LoadGenerator = ReturnType<typeof createLoadGenerator>;
