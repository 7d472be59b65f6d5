/**
 * The apps that operators register at networks. The settings `<app>_CLIENT_ID` and
 * `<app>_CLIENT_SECRET` contain their credentials.
 */
export const OAUTH_APPS = [
  'FACEBOOK',
  'INSTAGRAM',
  'THREADS',
  'TWITTER',
  'TIKTOK',
  'LINKEDIN',
  'LINKEDIN_PAGES',
  'PINTEREST',
  'GOOGLE',
  'YOUTUBE',
] as const;
export type OauthApp = (typeof OAUTH_APPS)[number];

/** ID and secret of an app. */
export interface AppClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * How the people of a network give their consent: its dialect of OAuth 2.0. URLs are official
 * addresses, or paths on the server of the account if the network has no addresses of its own.
 * `{version}` stands for the version of the API in the settings.
 */
export interface OauthRules {
  /** Null: the gateway registers itself at each server. */
  readonly app: OauthApp | null;
  /** The page that asks for consent. */
  readonly authorizeUrl: string;
  /** Further parameters of that page. */
  readonly authorizeParams?: Readonly<Record<string, string>>;
  /** Where a code is exchanged for a token. */
  readonly tokenUrl: string;
  /** By default POST with a form. */
  readonly exchangeMethod?: 'GET';
  /** The `iss` of the answer of the page, if the network sends one (RFC 9207). */
  readonly issuer?: string;
  /** The permissions that are asked for. */
  readonly scopes: readonly string[];
  /** Those that may be refused. */
  readonly optionalScopes?: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  /** Whether the network takes a code challenge (S256); the others refuse the parameters. */
  readonly pkce: boolean;
  /** Where the token endpoint takes the client's ID and secret. */
  readonly client: 'form' | 'basic';
  /** By default `client_id`. */
  readonly clientIdName?: 'client_key';
  /** A request that replaces a short-lived token by one that lasts weeks. */
  readonly longLived?: {
    readonly url: string;
    readonly grantType: string;
    readonly tokenName: string;
    readonly sendsClientId: boolean;
  };
  /** How the gateway renews the access; absent if only the person can, by another consent. */
  readonly renewal?: OauthRenewal;
}

/** How the access is renewed without the person. */
export type OauthRenewal =
  /**
   * With a refresh token, at the token endpoint. `isOptional`: the network sends one to the apps of
   * partners only.
   */
  | { readonly by: 'refresh_token'; readonly isOptional?: true }
  /** With the token itself, while it is valid. */
  | { readonly by: 'access_token'; readonly url: string; readonly grantType: string }
  /** The adapter fetches a token with the refresh token, which stays the same, at each use. */
  | { readonly by: 'use' };

/** The ways to give consent, by key. `own`: the network's own, which most have only. */
export type ConsentWay = 'own' | 'facebook' | 'pages';

/** What the network answered to the question for a token. */
export interface OauthToken {
  readonly accessToken: string;
  /** Null if the network sent none. */
  readonly refreshToken: string | null;
  /** Null if the network did not say. */
  readonly expiresAt: Date | null;
  /** When the refresh token ends; null if it does not, or if the network did not say. */
  readonly refreshExpiresAt: Date | null;
  readonly scopes: readonly string[];
}

/** Whether the gateway can renew the access of a token. */
export const canRenew = (
  { renewal }: Pick<OauthRules, 'renewal'>,
  { refreshToken }: Pick<OauthToken, 'refreshToken'>,
): boolean => renewal !== undefined && (renewal.by === 'access_token' || refreshToken !== null);

/** The permissions that are missing, in the order in which they are asked for. */
export const missingPermissions = (
  { scopes, optionalScopes = [] }: Pick<OauthRules, 'scopes' | 'optionalScopes'>,
  granted: readonly string[],
): readonly string[] =>
  scopes.filter((scope) => !granted.includes(scope) && !optionalScopes.includes(scope));
