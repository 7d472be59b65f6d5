import type { Metric, Registry } from 'prom-client';

/** Seconds, from the quickest answers to the statement timeout of the database. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

type Labels = Readonly<Record<string, string>>;

/** Durations, a series for each set of labels. */
export interface Histogram {
  /** Makes a series; what it gives counts one duration in seconds. */
  series(labels: Labels): (seconds: number) => void;
}

/**
 * A histogram whose series are arrays of numbers that are put into words when somebody reads them: prom-client's own
 * looks its series up by a text of the labels each time.
 */
export function createHistogram(
  register: Registry,
  { name, help }: { name: string; help: string },
): Histogram {
  const all: { labels: Labels; counts: number[]; sum: number }[] = [];

  function* values(): Generator<{
    metricName: string;
    labels: Record<string, string | number>;
    value: number;
  }> {
    for (const { labels, counts, sum } of all) {
      let below = 0;
      for (const [place, count] of counts.entries())
        yield {
          metricName: `${name}_bucket`,
          labels: { le: BOUNDS[place] ?? '+Inf', ...labels },
          value: (below += count),
        };
      yield { metricName: `${name}_sum`, labels: { ...labels }, value: sum };
      yield { metricName: `${name}_count`, labels: { ...labels }, value: below };
    }
  }
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: [...values()] }),
  };
  register.registerMetric(metric as unknown as Metric); // what a registry asks of a metric; its type names prom-client's classes only

  return {
    series(labels) {
      const one = { labels, counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 };
      all.push(one);
      return (seconds) => {
        let place = 0;
        while (place < BOUNDS.length && seconds > BOUNDS[place]!) place += 1;
        one.counts[place]! += 1;
        one.sum += seconds;
      };
    },
  };
}
