import type { Metric, Registry } from 'prom-client';

/** Upper bounds in seconds, from the fastest responses to the database's statement timeout. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

type Labels = Readonly<Record<string, string>>;

/** A histogram of durations, with one series per set of labels. */
export interface Histogram {
  /** Creates a series. Returns the function that observes a duration in seconds. */
  series(labels: Labels): (seconds: number) => void;
}

/**
 * A histogram whose series are arrays of numbers, formatted only when they are scraped.
 * prom-client's own histogram builds a string of the labels for each observation.
 */
export function createHistogram(
  register: Registry,
  { name, help }: { name: string; help: string },
): Histogram {
  const allSeries: { labels: Labels; counts: number[]; sum: number }[] = [];

  function* values(): Generator<{
    metricName: string;
    labels: Record<string, string | number>;
    value: number;
  }> {
    for (const { labels, counts, sum } of allSeries) {
      let cumulativeCount = 0;
      for (const [bucket, count] of counts.entries())
        yield {
          metricName: `${name}_bucket`,
          labels: { le: BOUNDS[bucket] ?? '+Inf', ...labels },
          value: (cumulativeCount += count),
        };
      yield { metricName: `${name}_sum`, labels: { ...labels }, value: sum };
      yield { metricName: `${name}_count`, labels: { ...labels }, value: cumulativeCount };
    }
  }
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: [...values()] }),
  };
  // has all that a registry calls; the type of the parameter accepts only prom-client's classes
  register.registerMetric(metric as unknown as Metric);

  return {
    series(labels) {
      const series = { labels, counts: Array.from({ length: BOUNDS.length + 1 }, () => 0), sum: 0 };
      allSeries.push(series);
      return (seconds) => {
        let bucket = 0;
        while (bucket < BOUNDS.length && seconds > BOUNDS[bucket]!) bucket += 1;
        series.counts[bucket]! += 1;
        series.sum += seconds;
      };
    },
  };
}
