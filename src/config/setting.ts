import { parseUrl } from '../domain/input/urls.js';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: its name, description, default and how its text is read. */
export interface Setting<Value> {
  /** Name of the environment variable. An empty variable counts as unset (D46). */
  readonly name: string;
  /** One or two sentences for operators. */
  readonly description: string;
  /**
   * Description of the allowed values, shown in the docs and in the error about an invalid value.
   */
  readonly allowed: string;
  /** The default as text; empty if there is none, or if only `description` can explain it. */
  readonly default: string;
  /** The value when the variable is unset or empty. */
  whenUnset(env: Environment): Value;
  /** The typed value; undefined if the text is not allowed. */
  read(text: string): Value | undefined;
  /** Keeps the value out of error messages. */
  readonly isSecret?: true;
  /** Other environment variables that must be set together with this one. */
  readonly requires?: string | readonly string[];
}

type SettingTexts = Pick<Setting<unknown>, 'name' | 'description'>;

interface IntegerOptions extends SettingTexts {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A whole number from `min` to `max`, both inclusive. */
export function integerSetting({
  min,
  max,
  default: defaultValue,
  ...texts
}: IntegerOptions): Setting<number> {
  return {
    ...texts,
    allowed: `a whole number from ${min} to ${max}`,
    default: String(defaultValue),
    whenUnset: () => defaultValue,
    read: (text) => (/^\d+$/.test(text) && +text >= min && +text <= max ? +text : undefined),
  };
}

interface EnumOptions<Value extends string> extends SettingTexts {
  readonly values: readonly Value[];
  readonly default: Value;
}

/** One of the given values, in any case. */
export function enumSetting<Value extends string>({
  values,
  default: defaultValue,
  ...texts
}: EnumOptions<Value>): Setting<Value> {
  return {
    ...texts,
    allowed: `one of ${values.join(', ')}`,
    default: defaultValue,
    whenUnset: () => defaultValue,
    read: (text) => values.find((value) => value === text.toLowerCase()),
  };
}

/** Splits a list at commas and whitespace. */
export const splitList = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Whether the text is a URL whose scheme matches. */
export const isUrlOf = (schemes: RegExp, text: string): boolean =>
  schemes.test(parseUrl(text)?.protocol ?? '');
