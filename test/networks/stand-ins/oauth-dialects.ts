import type { OauthConsent, OauthEndpoint, OauthState } from './oauth-networks.js';
import { exactly, text } from './request-schema.js';
import type { Reply, Route } from './stand-in.js';

const DAY = 86_400;

/** An error as RFC 6749 describes it. */
const refusal = (error: string): Reply => ({
  status: error === 'invalid_client' ? 401 : 400,
  json: { error, error_description: `The ${error} was refused.` },
});

/** The scopes as a text, which most networks send. */
const scopesBy =
  (separator: string): OauthEndpoint['answer'] =>
  ({ scopes }) => ({ scope: scopes.join(separator) });

/** An error of a Graph API. */
const graphRefusal = (error: string): Reply => ({
  status: 400,
  json: { error: { message: error, type: 'OAuthException', code: 100, fbtrace_id: 'A1' } },
});

/** The exchange for a token of 60 days, and its renewal, which Instagram and Threads share. */
const longLived =
  (host: string, prefix: 'ig' | 'th'): Required<OauthEndpoint>['calls'] =>
  (state) =>
    (['access_token', 'refresh_access_token'] as const).map((name): Route => {
      const isExchange = name === 'access_token';
      return {
        method: 'GET',
        host,
        path: new RegExp(`^/${name}$`),
        headers: {},
        query: {
          grant_type: exactly(`${prefix}_${isExchange ? 'exchange' : 'refresh'}_token`),
          access_token: text,
          ...(isExchange && { client_secret: text }),
        },
        respond({ query }) {
          const grant = state.tokens.get(query['access_token']!);
          if (!grant) return graphRefusal('The token is not valid.');
          return {
            status: 200,
            json: { access_token: state.issue(grant), token_type: 'bearer', expires_in: 60 * DAY },
          };
        },
      };
    });

/** Where codes become tokens. */
export type OauthEndpointName =
  'facebook' | 'google' | 'instagram' | 'linkedin' | 'pinterest' | 'threads' | 'tiktok' | 'twitter';
export const OAUTH_ENDPOINTS: Readonly<Record<OauthEndpointName, OauthEndpoint>> = {
  // Microsoft Learn, "Authorization Code Flow" and "Programmatic refresh tokens".
  linkedin: {
    method: 'POST',
    host: 'www.linkedin.com',
    path: /^\/oauth\/v2\/accessToken$/,
    client: 'form',
    idName: 'client_id',
    lifetime: 60 * DAY,
    refresh: 'again',
    refusal,
    answer: (grant) => ({ ...scopesBy(',')(grant), refresh_token_expires_in: 365 * DAY }),
  },
  // "Manually Build a Login Flow"; requests by GET, and an answer without scopes.
  facebook: {
    method: 'GET',
    host: 'graph.facebook.com',
    path: /^\/v25\.0\/oauth\/access_token$/,
    client: 'form',
    idName: 'client_id',
    lifetime: 60 * DAY,
    refusal: graphRefusal,
    answer: () => ({ token_type: 'bearer' }),
  },
  instagram: {
    method: 'POST',
    host: 'api.instagram.com',
    path: /^\/oauth\/access_token$/,
    client: 'form',
    idName: 'client_id',
    lifetime: 3_600,
    refusal: graphRefusal,
    answer: ({ person, scopes }) => ({ user_id: Number(person), permissions: scopes.join(',') }),
    calls: longLived('graph.instagram.com', 'ig'),
  },
  threads: {
    method: 'POST',
    host: 'graph.threads.com',
    path: /^\/oauth\/access_token$/,
    client: 'form',
    idName: 'client_id',
    lifetime: 3_600,
    refusal: graphRefusal,
    answer: ({ person }) => ({ user_id: Number(person) }),
    calls: longLived('graph.threads.com', 'th'),
  },
  twitter: {
    method: 'POST',
    host: 'api.x.com',
    path: /^\/2\/oauth2\/token$/,
    client: 'basic',
    idName: 'client_id',
    lifetime: 7_200,
    refresh: 'once',
    refusal,
    answer: scopesBy(' '),
  },
  tiktok: {
    method: 'POST',
    host: 'open.tiktokapis.com',
    path: /^\/v2\/oauth\/token\/$/,
    client: 'form',
    idName: 'client_key',
    lifetime: DAY,
    refresh: 'once',
    // Errors may have status 200.
    refusal: (error) => ({ ...refusal(error), status: 200 }),
    answer: (grant) => ({
      ...scopesBy(',')(grant),
      open_id: grant.person,
      refresh_expires_in: 365 * DAY,
    }),
  },
  // Not the errors of RFC 6749.
  pinterest: {
    method: 'POST',
    host: 'api.pinterest.com',
    path: /^\/v5\/oauth\/token$/,
    client: 'basic',
    idName: 'client_id',
    lifetime: 30 * DAY,
    refresh: 'once',
    refusal: (error) => ({ status: 400, json: { code: 283, message: `Refused: ${error}` } }),
    answer: (grant) => ({ ...scopesBy(',')(grant), refresh_token_expires_in: 60 * DAY }),
  },
  google: {
    method: 'POST',
    host: 'oauth2.googleapis.com',
    path: /^\/token$/,
    client: 'form',
    idName: 'client_id',
    lifetime: 3_599,
    refresh: 'again',
    refusal,
    answer: scopesBy(' '),
  },
};

/** IDs of the person's pages. */
const pagesOf = ({ person, accounts }: OauthState): string[] =>
  Array.from({ length: accounts }, (_page, index) => `${person}0${index + 1}`);

const linkedinHeaders = ({ bearer }: OauthState): Route['headers'] => ({
  authorization: bearer,
  'linkedin-version': exactly('202609'),
  'x-restli-protocol-version': exactly('2.0.0'),
});

/** The consents of all networks. */
export const OAUTH_CONSENTS: readonly OauthConsent[] = [
  {
    network: 'linkedin',
    way: 'own',
    app: 'LINKEDIN',
    page: 'www.linkedin.com/oauth/v2/authorization',
    scopes: 'openid profile w_member_social',
    pkce: false,
    endpoint: 'linkedin',
    withheld: 'w_member_social',
    denial: { error: 'user_cancelled_login', error_description: 'The user cancelled the login.' },
    inDevelopment: {
      error: 'unauthorized_scope_error',
      error_description: 'Scope "w_member_social" is not authorized for your application',
    },
    api: ({ bearer, grantOf }) => [
      {
        method: 'GET',
        host: 'api.linkedin.com',
        path: /^\/v2\/userinfo$/,
        headers: { authorization: bearer },
        respond: (request) => ({
          status: 200,
          json: {
            sub: grantOf(request).person,
            name: 'Ada',
            picture: 'https://media.example/a.jpg',
          },
        }),
      },
    ],
    account: { name: 'Ada', type: 'profile' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'ends',
    hasChoices: false,
  },
  {
    network: 'linkedin',
    way: 'pages',
    app: 'LINKEDIN_PAGES',
    page: 'www.linkedin.com/oauth/v2/authorization',
    scopes: 'w_organization_social r_organization_social rw_organization_admin',
    pkce: false,
    endpoint: 'linkedin',
    withheld: 'rw_organization_admin',
    denial: { error: 'user_cancelled_authorize' },
    inDevelopment: { error: 'unauthorized_scope_error' },
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'api.linkedin.com',
        path: /^\/rest\/organizationAcls$/,
        headers: linkedinHeaders(state),
        query: {
          q: exactly('roleAssignee'),
          role: exactly('ADMINISTRATOR'),
          state: exactly('APPROVED'),
          count: exactly('100'),
        },
        respond: () => ({
          status: 200,
          json: {
            elements: pagesOf(state).map((id) => ({
              organization: `urn:li:organization:${id}`,
              role: 'ADMINISTRATOR',
              state: 'APPROVED',
            })),
          },
        }),
      },
      {
        method: 'POST',
        host: 'api.linkedin.com',
        path: /^\/rest\/posts\/urn%3Ali%3Ashare%3A\d+$/,
        headers: { ...linkedinHeaders(state), 'x-restli-method': exactly('PARTIAL_UPDATE') },
        json: { patch: { $set: { commentary: text } } },
        respond(request) {
          const { person } = state.grantOf(request);
          state.edits.push({ person, text: (request.body as any).patch.$set.commentary });
          return { status: 204 };
        },
      },
      {
        method: 'GET',
        host: 'api.linkedin.com',
        path: /^\/rest\/organizations\/\d+$/,
        headers: linkedinHeaders(state),
        respond: ({ path }) => ({
          status: 200,
          json: { localizedName: `Kiosk ${path.split('/').at(-1)}` },
        }),
      },
      {
        method: 'GET',
        host: 'api.linkedin.com',
        path: /^\/rest\/organizationsLookup$/,
        headers: linkedinHeaders(state),
        query: {
          ids: (value) => (/^List\(\d+(,\d+)*\)$/.test(String(value)) ? null : 'is no list'),
        },
        respond: ({ query }) => ({
          status: 200,
          json: {
            results: Object.fromEntries(
              query['ids']!.match(/\d+/g)!.map((id) => [id, { id, localizedName: `Kiosk ${id}` }]),
            ),
          },
        }),
      },
    ],
    account: { name: 'Kiosk', type: 'page' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'ends',
    hasChoices: true,
  },
  {
    network: 'facebook',
    way: 'own',
    app: 'FACEBOOK',
    page: 'www.facebook.com/v25.0/dialog/oauth',
    scopes: 'pages_show_list,pages_read_engagement,pages_manage_posts,read_insights',
    pkce: false,
    endpoint: 'facebook',
    codeSuffix: '#_',
    withheld: 'pages_manage_posts',
    denial: { error: 'access_denied', error_reason: 'user_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'graph.facebook.com',
        path: /^\/v25\.0\/me\/permissions$/,
        headers: { authorization: state.bearer },
        respond(request) {
          const { scopes, consent } = state.grantOf(request);
          const data = consent.scopes.split(',').map((permission) => ({
            permission,
            status: scopes.includes(permission) ? 'granted' : 'declined',
          }));
          return { status: 200, json: { data } };
        },
      },
      {
        method: 'GET',
        host: 'graph.facebook.com',
        path: /^\/v25\.0\/me\/accounts$/,
        headers: { authorization: state.bearer },
        query: { fields: text, limit: exactly('100') },
        respond(request) {
          const grant = state.grantOf(request);
          const ofPages = grant.consent.network === 'facebook';
          const data = pagesOf(state).map((id) => ({
            access_token: state.issue({ ...grant, person: id }),
            ...(ofPages
              ? { id, name: `Kiosk ${id}`, tasks: ['CREATE_CONTENT', 'MODERATE'] }
              : { instagram_business_account: { id: `17${id}`, username: `kiosk${id}` } }),
          }));
          return { status: 200, json: { data } };
        },
      },
      {
        method: 'GET',
        host: 'graph.facebook.com',
        path: /^\/v25\.0\/me$/,
        headers: { authorization: state.bearer },
        query: { fields: text, 'metadata?': exactly('1') },
        respond(request) {
          const { person, consent } = state.grantOf(request);
          return {
            status: 200,
            json:
              consent.network === 'instagram'
                ? { instagram_business_account: { id: `17${person}`, username: `kiosk${person}` } }
                : { id: person, name: `Kiosk ${person}`, metadata: { type: 'page' } },
          };
        },
      },
    ],
    account: { name: 'Kiosk', type: 'page' },
    hasEnd: false,
    renewsItself: false,
    withoutRefreshToken: 'ends',
    hasChoices: true,
  },
  {
    network: 'instagram',
    way: 'facebook',
    app: 'FACEBOOK',
    page: 'www.facebook.com/v25.0/dialog/oauth',
    scopes:
      'instagram_basic,instagram_content_publish,instagram_manage_contents,instagram_manage_insights,pages_show_list,pages_read_engagement',
    pkce: false,
    endpoint: 'facebook',
    withheld: 'instagram_content_publish',
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: () => [],
    account: { name: '@kiosk', type: 'business' },
    hasEnd: false,
    renewsItself: false,
    withoutRefreshToken: 'ends',
    hasChoices: true,
  },
  {
    network: 'instagram',
    way: 'own',
    app: 'INSTAGRAM',
    page: 'www.instagram.com/oauth/authorize',
    scopes:
      'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights',
    pkce: false,
    endpoint: 'instagram',
    codeSuffix: '#_',
    withheld: 'instagram_business_content_publish',
    denial: { error: 'access_denied', error_reason: 'user_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'graph.instagram.com',
        path: /^\/v25\.0\/me$/,
        headers: { authorization: state.bearer },
        query: { fields: text },
        respond(request) {
          const { person } = state.grantOf(request);
          const kind = state.accounts === 0 ? 'PERSONAL' : 'BUSINESS';
          return {
            status: 200,
            json: { user_id: person, username: `kiosk${person}`, account_type: kind },
          };
        },
      },
    ],
    account: { name: '@kiosk', type: 'business' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'renewed',
    hasChoices: false,
  },
  {
    network: 'threads',
    way: 'own',
    app: 'THREADS',
    page: 'threads.com/oauth/authorize',
    scopes: 'threads_basic,threads_content_publish,threads_delete,threads_manage_insights',
    pkce: false,
    endpoint: 'threads',
    codeSuffix: '#_',
    // The answer does not say what was granted.
    withheld: null,
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'graph.threads.com',
        path: /^\/v1\.0\/me$/,
        headers: { authorization: state.bearer },
        query: { fields: exactly('id,username,threads_profile_picture_url') },
        respond(request) {
          const { person } = state.grantOf(request);
          return { status: 200, json: { id: person, username: `kiosk${person}` } };
        },
      },
    ],
    account: { name: '@kiosk', type: 'profile' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'renewed',
    hasChoices: false,
  },
  {
    network: 'twitter',
    way: 'own',
    app: 'TWITTER',
    page: 'x.com/i/oauth2/authorize',
    scopes: 'tweet.read tweet.write users.read media.write offline.access',
    pkce: true,
    endpoint: 'twitter',
    withheld: 'tweet.write',
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'api.x.com',
        path: /^\/2\/users\/me$/,
        headers: { authorization: state.bearer },
        query: { 'user.fields': exactly('profile_image_url') },
        respond(request) {
          const { person } = state.grantOf(request);
          return { status: 200, json: { data: { id: person, username: `kiosk${person}` } } };
        },
      },
    ],
    account: { name: '@kiosk', type: 'profile' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'refused',
    hasChoices: false,
  },
  {
    network: 'tiktok',
    way: 'own',
    app: 'TIKTOK',
    page: 'www.tiktok.com/v2/auth/authorize/',
    scopes: 'user.info.basic,video.publish,video.list',
    pkce: false,
    endpoint: 'tiktok',
    withheld: 'video.publish',
    denial: { error: 'access_denied', errCode: '-2' },
    inDevelopment: { error: 'unauthorized_client', error_description: 'Not approved.' },
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'open.tiktokapis.com',
        path: /^\/v2\/user\/info\/$/,
        headers: { authorization: state.bearer },
        query: { fields: exactly('open_id,display_name,avatar_url') },
        respond(request) {
          const user = { open_id: state.grantOf(request).person, display_name: 'Kiosk' };
          return {
            status: 200,
            json: { data: { user }, error: { code: 'ok', message: '', log_id: 'L1' } },
          };
        },
      },
    ],
    account: { name: 'Kiosk', type: 'profile' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'refused',
    hasChoices: false,
  },
  {
    network: 'pinterest',
    way: 'own',
    app: 'PINTEREST',
    page: 'www.pinterest.com/oauth/',
    scopes: 'boards:read,pins:read,pins:write,user_accounts:read',
    pkce: false,
    endpoint: 'pinterest',
    withheld: 'pins:write',
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'api.pinterest.com',
        path: /^\/v5\/user_account$/,
        headers: { authorization: state.bearer },
        respond(request) {
          const { person } = state.grantOf(request);
          return {
            status: 200,
            json: { id: person, username: `kiosk${person}`, account_type: 'BUSINESS' },
          };
        },
      },
    ],
    account: { name: 'kiosk', type: 'business' },
    hasEnd: true,
    renewsItself: true,
    withoutRefreshToken: 'refused',
    hasChoices: false,
  },
  {
    network: 'google',
    way: 'own',
    app: 'GOOGLE',
    page: 'accounts.google.com/o/oauth2/v2/auth',
    scopes: 'https://www.googleapis.com/auth/business.manage',
    pkce: true,
    params: { access_type: 'offline', prompt: 'consent' },
    endpoint: 'google',
    withheld: 'https://www.googleapis.com/auth/business.manage',
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'mybusinessaccountmanagement.googleapis.com',
        path: /^\/v1\/accounts$/,
        headers: { authorization: state.bearer },
        respond: (request) => ({
          status: 200,
          json: { accounts: [{ name: `accounts/${state.grantOf(request).person}` }] },
        }),
      },
      {
        method: 'GET',
        host: 'mybusinessbusinessinformation.googleapis.com',
        path: /^\/v1\/accounts\/\d+\/locations$/,
        headers: { authorization: state.bearer },
        query: { readMask: exactly('name,title'), pageSize: exactly('100') },
        respond: () => ({
          status: 200,
          json: {
            locations: pagesOf(state).map((id) => ({ name: `locations/${id}`, title: 'Kiosk' })),
          },
        }),
      },
      {
        method: 'GET',
        host: 'mybusinessbusinessinformation.googleapis.com',
        path: /^\/v1\/locations\/\d+$/,
        headers: { authorization: state.bearer },
        query: { readMask: exactly('name,title') },
        respond: ({ path }) => ({
          status: 200,
          json: { name: path.slice('/v1/'.length), title: 'Kiosk' },
        }),
      },
    ],
    account: { name: 'Kiosk', type: 'location' },
    hasEnd: false,
    renewsItself: true,
    withoutRefreshToken: 'refused',
    hasChoices: true,
  },
  {
    network: 'youtube',
    way: 'own',
    app: 'YOUTUBE',
    page: 'accounts.google.com/o/oauth2/v2/auth',
    scopes: 'https://www.googleapis.com/auth/youtube',
    pkce: true,
    params: { access_type: 'offline', prompt: 'consent' },
    endpoint: 'google',
    withheld: 'https://www.googleapis.com/auth/youtube',
    denial: { error: 'access_denied' },
    inDevelopment: null,
    api: (state): Route[] => [
      {
        method: 'GET',
        host: 'youtube.googleapis.com',
        path: /^\/youtube\/v3\/channels$/,
        headers: { authorization: state.bearer },
        query: { mine: exactly('true'), part: exactly('snippet') },
        respond: (request) => ({
          status: 200,
          json: {
            items: [{ id: `UC${state.grantOf(request).person}`, snippet: { title: 'Kiosk' } }],
          },
        }),
      },
    ],
    account: { name: 'Kiosk', type: 'channel' },
    hasEnd: false,
    renewsItself: true,
    withoutRefreshToken: 'refused',
    hasChoices: false,
  },
];
