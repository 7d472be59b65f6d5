import { Counter, Gauge, type Registry } from 'prom-client';
import type { Answered, Door, Meter } from '../http/meter.js';
import { createHistogram } from './histogram.js';

/** What is counted of one operation at one door. */
interface Series {
  readonly statuses: Map<number, number>;
  observe(seconds: number): void;
}

/**
 * Counts answered requests. A request looks up its operation and adds to numbers; labels are put together when somebody
 * reads them. Operations are the code's own words, so that clients cannot make series.
 */
export function createRequestMetrics(register: Registry): Meter {
  const operations: Record<Door, Map<string, Series>> = {
    graphql: new Map(),
    rest: new Map(),
    health: new Map(),
  };
  const refusals: Record<Door, Map<string, number>> = {
    graphql: new Map(),
    rest: new Map(),
    health: new Map(),
  };
  const windows = { redis: { allowed: 0, refused: 0 }, memory: { allowed: 0, refused: 0 } };
  let inFlight = 0;

  const durations = createHistogram(register, {
    name: 'posts_gateway_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by door and operation.',
  });
  new Counter({
    name: 'posts_gateway_requests_total',
    labelNames: ['door', 'operation', 'status'],
    registers: [register],
    help: 'Requests that are over, by door, operation and HTTP status; 499 where the client went before it was answered.',
    collect() {
      this.reset();
      for (const [door, known] of Object.entries(operations)) {
        for (const [operation, { statuses }] of known)
          for (const [status, count] of statuses) this.inc({ door, operation, status }, count);
      }
    },
  });
  new Counter({
    name: 'posts_gateway_refusals_total',
    labelNames: ['door', 'code'],
    registers: [register],
    help: 'Requests that ended with an error, by door and its code, the first of several: the gate’s refusals, malformed input, faults. What the rules refuse is an outcome, and not among them.',
    collect() {
      this.reset();
      for (const [door, codes] of Object.entries(refusals))
        for (const [code, count] of codes) this.inc({ door, code }, count);
    },
  });
  new Counter({
    name: 'posts_gateway_rate_window_total',
    labelNames: ['source', 'outcome'],
    registers: [register],
    help: 'Requests that were counted in their user’s rate window, by what counted (redis: for all processes; memory: in this one) and outcome.',
    collect() {
      this.reset();
      for (const [source, outcomes] of Object.entries(windows))
        for (const [outcome, count] of Object.entries(outcomes))
          this.inc({ source, outcome }, count);
    },
  });
  new Gauge({
    name: 'posts_gateway_requests_in_flight',
    help: 'Requests that are being answered.',
    registers: [register],
    collect() {
      this.set(inFlight);
    },
  });

  function begin(door: Door, operation: string): Series {
    const fresh = {
      statuses: new Map<number, number>(),
      observe: durations.series({ door, operation }),
    };
    operations[door].set(operation, fresh);
    return fresh;
  }

  return {
    began() {
      inFlight += 1;
    },
    answered({ door, trace: { operation, refusal, rate }, status, seconds }: Answered) {
      inFlight -= 1;
      const { statuses, observe } = operations[door].get(operation) ?? begin(door, operation);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      observe(seconds);
      if (rate !== null)
        windows[rate.isShared ? 'redis' : 'memory'][rate.allowed ? 'allowed' : 'refused'] += 1;
      if (refusal !== null) refusals[door].set(refusal, (refusals[door].get(refusal) ?? 0) + 1);
    },
  };
}
