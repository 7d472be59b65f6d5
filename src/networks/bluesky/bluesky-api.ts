import { throwRequestError } from '../http-client/network-request-error.js';
import type { ErrorMapping } from '../http-client/network-response.js';
import { textAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import {
  isTokenError,
  type BlueskyCredentials,
  type BlueskySession,
  type BlueskySessions,
} from './bluesky-session.js';

/** Errors that the adapter itself reads from the response. */
const EXPECTED_ERRORS: ReadonlySet<string | null> = new Set([
  'ExpiredToken',
  'InvalidToken',
  'RecordNotFound',
  'InvalidSwap',
  'HandleNotFound',
]);
/** The method that finds a mentioned account. */
export const RESOLVE_HANDLE = 'com.atproto.identity.resolveHandle';
/** The account exists, but may not publish. */
const ACCOUNT_ERRORS: ReadonlySet<string | null> = new Set([
  'AccountTakedown',
  'AccountSuspended',
  'AccountDeactivated',
]);

/** Error mapping of Bluesky: its error codes are more specific than the status. */
export const blueskyErrors: ErrorMapping = {
  errorMessage: (json) => textAt(json, 'message') ?? textAt(json, 'error'),
  failureCode({ status, json, url }) {
    const error = status >= 400 && status < 500 ? textAt(json, 'error') : null;
    // A handle on another service that does not exist is an invalid request.
    const isUnknownHandle = error === 'InvalidRequest' && url.pathname.endsWith(RESOLVE_HANDLE);
    if (isUnknownHandle || EXPECTED_ERRORS.has(error)) return 'ok';
    return ACCOUNT_ERRORS.has(error) ? 'NETWORK_FORBIDDEN' : null;
  },
};

/** The API of an account's service, as that account. */
export interface BlueskyApi {
  readonly client: NetworkClient;
  readonly did: string;
  /** Reads with a method of the API. An expected error is returned as the response. */
  query(method: string, parameters: Readonly<Record<string, string>>): Promise<unknown>;
  /** Calls a method of the API that changes something. The same. */
  call(method: string, options: RequestOptions): Promise<unknown>;
}

interface OpenedSession {
  readonly sessions: BlueskySessions;
  readonly credentials: BlueskyCredentials;
}

/** Opens the API. A token that the service does not accept any more is replaced once. */
export async function openBlueskyApi(
  client: NetworkClient,
  { sessions, credentials }: OpenedSession,
): Promise<BlueskyApi> {
  let session = await sessions.open(client, credentials);
  const send = (
    { url, accessToken }: BlueskySession,
    method: string,
    { path, ...options }: RequestOptions & { path: string },
  ): Promise<unknown> =>
    client.request(method, `${url}/xrpc/${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${accessToken}`, ...options.headers },
    });
  const request = async (
    method: string,
    options: RequestOptions & { path: string },
  ): Promise<unknown> => {
    const response = await send(session, method, options);
    if (!isTokenError(response)) return response;
    session = await sessions.signIn(client, credentials);
    const second = await send(session, method, options);
    return isTokenError(second)
      ? throwRequestError(
          'NETWORK_REAUTHORIZATION_NEEDED',
          'Bluesky rejected the account’s credentials; connect the account again.',
        )
      : second;
  };
  return {
    client,
    did: session.did,
    query: (method, parameters) =>
      request('GET', { path: `${method}?${new URLSearchParams(parameters).toString()}` }),
    call: (method, options) => request('POST', { path: method, ...options }),
  };
}
