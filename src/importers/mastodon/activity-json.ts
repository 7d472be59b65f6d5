import { isTime } from '../../domain/input/date-readers.js';
import { isJsonObject } from '../../domain/input/readers.js';
import { isWebUrl } from '../web-url.js';

/** An untrusted ActivityStreams object, as parsed. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The string, or '' for any other value. */
export const readString = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The items of a list. ActivityStreams represents a list of one item as the item, and omits an
 * empty list or uses null.
 */
export const readList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];

/** The objects in a list. */
export const readObjects = (value: unknown): readonly JsonObject[] =>
  readList(value).filter(isJsonObject);

/** The first http(s) URL: a string, or the URL of a link or an object; '' if there is none. */
export function readUrl(value: unknown): string {
  const urls = readList(value).map((item) =>
    (isJsonObject(item)
      ? readString(item['href']) || readString(item['id']) || readString(item['url'])
      : readString(item)
    ).trim(),
  );
  return urls.find(isWebUrl) ?? '';
}

/** A time with a time zone; null if it is missing or does not exist. */
export function readTime(value: unknown): Date | null {
  const text = readString(value);
  return isTime(text) ? new Date(text) : null;
}

const MAX_COUNT = 2 ** 31 - 1;

/** The number of items that a collection declares. */
export function readCount(collection: unknown): number | null {
  const count = isJsonObject(collection) ? collection['totalItems'] : null;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT
    ? count
    : null;
}
