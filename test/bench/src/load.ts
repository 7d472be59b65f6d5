import autocannon from 'autocannon';
import { DIALECTS, type DialectName, type Request } from './dialects.js';
import type { Facts } from './facts.js';
import { isNoError, OPERATIONS, type Traffic } from './operations.js';

interface OperationSent {
  readonly operation: string;
  readonly dialect: DialectName;
  readonly facts: Facts;
  readonly cursors: Readonly<Record<string, string>>;
}

/** What the load generator is told to do; it is a process of its own, so that it has its own core. */
export interface Job {
  /** Connections are spread over all of them. */
  readonly origins: readonly string[];
  /** An operation and what it is about, or requests that each connection sends in turn. */
  readonly sends: OperationSent | { readonly requests: readonly Request[] };
  readonly connections: number;
  readonly seconds: number;
  /** On a busy machine it goes on until there were so many answers, up to MOST_STRETCH times as long. */
  readonly atLeast: number;
}

const MOST_STRETCH = 20;

/** What came of it; latencies in milliseconds. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly failures: number;
  /** One of the answers that were none. */
  readonly failure: string | null;
  readonly p50: number;
  readonly p99: number;
}

const STOP_MS = 20; // how often autocannon looks whether the time is over

interface Client {
  setRequests(requests: readonly object[]): void;
}

/** autocannon's client, taught what its connection sends. */
function teach(client: Client, traffic: Traffic): void {
  if ('next' in traffic) {
    const { next } = traffic;
    client.setRequests([
      { setupRequest: (previous: object): Request & object => ({ ...previous, ...next() }) },
    ]);
  } else {
    client.setRequests(
      ('cycle' in traffic ? traffic.cycle : traffic.once).map((request) => ({ ...request })),
    );
  }
}

const at = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** What each connection sends, and what an answer is. */
function planOf({ sends, connections }: Job): {
  traffic: readonly Traffic[];
  isWell: (body: string) => boolean;
} {
  const each = <T>(make: (connection: number) => T): T[] =>
    Array.from({ length: connections }, (_, connection) => make(connection));
  if ('requests' in sends)
    return { traffic: each(() => ({ cycle: sends.requests })), isWell: isNoError };
  const { operation: name, dialect, facts, cursors } = sends;
  const operation = OPERATIONS.find((one) => one.name === name)!;
  return {
    traffic: each((connection) =>
      operation.traffic({ facts, cursors, dialect: DIALECTS[dialect] }, connection, connections),
    ),
    isWell: operation.isWell,
  };
}

async function run(job: Job): Promise<LoadResult> {
  const { origins, connections, seconds, atLeast } = job;
  const { traffic, isWell } = planOf(job);
  const most = Math.min(...traffic.map((one) => ('once' in one ? one.once.length : Infinity)));
  const latencies: number[] = [];
  let failures = 0;
  let failure: string | null = null;
  let connection = 0;
  const started = performance.now();
  let last = started;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: origins,
        connections,
        duration: seconds * MOST_STRETCH,
        sampleInt: STOP_MS,
        timeout: 20,
        ...(most < Infinity && { maxConnectionRequests: most }),
        setupClient: (client: unknown) =>
          teach(client as Client, traffic[connection++ % connections]!),
        verifyBody: (body: string) => {
          if (isWell(body)) return true;
          failure ??= body;
          return false;
        },
      } as unknown as autocannon.Options,
      (error: Error | null, result) => {
        if (error) return reject(error);
        failures = result.errors + result.non2xx + result.mismatches;
        resolve();
      },
    );
    instance.on('response', (_client, _status, _bytes, responseTime) => {
      latencies.push(responseTime);
      last = performance.now();
      if (last - started >= seconds * 1000 && latencies.length >= atLeast) instance.stop();
    });
  });
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: latencies.length,
    seconds: (last - started) / 1000,
    failures,
    failure,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
  };
}

process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
