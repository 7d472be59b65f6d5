/** How far a suite goes: a short way in `npm test`, and by its own command (`npm run test:fuzz`) all of it, or what fits into 4 minutes with `-- --quick`. */
export type Form = 'short' | 'quick' | 'full';

const { suite: told } = globalThis as { suite?: Readonly<Record<string, string | true>> };

/** What this run of a suite was told. */
export const suite = {
  form: (told ? (told.quick ? 'quick' : 'full') : 'short') as Form,
  /** `--name value`. */
  option(name: string): string | undefined {
    const value = told?.[name];
    return typeof value === 'string' ? value : undefined;
  },
  /** The same as a number. @throws Error where it is none */
  number(name: string, standard: number): number {
    const value = Number(suite.option(name) ?? standard);
    if (!Number.isFinite(value)) throw new Error(`--${name} takes a number`);
    return value;
  },
  /** Prints a line of figures, but not in `npm test`. */
  tell(line: string): void {
    if (suite.form !== 'short') process.stdout.write(`${line}\n`);
  },
};
