import { createHash, randomBytes } from 'node:crypto';
import type { AppClient, OauthRules, OauthToken } from '../../domain/connections/oauth-rules.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient, RequestOptions } from '../http-client/network-client.js';
import type { NetworkResponse } from '../http-client/network-response.js';

/**
 * OAuth 2.0 by tables: each network's dialect is an entry in its definition (`OauthRules`).
 *
 * oauth4webapi is not used: half of the dialects leave the RFC where it is strict. Answers without
 * `token_type` (LinkedIn, Meta) and errors of other forms (Pinterest, Meta, TikTok's with status
 * 200) fail there, `client_key` and requests by GET do not exist, and requests have to pass this
 * client, which guards addresses, removes secrets from messages and keeps the time limits.
 */

/** The token endpoint no longer accepts a code or a refresh token (RFC 6749, 5.2). */
export const grantFailureCode = ({ json }: Pick<NetworkResponse, 'json'>) =>
  textAt(json, 'error') === 'invalid_grant' ? ('NETWORK_REAUTHORIZATION_NEEDED' as const) : null;

/** 256 random bits, which cannot be guessed. */
const RANDOM_BYTES = 32;
/** A random text for a state or a code verifier (RFC 7636, 4.1). */
export const randomText = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** An app, and where the network sends people back to. */
export interface OauthClient {
  readonly rules: OauthRules;
  readonly client: AppClient;
  readonly redirectUri: string;
  /** Makes an address of the rules absolute. */
  readonly resolve: (address: string) => string;
}

/** What a consent is recognised by when the person comes back. */
export interface ConsentSecrets {
  readonly state: string;
  /** Unused if the network takes no code challenge. */
  readonly verifier: string;
}

/** The page of the network that asks a person for consent. */
export function toAuthorizeUrl(
  { rules, client, redirectUri, resolve }: OauthClient,
  { state, verifier }: ConsentSecrets,
): string {
  const url = new URL(resolve(rules.authorizeUrl));
  const parameters: Record<string, string> = {
    response_type: 'code',
    [rules.clientIdName ?? 'client_id']: client.clientId,
    redirect_uri: redirectUri,
    scope: rules.scopes.join(rules.scopeSeparator),
    state,
    ...rules.authorizeParams,
    ...(rules.pkce && { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code of a consent, which networks take once, for a token that lasts. */
export async function exchangeCode(
  network: NetworkClient,
  oauth: OauthClient,
  { code, verifier }: { readonly code: string; readonly verifier: string },
): Promise<OauthToken> {
  const { rules, redirectUri } = oauth;
  // Meta appends #_ to the address, which some browsers send as a part of the code.
  const sentCode = code.replace(/#_$/, '');
  network.addSecret(sentCode);
  network.addSecret(verifier);
  const answer = await requestToken(network, oauth, {
    ...(rules.exchangeMethod !== 'GET' && { grant_type: 'authorization_code' }),
    code: sentCode,
    redirect_uri: redirectUri,
    ...(rules.pkce && { code_verifier: verifier }),
  });
  const token = readToken(network, answer, rules);
  return rules.longLived ? exchangeForLongLived(network, oauth, token) : token;
}

/** Adds the client to a request: in its header, or in its parameters. */
function authenticate(
  network: NetworkClient,
  { rules, client: { clientId, clientSecret } }: OauthClient,
  parameters: Readonly<Record<string, string>>,
): Required<Pick<RequestOptions, 'headers'>> & { parameters: Record<string, string> } {
  if (rules.client === 'basic') {
    const basic = Buffer.from(
      `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`,
    ).toString('base64');
    network.addSecret(basic);
    return { headers: { Authorization: `Basic ${basic}` }, parameters: { ...parameters } };
  }
  return {
    headers: {},
    parameters: {
      ...parameters,
      [rules.clientIdName ?? 'client_id']: clientId,
      client_secret: clientSecret,
    },
  };
}

async function requestToken(
  network: NetworkClient,
  oauth: OauthClient,
  given: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { rules, client, resolve } = oauth;
  network.addSecret(client.clientSecret);
  const { headers, parameters } = authenticate(network, oauth, given);
  const url = new URL(resolve(rules.tokenUrl));
  const body = new URLSearchParams(parameters);
  if (rules.exchangeMethod !== 'GET') return network.request('POST', url, { headers, body });
  url.search = body.toString();
  return network.request('GET', url, { headers });
}

async function exchangeForLongLived(
  network: NetworkClient,
  { rules, client, resolve }: OauthClient,
  short: OauthToken,
): Promise<OauthToken> {
  const { url: address, grantType, tokenName, sendsClientId } = rules.longLived!;
  const url = new URL(resolve(address));
  const parameters = {
    grant_type: grantType,
    ...(sendsClientId && { client_id: client.clientId }),
    client_secret: client.clientSecret,
    [tokenName]: short.accessToken,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const long = readToken(network, await network.request('GET', url), rules);
  return { ...long, scopes: short.scopes };
}

/**
 * Renews an access. Most networks take a refresh token once: what is returned has to be stored.
 * Null if the network has no renewals.
 */
export async function renewToken(
  network: NetworkClient,
  oauth: OauthClient,
  { accessToken, refreshToken }: { readonly accessToken: string; readonly refreshToken?: string },
): Promise<OauthToken | null> {
  const { rules, resolve } = oauth;
  const { renewal } = rules;
  network.addSecret(accessToken);
  if (renewal?.by === 'access_token') {
    const url = new URL(resolve(renewal.url));
    url.searchParams.set('grant_type', renewal.grantType);
    url.searchParams.set('access_token', accessToken);
    return readToken(network, await network.request('GET', url), rules);
  }
  if (renewal?.by !== 'refresh_token' || refreshToken === undefined) return null;
  network.addSecret(refreshToken);
  const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return readToken(network, await requestToken(network, oauth, parameters), rules);
}

/** Where networks write how long a refresh token lasts. */
const REFRESH_LIFETIMES = ['refresh_token_expires_in', 'refresh_expires_in'] as const;

const after = (network: NetworkClient, seconds: number | null): Date | null =>
  seconds === null || seconds <= 0
    ? null
    : new Date(network.http.clock.now().getTime() + seconds * 1_000);

/** `token_type` may be missing. Without `scope`, what was asked for was granted (RFC 6749, 5.1). */
function readToken(
  network: NetworkClient,
  answer: unknown,
  rules: OauthRules,
  asked: readonly string[] = rules.scopes,
): OauthToken {
  const accessToken = textAt(answer, 'access_token') ?? network.throwMissing('access token');
  const refreshToken = textAt(answer, 'refresh_token');
  network.addSecret(accessToken);
  if (refreshToken !== null) network.addSecret(refreshToken);
  const refreshLifetime = REFRESH_LIFETIMES.map((name) => numberAt(answer, name)).find(
    (seconds) => seconds !== null,
  );
  return {
    accessToken,
    refreshToken,
    expiresAt: after(network, numberAt(answer, 'expires_in')),
    refreshExpiresAt: after(network, refreshLifetime ?? null),
    scopes: readScopes(valueAt(answer, 'scope') ?? valueAt(answer, 'permissions')) ?? asked,
  };
}

/** Scopes as a list, or as a text with spaces or commas; null if the answer does not tell. */
function readScopes(value: unknown): readonly string[] | null {
  const texts: readonly unknown[] | null =
    typeof value === 'string' ? [value] : Array.isArray(value) ? value : null;
  return (
    texts
      ?.filter((text) => typeof text === 'string')
      .flatMap((text) => text.split(/[\s,]+/))
      .filter((text) => text !== '') ?? null
  );
}
