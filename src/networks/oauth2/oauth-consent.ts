import type { ConsentWay, OauthRules, OauthToken } from '../../domain/connections/oauth-rules.js';
import { canRenew, missingPermissions } from '../../domain/connections/oauth-rules.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type {
  ConsentFailure,
  ConsentNetwork,
  ConsentRequest,
  GrantedIdentity,
} from '../../services/accounts/consent-ports.js';
import type {
  ConnectedAccount,
  NetworkAdapter,
  NetworkFailure,
} from '../../services/networks/network-ports.js';
import { readBaseUrl } from '../http-client/base-url.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import { withNetworkClient, type NetworkClient } from '../http-client/network-client.js';
import { replaceHost, type NetworkHosts } from '../http-client/network-hosts.js';
import {
  NetworkRequestError,
  type ErrorMapping,
  type NetworkErrors,
} from '../http-client/network-response.js';
import {
  exchangeCode,
  randomText,
  renewToken,
  toAuthorizeUrl,
  type OauthClient,
} from './oauth2.js';

/** Below the time within which a request to the gateway is answered. */
const TIMEOUTS = { requestMs: 8_000, totalMs: 18_000 } as const;

/** The client for consents, whose calls end sooner than those of jobs. */
export const forConsents = (http: HttpClient): HttpClient => ({ ...http, timeouts: TIMEOUTS });

/** Refuses a consent. */
export const consentFailure = (code: ErrorCode, message: string): ConsentFailure => ({
  kind: 'failed',
  code,
  message,
});

const CODES: Readonly<Partial<Record<NetworkFailureCode, ErrorCode>>> = {
  NETWORK_FORBIDDEN: 'APP_NOT_APPROVED',
  NETWORK_UNAVAILABLE: 'UNAVAILABLE',
  NETWORK_RATE_LIMITED: 'UNAVAILABLE',
};
/** The failure of a call during a consent. */
export const toConsentFailure = ({ code, message }: NetworkFailure): ConsentFailure =>
  consentFailure(CODES[code] ?? 'RULE_VIOLATION', message);

/** The URL of a server in one form, or why it cannot be used. */
export function readServer(http: HttpClient, text: string): string | ConsentFailure {
  try {
    return readBaseUrl(text, http);
  } catch (error) {
    if (!(error instanceof NetworkRequestError)) throw error;
    return consentFailure('RULE_VIOLATION', error.message);
  }
}

/** An account of the person, and the credentials of its adapter. */
export interface OwnedAccount {
  readonly identity: Omit<ConnectedAccount, 'kind'>;
  /** In addition to the tokens of the person; `accessToken` replaces theirs. */
  readonly credentials: Credentials;
  /** The token of the account itself has no end. */
  readonly hasLastingToken?: true;
}

/** What the accounts of a person are found by. */
interface FoundConsent {
  readonly token: OauthToken;
  readonly way: ConsentWay;
  readonly server: string | null;
  /** The token as it is stored. */
  readonly stored: Credentials;
}

/**
 * Returns the accounts that the token gives access to, or why there is none that can be connected.
 * @throws NetworkRequestError
 */
export type FindAccounts = (
  client: NetworkClient,
  consent: FoundConsent,
) => Promise<readonly OwnedAccount[] | ConsentFailure>;

/** How the accounts of a person are found. */
export interface OauthCalls {
  readonly errors: ErrorMapping;
  readonly findAccounts: FindAccounts;
  /** The permissions that were granted, if the answer with the token does not contain them. */
  grantedScopes?(
    client: NetworkClient,
    token: OauthToken,
    way: ConsentWay,
  ): Promise<readonly string[]>;
}

/** The one account that a token belongs to, by what its adapter checks. */
export const ownAccount =
  (adapter: NetworkAdapter): FindAccounts =>
  async (_client, { stored }) => {
    const account = await adapter.check(stored);
    if (account.kind === 'failed') return toConsentFailure(account);
    const { kind: _kind, ...identity } = account;
    return [{ identity, credentials: {} }];
  };

interface OauthOptions {
  /** Version of the API, for `{version}` in addresses. */
  readonly version?: string;
  readonly hosts: NetworkHosts;
}

/** A network whose people give consent by OAuth 2.0. */
export interface OauthNetwork {
  readonly name: string;
  readonly oauth: Readonly<Partial<Record<ConsentWay, OauthRules>>>;
}

/** Errors with which the page of the network sends people back. */
const PAGE_ERRORS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(access_denied|user_cancelled_(login|authorize)|user_denied)$/, 'CONSENT_DENIED'],
  [
    /^(unauthorized_client|unauthorized_scope_error|invalid_scope|org_internal|admin_policy_enforced)$/,
    'APP_NOT_APPROVED',
  ],
  [/^(server_error|temporarily_unavailable)$/, 'UNAVAILABLE'],
];

const MAX_WORDS = 200;
/** The words of a page's error as a part of a sentence: one line of plain text. */
const toWords = (text: string): string =>
  text
    .replace(/[^\p{L}\p{N}\p{P}\p{Zs}]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS)
    .replace(/\.$/, '');

/** Why the person came back without a code. */
function pageFailure(
  name: string,
  parameters: Readonly<Record<string, string>>,
): ConsentFailure | null {
  const error = parameters['error'] ?? parameters['error_code'];
  if (error === undefined && parameters['code']) return null;
  const code = PAGE_ERRORS.find(([pattern]) => pattern.test(error ?? ''))?.[1] ?? 'RULE_VIOLATION';
  const words = toWords(
    parameters['error_description'] ?? parameters['error_message'] ?? error ?? '',
  );
  return code === 'CONSENT_DENIED'
    ? consentFailure(code, `You did not allow the gateway to use an account on ${name}.`)
    : consentFailure(
        code,
        words === ''
          ? `${name} sent you back without an answer.`
          : `${name} did not ask for your consent: ${words}.`,
      );
}

/** What the tokens of a consent are stored as, besides the credentials of the adapter. */
export const toStoredToken = (
  { accessToken, refreshToken, refreshExpiresAt }: OauthToken,
  way: ConsentWay,
): Credentials => ({
  accessToken,
  way,
  ...(refreshToken !== null && { refreshToken }),
  ...(refreshExpiresAt !== null && { refreshExpiresAt: refreshExpiresAt.toISOString() }),
});

/** Whether every app gets refresh tokens on the network. */
const mustRenew = ({ renewal }: Pick<OauthRules, 'renewal'>): boolean =>
  (renewal?.by === 'refresh_token' && !renewal.isOptional) || renewal?.by === 'use';

/** The address of the rules, with the server of the account and the version of the API. */
export const resolver =
  (server: string | null, version = '') =>
  (address: string): string =>
    `${address.startsWith('/') ? (server ?? '') : ''}${address.replace('{version}', version)}`;

const failure = (code: NetworkFailureCode, message: string): NetworkFailure => ({
  kind: 'failed',
  code,
  message,
});

/** Errors of the client: the operator has to look at them, and the access is not lost. */
const CLIENT_ERRORS = /^(invalid_client|unauthorized_client|unsupported_grant_type)$/;

/**
 * At the endpoint for renewals, a refused request means that the refresh token is not accepted:
 * networks that do not follow RFC 6749 have no code of its own for it.
 */
const renewalErrors = (errors: NetworkErrors): NetworkErrors => ({
  ...errors,
  failureCode(response) {
    const known = errors.failureCode?.(response) ?? null;
    if (CLIENT_ERRORS.test(textAt(response.json, 'error') ?? '')) return 'NETWORK_FORBIDDEN';
    const isRefused = response.status === 400 || response.status === 401;
    return (
      known ?? (isRefused && response.json !== undefined ? 'NETWORK_REAUTHORIZATION_NEEDED' : null)
    );
  },
});

/** Creates the consent of a network. */
export function createOauthConsent(
  http: HttpClient,
  { name, oauth }: OauthNetwork,
  { findAccounts, grantedScopes, errors: mapping, ...options }: OauthCalls & OauthOptions,
): Pick<ConsentNetwork, 'ways' | 'ask' | 'complete' | 'renew'> {
  const errors = { ...mapping, networkName: name };
  const clientOf = ({ way, server, client, redirectUri }: ConsentRequest): OauthClient => ({
    rules: oauth[way]!,
    client: client!,
    redirectUri,
    resolve: resolver(server, options.version),
  });

  function refusal(
    { issuer }: OauthRules,
    parameters: Readonly<Record<string, string>>,
  ): ConsentFailure | null {
    const { iss } = parameters;
    return issuer !== undefined && iss !== undefined && iss !== issuer
      ? consentFailure('RULE_VIOLATION', `The answer does not come from ${name}.`)
      : pageFailure(name, parameters);
  }

  return {
    ways: Object.fromEntries(
      Object.entries(oauth).map(([way, rules]) => [way, rules.app]),
    ) as ConsentNetwork['ways'],
    async ask(request) {
      const secrets = { state: request.state, verifier: randomText() };
      const url = new URL(toAuthorizeUrl(clientOf(request), secrets));
      return {
        kind: 'asked',
        authorizeUrl: replaceHost(options.hosts, url).href,
        secrets: { verifier: secrets.verifier },
      };
    },
    async renew(credentials, app) {
      const { accessToken = '', refreshToken } = credentials;
      const way = (credentials['way'] ?? 'own') as ConsentWay;
      const rules = oauth[way];
      const client = rules?.app ? app(rules.app) : null;
      if (!rules || !client)
        return failure('NETWORK_NOT_CONNECTED', `The gateway has no app at ${name}.`);
      const resolve = resolver(null, options.version);
      const renewal = await withNetworkClient(
        http,
        { errors: renewalErrors(errors), remoteId: null, secrets: [client.clientSecret] },
        async (network) => {
          const used = { accessToken, ...(refreshToken !== undefined && { refreshToken }) };
          const token = await renewToken(
            network,
            { rules, client, redirectUri: '', resolve },
            used,
          );
          return token && { kind: 'renewed' as const, ...token };
        },
      );
      return (
        renewal ??
        failure(
          'NETWORK_REAUTHORIZATION_NEEDED',
          `${name} gave the gateway no way to renew the access. Connect the account again.`,
        )
      );
    },
    async complete({ secrets, parameters, ...request }) {
      const client = clientOf(request);
      const { rules } = client;
      const failure = refusal(rules, parameters);
      if (failure) return failure;
      const { way, server } = request;
      const outcome = await withNetworkClient(
        http,
        { errors, remoteId: null, secrets: [client.client.clientSecret] },
        async (network) => {
          const { verifier = '' } = secrets;
          const token = await exchangeCode(network, client, {
            code: parameters['code']!,
            verifier,
          });
          return { kind: 'exchanged' as const, result: await findIdentities(network, token) };
        },
      );
      return outcome.kind === 'failed' ? toConsentFailure(outcome) : outcome.result;

      async function findIdentities(
        network: NetworkClient,
        token: OauthToken,
      ): ReturnType<ConsentNetwork['complete']> {
        const scopes = (await grantedScopes?.(network, token, way)) ?? token.scopes;
        const missing = missingPermissions(rules, scopes);
        if (missing.length > 0)
          return consentFailure(
            'SCOPES_MISSING',
            `You did not allow everything that the gateway needs on ${name}. Missing: ${missing.join(', ')}.`,
          );
        if (mustRenew(rules) && token.refreshToken === null)
          return consentFailure(
            'RULE_VIOLATION',
            `${name} sent no refresh token, so that the access would end within days or hours. Remove the gateway from the apps of your account on ${name}, and connect it again.`,
          );
        const stored = toStoredToken(token, way);
        const found = await findAccounts(network, { token, way, server, stored });
        if ('kind' in found) return found;
        const identities = found.map(
          ({ identity, credentials, hasLastingToken }): GrantedIdentity => ({
            identity,
            credentials: { ...stored, ...credentials },
            grantedScopes: scopes,
            expiresAt: hasLastingToken || rules.renewal?.by === 'use' ? null : token.expiresAt,
            renewsItself: !hasLastingToken && canRenew(rules, token),
          }),
        );
        return { kind: 'granted', identities };
      }
    },
  };
}
