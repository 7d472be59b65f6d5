import autocannon from 'autocannon';
import { DIALECTS, type DialectName, type Request } from './dialects.js';
import type { Facts } from './facts.js';
import { OPERATIONS, type Traffic } from './operations.js';

/** What the load generator is told to do; it is a process of its own, so that it has its own core. */
export interface Job {
  readonly origin: string;
  readonly operation: string;
  readonly dialect: DialectName;
  readonly facts: Facts;
  readonly cursors: Readonly<Record<string, string>>;
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

interface Client { setRequests(requests: readonly object[]): void }

/** autocannon's client, taught what its connection sends. */
function teach(client: Client, traffic: Traffic): void {
  if ('next' in traffic) {
    const { next } = traffic;
    client.setRequests([{ setupRequest: (previous: object): Request & object => ({ ...previous, ...next() }) }]);
  } else {
    client.setRequests(('cycle' in traffic ? traffic.cycle : traffic.once).map((request) => ({ ...request })));
  }
}

const at = (sorted: Float64Array, share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function run({ origin, operation: name, dialect, facts, cursors, connections, seconds, atLeast }: Job): Promise<LoadResult> {
  const operation = OPERATIONS.find((one) => one.name === name)!;
  const traffic = Array.from({ length: connections }, (_, connection) => operation.traffic({ facts, cursors, dialect: DIALECTS[dialect] }, connection, connections));
  const most = Math.min(...traffic.map((one) => ('once' in one ? one.once.length : Infinity)));
  const latencies: number[] = [];
  let failures = 0;
  let failure: string | null = null;
  let connection = 0;
  const started = performance.now();
  let last = started;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon({
      url: origin, connections, duration: seconds * MOST_STRETCH, sampleInt: STOP_MS, timeout: 20,
      ...(most < Infinity && { maxConnectionRequests: most }),
      setupClient: (client: unknown) => teach(client as Client, traffic[connection++ % connections]!),
      verifyBody: (body: string) => {
        const isWell = operation.isWell(body);
        if (!isWell) failure ??= body;
        return isWell;
      },
    } as autocannon.Options, (error: Error | null, result) => {
      if (error) return reject(error);
      failures = result.errors + result.non2xx + result.mismatches;
      resolve();
    });
    instance.on('response', (_client, _status, _bytes, responseTime) => {
      latencies.push(responseTime);
      last = performance.now();
      if (last - started >= seconds * 1000 && latencies.length >= atLeast) instance.stop();
    });
  });
  const sorted = Float64Array.from(latencies).sort();
  return { requests: latencies.length, seconds: (last - started) / 1000, failures, failure, p50: at(sorted, 0.5), p99: at(sorted, 0.99) };
}

process.on('message', (job: Job) => {
  run(job).then((result) => process.send!({ result }), (error: Error) => process.send!({ error: error.message }));
});
