import { setTimeout as sleep } from 'node:timers/promises';
import { scrapeMetrics, seriesOf } from '../../test/fixtures/metric-series.js';

/** Resources of a gateway process at one moment. */
export interface ProcessUsage {
  readonly rssMb: number;
  readonly handles: number;
  readonly connections: number;
  /** CPU time since the start. */
  readonly cpuSeconds: number;
}

const MB = 1_048_576;
const sum = (values: Record<string, number>): number =>
  Object.values(values).reduce((a, b) => a + b, 0);

export async function readProcessUsage(metricsUrl: string): Promise<ProcessUsage> {
  const metrics = await scrapeMetrics(metricsUrl);
  const total = (name: string): number => sum(seriesOf(metrics, name));
  return {
    rssMb: total('process_resident_memory_bytes') / MB,
    handles: total('nodejs_active_handles_total'),
    connections: total('posts_gateway_database_connections'),
    cpuSeconds: total('process_cpu_seconds_total'),
  };
}

/** Reads the usage at intervals until `stop`, which returns all metrics. */
export function monitorProcessUsage(
  metricsUrl: string,
  everyMs: number,
): { stop(): Promise<ProcessUsage[]> } {
  const usages: ProcessUsage[] = [];
  const aborting = new AbortController();
  const monitoring = (async () => {
    while (!aborting.signal.aborted) {
      usages.push(await readProcessUsage(metricsUrl));
      await sleep(everyMs, undefined, { signal: aborting.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      aborting.abort();
      await monitoring;
      return usages;
    },
  };
}
