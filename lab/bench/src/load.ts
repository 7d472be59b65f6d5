import autocannon from 'autocannon';
import { loadAtRate } from './load-at-rate.js';
import { DIALECTS, type DialectName } from './dialects.js';
import type { Request } from './requests.js';
import type { Targets } from './targets.js';
import { hasNoErrors, OPERATIONS, type Traffic } from './operations.js';

interface OperationSent {
  readonly operation: string;
  readonly dialect: DialectName;
  readonly targets: Targets;
  readonly cursors: Readonly<Record<string, string>>;
}

/** A task of the load generator. */
export interface LoadJob {
  /** Connections are spread over all origins. */
  readonly origins: readonly string[];
  /** An operation and its input, or requests that each connection sends in turn. */
  readonly sends: OperationSent | { readonly requests: readonly Request[] };
  readonly connections: number;
  /** Requests per second of all connections together; as many as the servers answer if undefined. */
  readonly perSecond?: number;
  readonly seconds: number;
  /**
   * On a busy machine the load continues until there are this many responses, for at most
   * MAX_STRETCH times `seconds`.
   */
  readonly minResponses: number;
}

const MAX_STRETCH = 20;

/** What a task has observed. */
export interface LoadSamples {
  /** In milliseconds, in the order of the responses. */
  readonly latencies: readonly number[];
  readonly failures: number;
  /** The first failed response, or the reason why there is none; null without failures. */
  readonly failure: string | null;
  /** Until the last response. */
  readonly seconds: number;
}

/** Result of a task. Latencies are in milliseconds. */
export interface LoadResult extends Omit<LoadSamples, 'latencies'> {
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

const SAMPLE_MS = 20; // interval in which autocannon checks whether to stop

interface Client {
  setRequests(requests: readonly object[]): void;
}

/** Tells a client of autocannon what its connection sends. */
function assignRequests(client: Client, traffic: Traffic): void {
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

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** What each connection sends, and how a response is checked. */
function trafficOf({ sends, connections }: LoadJob): {
  traffic: readonly Traffic[];
  isSuccess: (body: string) => boolean;
} {
  const each = <T>(make: (connection: number) => T): T[] =>
    Array.from({ length: connections }, (_, connection) => make(connection));
  if ('requests' in sends)
    return { traffic: each(() => ({ cycle: sends.requests })), isSuccess: hasNoErrors };
  const { operation: name, dialect, targets, cursors } = sends;
  const operation = OPERATIONS.find((item) => item.name === name)!;
  return {
    traffic: each((connection) =>
      operation.traffic({ targets, cursors, dialect: DIALECTS[dialect] }, connection, connections),
    ),
    isSuccess: operation.isSuccess,
  };
}

/** Sends as many requests as the servers answer: each connection waits for the last response. */
async function loadAtCapacity({
  origins,
  connections,
  seconds,
  minResponses,
  traffic,
  isSuccess,
}: LoadJob & ReturnType<typeof trafficOf>): Promise<LoadSamples> {
  const maxRequests = Math.min(
    ...traffic.map((item) => ('once' in item ? item.once.length : Infinity)),
  );
  const latencies: number[] = [];
  let failures = 0;
  let failure: string | null = null;
  let connection = 0;
  const started = performance.now();
  let lastResponseAt = started;
  await new Promise<void>((resolve, reject) => {
    const instance = autocannon(
      {
        url: origins,
        connections,
        duration: seconds * MAX_STRETCH,
        sampleInt: SAMPLE_MS,
        timeout: 20,
        ...(maxRequests < Infinity && { maxConnectionRequests: maxRequests }),
        setupClient: (client: unknown) =>
          assignRequests(client as Client, traffic[connection++ % connections]!),
        verifyBody: (body: string) => {
          if (isSuccess(body)) return true;
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
      lastResponseAt = performance.now();
      if (lastResponseAt - started >= seconds * 1000 && latencies.length >= minResponses)
        instance.stop();
    });
  });
  return { latencies, failures, failure, seconds: (lastResponseAt - started) / 1000 };
}

async function run(job: LoadJob): Promise<LoadResult> {
  const { origins, perSecond, seconds, minResponses } = job;
  const sent = trafficOf(job);
  const { latencies, ...result } =
    perSecond === undefined
      ? await loadAtCapacity({ ...job, ...sent })
      : await loadAtRate({
          ...sent,
          origins,
          perSecond,
          count: Math.max(Math.ceil(perSecond * seconds), minResponses),
        });
  const sorted = Float64Array.from(latencies).sort();
  return {
    ...result,
    requests: latencies.length,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  };
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ error: error.message }),
  );
});
