import { throwRequestError } from '../http-client/network-response.js';
import type { ErrorMapping } from '../http-client/network-response.js';
import { textAt, numberAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import { createHash } from 'node:crypto';
import { readBaseUrl } from '../http-client/base-url.js';

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
  query(
    method: string,
    parameters: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<unknown>;
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
    query(method, parameters) {
      const entries = Object.entries(parameters).flatMap(([name, values]) =>
        [values].flat().map((value): [string, string] => [name, value]),
      );
      return request('GET', { path: `${method}?${new URLSearchParams(entries).toString()}` });
    },
    call: (method, options) => request('POST', { path: method, ...options }),
  };
}

/** Where and as whom an account signs in. */
export interface BlueskyCredentials {
  readonly service: string;
  readonly handle: string;
  readonly appPassword: string;
}

/** A session of an account: its tokens, and until when they are used. */
interface BlueskySession {
  readonly url: string;
  /** The permanent ID of the account. */
  readonly did: string;
  readonly handle: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
}

/** The service that most accounts are on. */
const DEFAULT_SERVICE = 'https://bsky.social';
/** Access tokens last two hours; they are renewed this long before they end. */
const RENEW_AHEAD_MS = 10 * 60_000;
/** Assumed if a token does not say when it ends. */
const DEFAULT_LIFETIME_MS = 15 * 60_000;

/** Error codes of tokens that the service does not accept any more. */
const TOKEN_ERRORS: ReadonlySet<string | null> = new Set(['ExpiredToken', 'InvalidToken']);
/** Whether a response refuses the token of its request. */
const isTokenError = (response: unknown): boolean => TOKEN_ERRORS.has(textAt(response, 'error'));

/** When a token ends, from its claims: milliseconds since 1970. */
function expiryOf(token: string, now: Date): number {
  try {
    const claims: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    );
    const seconds = numberAt(claims, 'exp');
    if (seconds !== null) return seconds * 1_000;
  } catch {
    // not a JSON web token
  }
  return now.getTime() + DEFAULT_LIFETIME_MS;
}

function toSession(client: NetworkClient, url: string, response: unknown): BlueskySession {
  const required = (key: string): string => textAt(response, key) ?? client.throwMissing(key);
  const [accessToken, refreshToken] = [required('accessJwt'), required('refreshJwt')];
  client.addSecret(accessToken);
  client.addSecret(refreshToken);
  const expiresAt = expiryOf(accessToken, client.http.clock.now());
  const [did, handle] = [required('did'), required('handle')];
  return { url, did, handle, accessToken, refreshToken, expiresAt };
}

/**
 * The sessions of this process, one for each account. Services allow few sign-ins a day, so that a
 * session is kept, and renewed before its token ends.
 */
export class BlueskySessions {
  private readonly sessions = new Map<string, BlueskySession>();

  /** The session of an account: the one in use, a renewed or a new one. */
  async open(client: NetworkClient, credentials: BlueskyCredentials): Promise<BlueskySession> {
    const key = this.keyOf(credentials);
    const session = this.sessions.get(key);
    if (!session) return this.signIn(client, credentials);
    client.addSecret(session.accessToken);
    client.addSecret(session.refreshToken);
    if (session.expiresAt - RENEW_AHEAD_MS > client.http.clock.now().getTime()) return session;
    const response = await client.request(
      'POST',
      `${session.url}/xrpc/com.atproto.server.refreshSession`,
      { headers: { Authorization: `Bearer ${session.refreshToken}` } },
    );
    if (isTokenError(response)) return this.signIn(client, credentials);
    return this.keep(key, toSession(client, session.url, response));
  }

  /** A new session. @throws NetworkRequestError NETWORK_REAUTHORIZATION_NEEDED */
  async signIn(client: NetworkClient, credentials: BlueskyCredentials): Promise<BlueskySession> {
    const key = this.keyOf(credentials);
    this.sessions.delete(key);
    const url = readBaseUrl(credentials.service || DEFAULT_SERVICE, client.http);
    const response = await client.request('POST', `${url}/xrpc/com.atproto.server.createSession`, {
      json: {
        identifier: credentials.handle.replace(/^@/, ''),
        password: credentials.appPassword,
      },
    });
    return this.keep(key, toSession(client, url, response));
  }

  private keep(key: string, session: BlueskySession): BlueskySession {
    this.sessions.set(key, session);
    return session;
  }

  private keyOf({ service, handle, appPassword }: BlueskyCredentials): string {
    return createHash('sha256')
      .update(JSON.stringify([service, handle, appPassword]))
      .digest('hex');
  }
}
