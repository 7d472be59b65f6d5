import { singleHostUrls, urlParts } from './multi-host-url.js';
import { parseUrl } from './parse-url.js';

/** A changed copy of a PostgreSQL URL with the same hosts. Null if the URL is not valid. */
export function changeDatabaseUrl(url: string, change: (url: URL) => void): string | null {
  const urls = singleHostUrls(url);
  const first = parseUrl(urls[0]!);
  if (!first) return null;
  change(first);
  if (urls.length === 1) return first.href;
  const [start, , end] = urlParts(first.href);
  return start + urlParts(url)[1] + end;
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
