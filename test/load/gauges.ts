import { setTimeout as sleep } from 'node:timers/promises';
import { readingsAt, seriesOf } from '../fixtures/readings.js';

/** What a process holds at one moment. */
export interface Gauge {
  readonly rssMb: number;
  readonly handles: number;
  readonly connections: number;
}

const MB = 1_048_576;
const sum = (values: Record<string, number>): number =>
  Object.values(values).reduce((a, b) => a + b, 0);

export async function gaugeOf(metricsUrl: string): Promise<Gauge> {
  const readings = await readingsAt(metricsUrl);
  const total = (name: string): number => sum(seriesOf(readings, name));
  return {
    rssMb: total('process_resident_memory_bytes') / MB,
    handles: total('nodejs_active_handles_total'),
    connections: total('posts_gateway_database_connections'),
  };
}

/** Looks every so often until it is told to stop, and gives what it saw. */
export function watchGauges(metricsUrl: string, everyMs: number): { stop(): Promise<Gauge[]> } {
  const gauges: Gauge[] = [];
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      gauges.push(await gaugeOf(metricsUrl));
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return gauges;
    },
  };
}
