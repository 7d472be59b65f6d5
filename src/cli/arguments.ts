import { InvalidArgumentError, Option } from 'commander';
import { toTimeZoneName } from '../domain/calendar/zone-time.js';
import { toTime, hasVisibleText } from '../domain/input/readers.js';

/** An error that the operator can fix. The CLI prints its message without a stack trace. */
export class CliError extends Error {}

/** Invalid arguments, independent of the content of the database. Exit code 2. */
export class UsageError extends CliError {}

/**
 * Reads a name of 1 to 200 characters without control characters, which a terminal would interpret.
 */
export function readName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (!hasVisibleText(name) || length > 200 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('Must be 1 to 200 characters without control characters.');
  return name;
}

/**
 * Reads an email address of up to 254 characters.
 * @throws InvalidArgumentError, like all readers here
 */
export function readEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw new InvalidArgumentError('Must be an email address.');
  return text;
}

/** Reads a number of things, at least 1. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('Must be an integer from 1 to 999999999.');
  return Number(text);
}

const MAX_LISTED = 10_000;

/** Reads the maximum number of records of a list. */
export function readLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > MAX_LISTED)
    throw new InvalidArgumentError(`Must be an integer from 1 to ${MAX_LISTED}.`);
  return Number(text);
}

/** Reads a time zone, in any case, and returns its IANA name. */
export function readTimeZone(text: string): string {
  const name = toTimeZoneName(text);
  if (name === null)
    throw new InvalidArgumentError('Must be an IANA time zone, such as Europe/Berlin.');
  return name;
}

/** Reads an ISO 8601 time with a time zone. */
export function readTime(text: string): Date {
  const time = toTime(text);
  if (time === null)
    throw new InvalidArgumentError(
      'Must be an ISO 8601 time with a time zone, such as 2030-12-31T23:59:59Z.',
    );
  return new Date(time);
}

/** Reads an ISO 8601 time with a time zone that is not in the future. */
export function readPastTime(text: string): Date {
  const time = readTime(text);
  if (time.getTime() > Date.now()) throw new InvalidArgumentError('Must not be in the future.');
  return time;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const MAX_DURATION_MS = 365 * 86_400_000;

/** Reads a duration such as 90s, 30m, 24h, 7d or 0. Returns milliseconds. */
export function readDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = text === '0' ? 0 : Number(number) * (UNIT_MS[unit] ?? NaN);
  if (!(milliseconds <= MAX_DURATION_MS))
    throw new InvalidArgumentError(
      'Must be a number followed by s, m, h or d, up to 365d, such as 24h; or 0.',
    );
  return milliseconds;
}

/** An option whose value is one of `choices`. */
export const choiceOption = (
  flags: string,
  description: string,
  choices: readonly string[],
): Option => new Option(flags, description).choices(choices);

/**
 * Returns the options that were passed.
 * @throws UsageError if there are none
 */
export function readChange<Options extends object>(
  options: Options,
): { [Key in keyof Options]: Exclude<Options[Key], undefined> } {
  const change = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(change).length === 0)
    throw new UsageError('Nothing to change: pass at least one option');
  return change as { [Key in keyof Options]: Exclude<Options[Key], undefined> };
}
