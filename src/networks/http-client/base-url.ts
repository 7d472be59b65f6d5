import { isLoopbackHost, type HttpClient } from './http-client.js';
import { throwRequestError } from './network-request-error.js';

/**
 * The base URL of a self-hosted network, as its user typed it: https, or http to this machine where `allowLoopback`
 * permits it; without a trailing slash. The scheme may be left out.
 */
export function readBaseUrl(
  value: string,
  { allowLoopback }: Pick<HttpClient, 'allowLoopback'>,
): string {
  const input = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const url = URL.canParse(input) ? new URL(input) : null;
  const isAccepted =
    url !== null &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '' &&
    (url.protocol === 'https:' ||
      (url.protocol === 'http:' && allowLoopback && isLoopbackHost(url)));
  if (!isAccepted)
    throwRequestError(
      'NETWORK_NOT_CONNECTED',
      'The URL must start with https:// and must not contain a user name, a query or a fragment.',
    );
  return `${url!.origin}${url!.pathname}`.replace(/\/+$/, '');
}
