import { parseUrl } from '../../domain/input/urls.js';
import { isLoopbackHost, type HttpClient } from './http-client.js';
import { throwRequestError } from './network-response.js';

/**
 * Reads the base URL of a self-hosted network, as typed by a user. Returns an https URL (or an http
 * URL of this machine, if `allowLoopback`) without a trailing slash. The scheme can be omitted in
 * the input.
 * @throws NetworkRequestError NETWORK_NOT_CONNECTED for any other URL
 */
export function readBaseUrl(
  value: string,
  { allowLoopback }: Pick<HttpClient, 'allowLoopback'>,
): string {
  const input = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const url = parseUrl(input);
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
