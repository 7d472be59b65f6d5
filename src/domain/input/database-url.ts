import { parseUrl } from './parse-url.js';

/** Everything before the hosts, the hosts, and everything after them. */
const PARTS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

const partsOf = (url: string): readonly [start: string, hosts: string, end: string] => {
  const [, start = '', hosts = '', end = ''] = PARTS.exec(url) ?? [];
  return [start, hosts, end];
};

/**
 * One URL per host of a PostgreSQL URL. With several hosts, as in
 * `postgresql://user@a:5432,b:5432/posts`, `new URL` does not accept the whole.
 */
export function singleHostUrls(url: string): string[] {
  const [start, hosts, end] = partsOf(url);
  return hosts.includes(',') ? hosts.split(',').map((host) => start + host + end) : [url];
}

/** A changed copy of a PostgreSQL URL with the same hosts. Null if the URL is not valid. */
export function changeDatabaseUrl(url: string, change: (url: URL) => void): string | null {
  const urls = singleHostUrls(url);
  const first = parseUrl(urls[0]!);
  if (!first) return null;
  change(first);
  if (urls.length === 1) return first.href;
  const [start, , end] = partsOf(first.href);
  return start + partsOf(url)[1] + end;
}

/** Values of `target_session_attrs` that a server that accepts changes has. */
const WRITABLE: readonly (string | null)[] = [null, 'any', 'read-write', 'primary'];

/** Whether the text is a PostgreSQL URL, with hosts that the service can use for changes. */
export function isDatabaseUrl(text: string): boolean {
  const urls = singleHostUrls(text).map(parseUrl);
  return urls.every(
    (url) =>
      url !== null &&
      /^postgres(ql)?:$/.test(url.protocol) &&
      (urls.length === 1 || url.host !== '') &&
      WRITABLE.includes(url.searchParams.get('target_session_attrs')),
  );
}
