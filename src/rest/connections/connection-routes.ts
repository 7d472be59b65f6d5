import { readCredentialEntries } from '../../domain/connections/account-connection.js';
import type { ConsentWay } from '../../domain/connections/oauth-rules.js';
import { GatewayError, type Refusal } from '../../domain/errors.js';
import type { Account } from '../../domain/posts/post.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { browserOf, toCookieHeader } from '../../http/browser.js';
import type { JsonResponse } from '../../http/responses.js';
import {
  toConnectionManager,
  type ConnectionOutcome,
} from '../../services/accounts/account-connections.js';
import { toConsentManager } from '../../services/accounts/consents.js';
import { presentRefusals } from '../errors.js';
import type { FieldMapping } from '../field-mapping.js';
import type { ResponseHeader } from '../headers.js';
import {
  assertNoParams,
  inWorkspace,
  readBodyOnly,
  type Route,
  type RouteDefinition,
  type RouteDependencies,
  type WorkspaceHandler,
} from '../route.js';
import {
  CONNECT_LINK_READER,
  CONNECT_READER,
  FINISH_READER,
  presentConnectedAccount,
  presentConnection,
  presentConnectLink,
  presentCreatedConnectLink,
  START_READER,
  type StartTarget,
} from './connection-bodies.js';

const FIELDS = /\b(?:accountId|expiresAt|returnUrl)\b/g;
/** Presents the reasons why nothing was changed, with the words and field names of v1. */
export const presentRefused = (
  refusals: readonly [Refusal, ...Refusal[]],
  { toV1Message }: FieldMapping,
): JsonResponse =>
  presentRefusals(refusals, (message) => toV1Message(message).replace(FIELDS, toSnakeCase));

/** The account after a change, or the reasons why nothing was changed. */
async function presentAccount(
  outcome: ConnectionOutcome<{ readonly account: Account }>,
  { services: { accountConnections }, fieldMapping }: RouteDependencies,
): Promise<JsonResponse> {
  if (outcome.kind === 'refused') return presentRefused(outcome.refusals, fieldMapping);
  const { account } = outcome;
  const connections = await accountConnections.byAccount([account.id]);
  const connection = connections.get(account.id) ?? null;
  return { status: 200, body: presentConnectedAccount({ account, connection }) };
}

const BODY_ERRORS = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
const CONNECT_ERRORS = [
  'FORBIDDEN',
  'RULE_VIOLATION',
  'WRONG_IDENTITY',
  'NOT_CONFIGURED',
  'CONFLICT',
] as const;

const BROWSER_COOKIE: ResponseHeader = {
  name: 'Set-Cookie',
  description:
    'Only for pages of the gateway: the browser that started the connection has to complete it.',
  example:
    '__Host-posts-gateway-connect=4bG7…; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
};

/** A route that connects accounts, for owners and admins. */
export const connectionRoute = (
  definition: Omit<RouteDefinition, 'scopes' | 'tag'>,
  handle: WorkspaceHandler,
): Route => inWorkspace({ ...definition, tag: 'Accounts', scopes: [['connections']] }, handle);

/** The way to give consent that a body asks for. @throws GatewayError BAD_USER_INPUT */
export function readWay({ network, login, pages }: StartTarget): ConsentWay {
  if (pages) return 'pages';
  if (!login || login === network) return 'own';
  if (login === 'facebook') return 'facebook';
  throw new GatewayError('BAD_USER_INPUT', undefined, [
    { path: ['login'], message: 'must be facebook, or the network itself.' },
  ]);
}

/** Routes of connections by consent (D83). */
const CONSENT_ROUTES: readonly Route[] = [
  connectionRoute(
    {
      method: 'POST',
      path: '/v1/connections',
      operationId: 'startConnection',
      summary: 'Start connection',
      description:
        'Starts the connection of accounts by consent. Open `authorize_url` in the browser of the person within 10 minutes. For owners and admins.',
      requestSchema: 'StartConnection',
      responseSchema: 'Connection',
      responseHeaders: [BROWSER_COOKIE],
      errorCodes: [...CONNECT_ERRORS, 'RATE_LIMITED', 'UNAVAILABLE', ...BODY_ERRORS],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { account_id, return_url, ...target } = readBodyOnly(START_READER, request);
      const { network, server = null } = target;
      const outcome = await services.consents.start(toConsentManager(viewer), {
        network,
        server,
        way: readWay(target),
        accountId: account_id ?? null,
        returnUrl: return_url ?? null,
        browser: browserOf(request.headers),
      });
      if (outcome.kind === 'refused') return presentRefused(outcome.refusals, fieldMapping);
      const { connection, authorizeUrl, browserCookie } = outcome;
      return {
        status: 200,
        headers: browserCookie ? toCookieHeader(browserCookie) : {},
        body: presentConnection({ ...connection, authorizeUrl }),
      };
    },
  ),
  connectionRoute(
    {
      method: 'GET',
      path: '/v1/connections/{connection_id}',
      operationId: 'getConnection',
      summary: 'Get connection',
      description: 'A connection that the user of the key started. For owners and admins.',
      responseSchema: 'Connection',
      errorCodes: ['CONNECTION_NOT_FOUND'],
    },
    async (viewer, { id }, { services }) => {
      const connection = await services.consents.find(toConsentManager(viewer), id);
      if (!connection) throw new GatewayError('CONNECTION_NOT_FOUND');
      return { status: 200, body: presentConnection(connection) };
    },
  ),
  connectionRoute(
    {
      method: 'POST',
      path: '/v1/connections/{connection_id}',
      operationId: 'finishConnection',
      summary: 'Finish connection',
      description:
        'Connects accounts that a connection with the status `choose` offers: all of the chosen ones or none. For owners and admins.',
      requestSchema: 'FinishConnection',
      responseSchema: 'Connection',
      errorCodes: [...CONNECT_ERRORS, 'CONNECTION_NOT_FOUND', 'CONNECTION_EXPIRED', ...BODY_ERRORS],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { choices } = readBodyOnly(FINISH_READER, request);
      const outcome = await services.consents.finish(toConsentManager(viewer), request.id, choices);
      return outcome.kind === 'refused'
        ? presentRefused(outcome.refusals, fieldMapping)
        : { status: 200, body: presentConnection(outcome.connection) };
    },
  ),
];

/** Routes of connect links (D83). */
const LINK_ROUTES: readonly Route[] = [
  connectionRoute(
    {
      method: 'GET',
      path: '/v1/connect-links',
      operationId: 'listConnectLinks',
      summary: 'List connect links',
      description: 'The links of the workspace that can be used. For owners and admins.',
      responseSchema: 'ConnectLinkList',
      errorCodes: ['FORBIDDEN'],
    },
    async (viewer, _request, { services }) => {
      const links = await services.connectLinks.list(toConsentManager(viewer));
      return { status: 200, body: { links: links.map(presentConnectLink) } };
    },
  ),
  connectionRoute(
    {
      method: 'POST',
      path: '/v1/connect-links',
      operationId: 'createConnectLink',
      summary: 'Create connect link',
      description:
        'Creates an address with which a person without a key, such as a client of an agency, connects their accounts to the workspace for at most 24 hours, and can do nothing else. For owners and admins.',
      requestSchema: 'CreateConnectLink',
      responseSchema: 'CreatedConnectLink',
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION', ...BODY_ERRORS],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { networks = null, expires_at: expiresAt = null } = readBodyOnly(
        CONNECT_LINK_READER,
        request,
      );
      const outcome = await services.connectLinks.create(toConsentManager(viewer), {
        networks,
        expiresAt,
      });
      return outcome.kind === 'refused'
        ? presentRefused(outcome.refusals, fieldMapping)
        : { status: 200, body: presentCreatedConnectLink(outcome) };
    },
  ),
  connectionRoute(
    {
      method: 'DELETE',
      path: '/v1/connect-links/{link_id}',
      operationId: 'revokeConnectLink',
      summary: 'Revoke connect link',
      description:
        'From now on, the link can do nothing, and what was started with it is not completed. For owners and admins.',
      responseSchema: 'ConnectLink',
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION'],
    },
    async (viewer, request, { services, fieldMapping }) => {
      assertNoParams(request);
      const outcome = await services.connectLinks.revoke(toConsentManager(viewer), request.id);
      return outcome.kind === 'refused'
        ? presentRefused(outcome.refusals, fieldMapping)
        : { status: 200, body: presentConnectLink(outcome.link) };
    },
  ),
];

/** Routes of connections (D82). */
export const CONNECTION_ROUTES: readonly Route[] = [
  ...CONSENT_ROUTES,
  ...LINK_ROUTES,
  connectionRoute(
    {
      method: 'POST',
      path: '/v1/accounts/connect',
      operationId: 'connectAccount',
      summary: 'Connect account',
      description:
        'Connects an account by credentials, such as an app password. The gateway asks the network whose they are, and stores them encrypted. For owners and admins.',
      requestSchema: 'ConnectAccount',
      responseSchema: 'ConnectedAccount',
      errorCodes: [...CONNECT_ERRORS, ...BODY_ERRORS],
    },
    async (viewer, request, dependencies) => {
      const { services } = dependencies;
      const {
        network,
        credentials,
        account_id: accountId = null,
      } = readBodyOnly(CONNECT_READER, request);
      const read = readCredentialEntries(network, credentials);
      if ('problems' in read) throw new GatewayError('BAD_USER_INPUT', undefined, read.problems);
      const outcome = await services.accountConnections.connect(toConnectionManager(viewer), {
        network,
        credentials: read.credentials,
        accountId,
      });
      return presentAccount(outcome, dependencies);
    },
  ),
  connectionRoute(
    {
      method: 'DELETE',
      path: '/v1/accounts/{account_id}/connection',
      operationId: 'disconnectAccount',
      summary: 'Disconnect account',
      description:
        'Deletes the credentials of the account. The account and its posts remain. For owners and admins.',
      responseSchema: 'ConnectedAccount',
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION'],
    },
    async (viewer, request, dependencies) => {
      const { services } = dependencies;
      assertNoParams(request);
      const outcome = await services.accountConnections.disconnect(
        toConnectionManager(viewer),
        request.id,
      );
      return presentAccount(outcome, dependencies);
    },
  ),
  connectionRoute(
    {
      method: 'POST',
      path: '/v1/accounts/{account_id}/check',
      operationId: 'checkAccount',
      summary: 'Check account',
      description:
        'Asks the network now whether it accepts the credentials of the account. `connection` contains the answer. For owners and admins.',
      responseSchema: 'ConnectedAccount',
      errorCodes: ['FORBIDDEN', 'RULE_VIOLATION', 'NOT_CONFIGURED', ...BODY_ERRORS],
    },
    async (viewer, request, dependencies) => {
      const { services } = dependencies;
      assertNoParams(request);
      const outcome = await services.accountConnections.check(
        toConnectionManager(viewer),
        request.id,
      );
      return presentAccount(outcome, dependencies);
    },
  ),
];
