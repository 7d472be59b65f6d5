import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadSamples } from './load.js';
import type { Request } from './requests.js';
import type { Traffic } from './operations.js';

const TIMEOUT_MS = 20_000;

interface RateJob {
  readonly origins: readonly string[];
  /** What each connection sends. Requests are taken from each of them in turn. */
  readonly traffic: readonly Traffic[];
  readonly isSuccess: (body: string) => boolean;
  readonly perSecond: number;
  /** Number of requests. */
  readonly count: number;
}

/** The requests of one connection, without an end. */
function requestsOf(traffic: Traffic): () => Request {
  if ('next' in traffic) return traffic.next;
  const requests = 'cycle' in traffic ? traffic.cycle : traffic.once;
  let sent = 0;
  return () => requests[sent++ % requests.length]!;
}

/** Sends a request and returns the body of the response. @throws Error unless its status is 2xx */
const send = (
  agent: Agent,
  origin: string,
  { method, path, headers, body }: Request,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const sent = request(
      origin + path,
      {
        method,
        agent,
        timeout: TIMEOUT_MS,
        headers: {
          ...headers,
          ...(body !== undefined && { 'Content-Length': Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve(text);
          else reject(new Error(`${statusCode}: ${text}`));
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`No response in ${TIMEOUT_MS} ms`)));
    sent.on('error', reject);
    sent.end(body);
  });

/**
 * Sends requests at even intervals, whether earlier ones are answered or not. A latency begins when
 * its request was due, so that it contains the wait for a free connection. autocannon cannot do
 * this: each of its connections sends the requests of a second at the beginning of that second.
 */
export async function loadAtRate({
  origins,
  traffic,
  isSuccess,
  perSecond,
  count,
}: RateJob): Promise<LoadSamples> {
  const agent = new Agent({ keepAlive: true, maxSockets: traffic.length });
  const next = traffic.map(requestsOf);
  const latencies: number[] = [];
  let failures = 0;
  let failure: string | null = null;
  const fail = (text: string): void => {
    failures += 1;
    failure ??= text;
  };
  const started = performance.now();
  const sendOne = async (index: number, dueAt: number): Promise<void> => {
    const origin = origins[index % origins.length]!;
    try {
      const body = await send(agent, origin, next[index % next.length]!());
      if (!isSuccess(body)) fail(body);
    } catch (error) {
      fail(String(error));
    }
    latencies.push(performance.now() - dueAt);
  };
  const pending: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueAt = started + (index / perSecond) * 1_000;
    const wait = dueAt - performance.now();
    if (wait > 0) await sleep(wait);
    pending.push(sendOne(index, dueAt));
  }
  await Promise.all(pending);
  const seconds = (performance.now() - started) / 1_000;
  agent.destroy();
  return { latencies, failures, failure, seconds };
}
