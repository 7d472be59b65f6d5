/**
 * How long a suite runs: `short` in `npm run test:system`, `full` with its own command (`npm run test:fuzz`),
 * `quick` (4 minutes) with `-- --quick`.
 */
export type SuiteLength = 'short' | 'quick' | 'full';

const { suite: options } = globalThis as { suite?: Readonly<Record<string, string | true>> };

/** The command-line options of a suite. */
export const suite = {
  length: (options ? (options.quick ? 'quick' : 'full') : 'short') as SuiteLength,
  /** Whether the suite runs in a network namespace of its own (`run-suite.mjs`). */
  hasOwnNetwork: Boolean(options?.['own-network']),
  /** `--name value`. */
  option(name: string): string | undefined {
    const value = options?.[name];
    return typeof value === 'string' ? value : undefined;
  },
  /** The same as a number. @throws Error if it is not a number */
  number(name: string, fallback: number): number {
    const value = Number(suite.option(name) ?? fallback);
    if (!Number.isFinite(value)) throw new Error(`--${name} takes a number`);
    return value;
  },
  /** Prints a line of results, but not in its short form. */
  report(line: string): void {
    if (suite.length !== 'short') process.stdout.write(`${line}\n`);
  },
};
