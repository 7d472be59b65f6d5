import { singleHostUrls, parseUrl } from '../domain/input/urls.js';
import { isUrlOf, splitList } from './setting.js';

/** The path and the parameters that each URL with several hosts may have. */
const FORMS: Readonly<Record<string, { path: RegExp; parameters: readonly string[] }>> = {
  'redis+sentinel:': {
    path: /^\/[\w.-]+(\/\d*)?$/,
    parameters: ['sentinelUsername', 'sentinelPassword'],
  },
  'redis+cluster:': { path: /^(\/0?)?$/, parameters: [] },
};

/**
 * One URL per server, Sentinel or node; undefined if one is invalid. The nodes of a cluster can
 * also be a list of URLs of servers.
 */
export function readRedisUrls(text: string): string[] | undefined {
  const hasForm = /^rediss?\+/i.test(text);
  const urls = hasForm ? singleHostUrls(text) : splitList(text);
  const isValid = hasForm ? hasValidForm : (url: string) => isUrlOf(/^rediss?:$/, url);
  return urls.length > 0 && urls.every(isValid) ? urls : undefined;
}

function hasValidForm(text: string): boolean {
  const url = parseUrl(text);
  const form = url && FORMS[url.protocol.replace(/^rediss/, 'redis')];
  return (
    !!form &&
    url.hostname !== '' &&
    form.path.test(url.pathname) &&
    [...url.searchParams.keys()].every((name) => form.parameters.includes(name)) &&
    [url.username, url.password].every((part) => decode(part) !== null)
  );
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
