import { createHash, randomBytes } from 'node:crypto';
import type { ConsentWay, OauthApp } from '../../../src/domain/connections/oauth-rules.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import { recordRequest } from './official-hosts.js';
import { OAUTH_CONSENTS, OAUTH_ENDPOINTS, type OauthEndpointName } from './oauth-dialects.js';
import { text, type Schema } from './request-schema.js';
import { startStandIn, type Reply, type Route, type StandIn } from './stand-in.js';

/** A page that asks people for consent, and what follows from it. Written from the networks' pages. */
export interface OauthConsent {
  readonly network: Network;
  readonly way: ConsentWay;
  readonly app: OauthApp;
  /** Host and path of the page. */
  readonly page: string;
  readonly scopes: string;
  readonly pkce: boolean;
  /** Parameters of the page besides those of OAuth 2.0. */
  readonly params?: Readonly<Record<string, string>>;
  readonly endpoint: OauthEndpointName;
  /** What is added to the code in the address. */
  readonly codeSuffix?: string;
  /** The permission that some people do not grant; null if the network does not tell. */
  readonly withheld: string | null;
  /** Parameters with which a person comes back who refuses. */
  readonly denial: Readonly<Record<string, string>>;
  /** The same for an app that may not ask everybody; null if its page asks nobody then. */
  readonly inDevelopment: Readonly<Record<string, string>> | null;
  /** Calls with a token, by which the gateway finds the accounts of the person. */
  readonly api: (state: OauthState) => readonly Route[];
  /** What the gateway calls the account of the person, or the first of them. */
  readonly account: { readonly name: string; readonly type: string };
  /** Whether the access ends unless it is renewed. */
  readonly hasEnd: boolean;
  readonly renewsItself: boolean;
  /** What becomes of the access if the network sends no refresh token. */
  readonly withoutRefreshToken: 'refused' | 'ends' | 'renewed';
  /** Whether one consent gives access to several accounts. */
  readonly hasChoices: boolean;
}

/** Where a network exchanges codes and renews tokens. */
export interface OauthEndpoint {
  readonly method: 'GET' | 'POST';
  readonly host: string;
  readonly path: RegExp;
  readonly client: 'form' | 'basic';
  readonly idName: 'client_id' | 'client_key';
  /** Seconds for which a token lasts. */
  readonly lifetime: number;
  /** `once`: a refresh token is replaced whenever it is used. Absent: there are none. */
  readonly refresh?: 'once' | 'again';
  readonly refusal: (error: string) => Reply;
  /** Additions to the answer. */
  readonly answer: (grant: Grant) => object;
  /** Further calls, such as the exchange for a token that lasts. */
  readonly calls?: (state: OauthState) => readonly Route[];
}

/** A consent that was given. */
export interface Grant {
  readonly consent: OauthConsent;
  readonly scopes: readonly string[];
  readonly person: string;
}

/** What the person decides on the page, or that the page does not ask. */
export type Decision = 'allow' | 'deny' | 'allow less' | 'in development';

/** What the networks know. */
export interface OauthState {
  /** The ID of the person who is signed in. */
  person: string;
  /** How many pages, channels or locations the person has. */
  accounts: number;
  /** Whether apps get refresh tokens. */
  sendsRefreshTokens: boolean;
  /** The consents behind valid tokens. */
  readonly tokens: Map<string, Grant>;
  readonly refreshTokens: Map<string, Grant>;
  /** All tokens that were given out, also those that are not valid any more. */
  readonly issued: { readonly access: string[]; readonly refresh: string[] };
  /** Refresh tokens that were used, as often as they were. */
  readonly renewals: string[];
  /** Edits of posts, with the person whose token they came with. */
  readonly edits: { readonly person: string; readonly text: string }[];
  /** Gives out a token of a consent. */
  issue(grant: Grant): string;
  /** Checks the header of a call with a token. */
  readonly bearer: (value: unknown) => string | null;
  /** The consent behind the token of a call. */
  grantOf(request: { readonly headers: Readonly<Record<string, string>> }): Grant;
}

/** The nine networks with OAuth 2.0 on one server, which gives out codes and tokens. */
export interface OauthNetworks extends StandIn {
  readonly state: OauthState;
  /** What a browser does on the page of a consent. Returns where the person is sent back to. */
  answerPage(authorizeUrl: string, decision: Decision): Promise<string>;
}

interface Code extends Grant {
  readonly redirectUri: string;
  readonly challenge: string | null;
}

const random = (): string => randomBytes(16).toString('hex');

/** The credentials of the gateway's app, as its settings contain them. */
export const appOf = (app: OauthApp) => ({
  clientId: `${app.toLowerCase()}-id`,
  clientSecret: `${app.toLowerCase()}-secret-of-the-app`,
});

const sha256 = (value: string): string => createHash('sha256').update(value).digest('base64url');

/** Starts the networks. Their requests violate nothing that a network documents. */
export async function startOauthNetworks(): Promise<OauthNetworks> {
  const codes = new Map<string, Code>();
  const state: OauthState = {
    person: '',
    accounts: 1,
    sendsRefreshTokens: true,
    tokens: new Map(),
    refreshTokens: new Map(),
    issued: { access: [], refresh: [] },
    renewals: [],
    edits: [],
    issue(grant) {
      const token = `access-${random()}`;
      state.tokens.set(token, grant);
      state.issued.access.push(token);
      return token;
    },
    bearer: (value) => (/^Bearer access-\w+$/.test(String(value)) ? null : 'is no token'),
    grantOf: ({ headers }) => state.tokens.get(tokenIn(headers['authorization']))!,
  };
  const tokenIn = (value: unknown): string => String(value).replace(/^Bearer /, '');

  function answer(endpoint: OauthEndpoint, grant: Grant): Reply {
    const refreshToken =
      endpoint.refresh && state.sendsRefreshTokens ? `refresh-${random()}` : null;
    if (refreshToken !== null) {
      state.refreshTokens.set(refreshToken, grant);
      state.issued.refresh.push(refreshToken);
    }
    return {
      status: 200,
      json: {
        access_token: state.issue(grant),
        expires_in: endpoint.lifetime,
        ...(refreshToken !== null && { refresh_token: refreshToken }),
        ...endpoint.answer(grant),
      },
    };
  }

  function redeem(endpoint: OauthEndpoint, sent: URLSearchParams): Reply {
    const code = codes.get(sent.get('code')!);
    codes.delete(sent.get('code')!);
    const verifier = sent.get('code_verifier');
    const isValid =
      code?.redirectUri === sent.get('redirect_uri') &&
      code.challenge === (verifier === null ? null : sha256(verifier)) &&
      OAUTH_ENDPOINTS[code.consent.endpoint] === endpoint;
    return isValid ? answer(endpoint, code) : endpoint.refusal('invalid_grant');
  }

  function renew(endpoint: OauthEndpoint, refreshToken: string): Reply {
    const grant = state.refreshTokens.get(refreshToken);
    state.renewals.push(refreshToken);
    if (!grant) return endpoint.refusal('invalid_grant');
    if (endpoint.refresh === 'again')
      return {
        status: 200,
        json: {
          access_token: state.issue(grant),
          expires_in: endpoint.lifetime,
          ...endpoint.answer(grant),
        },
      };
    state.refreshTokens.delete(refreshToken);
    return answer(endpoint, grant);
  }

  /** Whether the client is an app that this endpoint belongs to. */
  function knowsClient(endpoint: OauthEndpoint, sent: URLSearchParams, header: string): boolean {
    const [id, secret] =
      endpoint.client === 'basic'
        ? Buffer.from(header.replace(/^Basic /, ''), 'base64')
            .toString()
            .split(':')
        : [sent.get(endpoint.idName), sent.get('client_secret')];
    return OAUTH_CONSENTS.some(({ endpoint: of, app }) => {
      const { clientId, clientSecret } = appOf(app);
      return OAUTH_ENDPOINTS[of] === endpoint && clientId === id && clientSecret === secret;
    });
  }

  const toRoute = (endpoint: OauthEndpoint): Route => {
    const { method, host, path, client, idName, refusal } = endpoint;
    const ofClient: Schema = client === 'basic' ? {} : { [idName]: text, client_secret: text };
    const parameters: Schema = {
      ...ofClient,
      [method === 'GET' ? 'grant_type?' : 'grant_type']: text,
      'code?': text,
      'redirect_uri?': text,
      'code_verifier?': text,
      'refresh_token?': text,
      'fb_exchange_token?': text,
    };
    return {
      method,
      host,
      path,
      headers:
        client === 'basic' ? { authorization: (value) => (value ? null : 'is missing') } : {},
      ...(method === 'GET' ? { query: parameters } : { form: parameters }),
      respond({ bytes, query, headers }) {
        const sent = new URLSearchParams(method === 'GET' ? query : bytes.toString());
        if (!knowsClient(endpoint, sent, headers['authorization'] ?? ''))
          return refusal('invalid_client');
        const refreshToken = sent.get('refresh_token');
        if (refreshToken !== null) return renew(endpoint, refreshToken);
        const exchanged = sent.get('fb_exchange_token');
        if (exchanged !== null) {
          const grant = state.tokens.get(exchanged);
          return grant ? answer(endpoint, grant) : refusal('invalid_grant');
        }
        return redeem(endpoint, sent);
      },
    };
  };

  /** A call with a token that is not valid, or not any more. */
  const withToken = (route: Route): Route => ({
    ...route,
    respond: (request, match) =>
      state.tokens.has(tokenIn(request.headers['authorization']))
        ? route.respond(request, match)
        : { status: 401, json: { error: { code: 'access_token_invalid', message: 'Expired' } } },
  });

  const endpoints = Object.values(OAUTH_ENDPOINTS);
  const standIn = await startStandIn(
    [
      ...endpoints.map(toRoute),
      ...endpoints.flatMap(({ calls }) => calls?.(state) ?? []),
      ...OAUTH_CONSENTS.flatMap(({ api }) => api(state)).map(withToken),
    ],
    (status, message) => ({ error: 'invalid_request', error_description: `${status}: ${message}` }),
    ({ authorization }) => state.tokens.get(tokenIn(authorization))?.consent.network,
  );

  return {
    ...standIn,
    state,
    async answerPage(authorizeUrl, decision) {
      const { pathname, search, searchParams: asked } = new URL(authorizeUrl);
      const page = pathname.slice(1);
      const consent = OAUTH_CONSENTS.find((candidate) => {
        const { idName } = OAUTH_ENDPOINTS[candidate.endpoint];
        return (
          candidate.page === page &&
          asked.get(idName) === appOf(candidate.app).clientId &&
          asked.get('scope') === candidate.scopes
        );
      });
      if (!consent) throw new Error(`No network asks for consent at ${authorizeUrl}.`);
      const { network, scopes, codeSuffix = '', params = {}, pkce, withheld } = consent;
      const [host] = page.split('/');
      await recordRequest({
        network,
        method: 'GET',
        host: host!,
        target: `/${page.slice(host!.length + 1)}${search}`,
        headers: {},
        bytes: Buffer.alloc(0),
      });
      const { idName } = OAUTH_ENDPOINTS[consent.endpoint];
      expect(Object.fromEntries(asked)).toEqual({
        response_type: 'code',
        [idName]: appOf(consent.app).clientId,
        redirect_uri: expect.any(String),
        scope: scopes,
        state: expect.stringMatching(/^[\w-]{43}$/),
        ...params,
        ...(pkce && {
          code_challenge: expect.stringMatching(/^[\w-]{43}$/),
          code_challenge_method: 'S256',
        }),
      });
      const redirectUri = asked.get('redirect_uri')!;
      const back = new URL(redirectUri);
      back.searchParams.set('state', asked.get('state')!);
      const without = decision === 'deny' ? consent.denial : consent.inDevelopment;
      if (decision === 'deny' || decision === 'in development')
        for (const [name, value] of Object.entries(without ?? {}))
          back.searchParams.set(name, value);
      else {
        const code = `code-${random()}`;
        const granted = scopes
          .split(/[ ,]/)
          .filter((scope) => decision === 'allow' || scope !== withheld);
        const challenge = asked.get('code_challenge');
        codes.set(code, { consent, scopes: granted, person: state.person, redirectUri, challenge });
        back.searchParams.set('code', `${code}${codeSuffix}`);
      }
      return back.href;
    },
  };
}
