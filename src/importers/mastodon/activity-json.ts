import { isTime } from '../../domain/input/date-readers.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { isWebAddress } from '../web-file.js';

/** An ActivityStreams object as it was parsed: nothing of it is to be relied on. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The string that stands there, or ''. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** ActivityStreams writes a list of one as the one, and an empty list as null or not at all. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

export const objectsOf = (value: unknown): readonly JsonObject[] =>
  listOf(value).filter(isJsonObject);

/** The first web address: as a string, or as what a link or an object names; '' where there is none. */
export function addressOf(value: unknown): string {
  const addresses = listOf(value).map((one) =>
    (isJsonObject(one)
      ? textOf(one['href']) || textOf(one['id']) || textOf(one['url'])
      : textOf(one)
    ).trim(),
  );
  return addresses.find(isWebAddress) ?? '';
}

/** A time with its zone; null where there is none, and for times that do not exist. */
export function timeOf(value: unknown): Date | null {
  const text = textOf(value);
  return isTime(text) ? new Date(text) : null;
}

const MAX_COUNT = 2 ** 31 - 1;

/** How many a collection says it has. */
export function countOf(collection: unknown): number | null {
  const count = isJsonObject(collection) ? collection['totalItems'] : null;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT
    ? count
    : null;
}
