/** What the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: the only place that says what it is called, what it means, what it takes and what stands for it. */
export interface Setting<Value> {
  /** The environment variable. An empty one counts as unset (D46). */
  readonly name: string;
  /** A sentence or two for those who set it. */
  readonly meaning: string;
  /** What is taken, in words: what a refusal says. */
  readonly allowed: string;
  /** The default as it would be written; empty where there is none, or where `meaning` has to tell it. */
  readonly standard: string;
  /** The value where it is unset. */
  without(env: Environment): Value;
  /** Undefined where the text is not taken. */
  read(text: string): Value | undefined;
  /** Where it is wrong, its value is not told. */
  readonly isSecret?: true;
  /** Another environment variable, without which this one is of no use. */
  readonly needs?: string;
}

type Words = Pick<Setting<unknown>, 'name' | 'meaning'>;

/** A whole number within bounds, which the setting takes too. */
export function wholeNumber({
  least,
  most,
  standard,
  ...words
}: Words & { least: number; most: number; standard: number }): Setting<number> {
  return {
    ...words,
    allowed: `a whole number from ${least} to ${most}`,
    standard: String(standard),
    without: () => standard,
    read: (text) => (/^\d+$/.test(text) && +text >= least && +text <= most ? +text : undefined),
  };
}

/** One of a few words, in any case. */
export function oneOf<Word extends string>({
  words: known,
  standard,
  ...words
}: Words & { words: readonly Word[]; standard: Word }): Setting<Word> {
  return {
    ...words,
    allowed: `one of ${known.join(', ')}`,
    standard,
    without: () => standard,
    read: (text) => known.find((word) => word === text.toLowerCase()),
  };
}

/** Several values in one text, separated by commas or spaces. */
export const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Whether the text is an address of one of these schemes. */
export const isUrlOf = (schemes: RegExp, text: string): boolean =>
  URL.canParse(text) && schemes.test(new URL(text).protocol);
