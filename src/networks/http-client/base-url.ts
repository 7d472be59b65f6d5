import { stop } from './failure.js';
import type { Web } from './web.js';
import { isOwnHost } from './web.js';

/**
 * The address of a network that is in many places, as its user typed it: https, or http to this machine where that is
 * allowed; without a slash at its end.
 */
export function baseUrl(value: string, { allowLoopback }: Pick<Web, 'allowLoopback'>): string {
  const typed = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const url = URL.canParse(typed) ? new URL(typed) : null;
  const isTaken =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && allowLoopback && isOwnHost(url)));
  if (!isTaken)
    stop(
      'NETWORK_NOT_CONNECTED',
      'The address must be one that begins with https://, without a user, a query or a fragment.',
    );
  return `${url!.origin}${url!.pathname}`.replace(/\/+$/, '');
}
