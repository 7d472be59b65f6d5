import { readFileSync } from 'node:fs';

/** How long the main thread of a process was ready to run, and had no core. */
export interface CoreWaits {
  /** Milliseconds without a core between two times of `performance.now()`. */
  between(from: number, to: number): number;
  end(): void;
}

interface Sample {
  readonly at: number;
  /** Since the process started. */
  readonly waitedMs: number;
}

const SAMPLE_MS = 50;

/** The second number is the time that the thread waited for a core, in nanoseconds. */
function readWaitedMs(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return undefined; // the process has ended
  }
}

/** The value at a time, by interpolation: this process may have had no core for the next sample. */
function waitedAt(samples: readonly Sample[], at: number): number {
  const next = samples.findIndex((sample) => sample.at >= at);
  if (next <= 0) return samples.at(next)?.waitedMs ?? 0;
  const [before, after] = [samples[next - 1]!, samples[next]!];
  const share = (at - before.at) / (after.at - before.at);
  return before.waitedMs + share * (after.waitedMs - before.waitedMs);
}

/** Measures from now on until `end`. */
export function measureCoreWaits(pid: number): CoreWaits {
  const samples: Sample[] = [];
  function sample(): void {
    const waitedMs = readWaitedMs(pid);
    if (waitedMs !== undefined) samples.push({ at: performance.now(), waitedMs });
  }
  sample();
  const timer = setInterval(sample, SAMPLE_MS).unref();
  return {
    between: (from, to) => waitedAt(samples, to) - waitedAt(samples, from),
    end: () => clearInterval(timer),
  };
}
