import type { mastodon } from '../../domain/networks/mastodon.js';
import { readBaseUrl } from '../http-client/base-url.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';

/** Credentials of a user of an instance. */
export type MastodonCredentials = Readonly<
  Record<keyof typeof mastodon.adapter.credentials, string>
>;

/** An instance's REST API, called as one of its users. */
export interface MastodonApi {
  readonly client: NetworkClient;
  /** Sends a request to a path of version 1 of the API. Returns the JSON of the response. */
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
  /** The same for version 2, which uploads media. */
  requestV2(method: string, path: string, options?: RequestOptions): Promise<unknown>;
}

/**
 * Opens the API of an instance.
 * @throws NetworkRequestError NETWORK_NOT_CONNECTED if `instance` is not a valid URL
 */
export function openMastodonApi(
  client: NetworkClient,
  { instance, accessToken }: MastodonCredentials,
): MastodonApi {
  const url = readBaseUrl(instance, client.http);
  const send =
    (version: 'v1' | 'v2'): MastodonApi['request'] =>
    (method, path, options = {}) =>
      client.request(method, `${url}/api/${version}${path}`, {
        ...options,
        headers: { Authorization: `Bearer ${accessToken}`, ...options.headers },
      });
  return { client, request: send('v1'), requestV2: send('v2') };
}
