import type { NetworkClient } from './network-client.js';
import { parseUrl } from '../../domain/input/urls.js';

/**
 * The address that a network names for an upload. It must be on the network's own hosts, which
 * `hosts` matches, because files are sent there.
 * @throws NetworkRequestError NETWORK_UNAVAILABLE
 */
export function readUploadUrl(client: NetworkClient, address: unknown, hosts: RegExp): URL {
  const url = typeof address === 'string' ? parseUrl(address) : null;
  return url?.protocol === 'https:' && hosts.test(url.host)
    ? url
    : client.throwMissing('upload address on a host of the network');
}
