import { readCredentialEntries } from '../../domain/connections/account-connection.js';
import type { Connection } from '../../domain/connections/connection.js';
import { GatewayError } from '../../domain/errors.js';
import { browserOf, toCookieHeader } from '../../http/browser.js';
import type { JsonResponse } from '../../http/responses.js';
import { CONNECT_LINK_PAGE, type LinkHolder } from '../../services/accounts/connect-links.js';
import { readBodyOnly, type RestRequest, type RouteDependencies } from '../route.js';
import { FINISH_READER, LINK_CONNECT_READER, LINK_START_READER } from './connection-bodies.js';
import { presentRefused, readWay } from './connection-routes.js';

/** A request that the page of a connect link sends. */
interface LinkPageRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  handle(
    holder: LinkHolder,
    request: Pick<RestRequest, 'id' | 'query' | 'headers' | 'body'>,
    dependencies: RouteDependencies,
  ): Promise<JsonResponse>;
}

/** Without the IDs of accounts, which a person with a link does not need. */
const presentConnection = (
  { id, network, status, choices, error }: Connection,
  names: readonly string[],
): JsonResponse => ({
  status: 200,
  body: {
    id,
    network,
    status,
    choices: choices.map(({ accountId: _accountId, ...choice }) => choice),
    accounts: names,
    error,
  },
});

/** All that the page of a connect link can do. The rest of the gateway does not know its secret. */
export const LINK_PAGE_ROUTES: readonly LinkPageRoute[] = [
  {
    method: 'GET',
    path: `${CONNECT_LINK_PAGE}/offers`,
    async handle(holder, _request, { services }) {
      const { workspaceName: workspace, link } = holder;
      const networks = services.connectLinks.offers(holder);
      return { status: 200, body: { workspace, expires_at: link.expiresAt, networks } };
    },
  },
  {
    method: 'POST',
    path: `${CONNECT_LINK_PAGE}/connections`,
    async handle(holder, request, dependencies) {
      const target = readBodyOnly(LINK_START_READER, request);
      const outcome = await dependencies.services.connectLinks.start(holder, {
        network: target.network,
        server: target.server ?? null,
        way: readWay(target),
        browser: browserOf(request.headers),
      });
      if (outcome.kind === 'refused')
        return presentRefused(outcome.refusals, dependencies.fieldMapping);
      const { authorizeUrl, browserCookie } = outcome;
      return {
        status: 200,
        headers: browserCookie ? toCookieHeader(browserCookie) : {},
        body: { authorize_url: authorizeUrl },
      };
    },
  },
  {
    method: 'GET',
    path: `${CONNECT_LINK_PAGE}/connections/{id}`,
    async handle(holder, { id }, { services }) {
      const found = await services.connectLinks.find(holder, id);
      if (!found) throw new GatewayError('CONNECTION_NOT_FOUND');
      return presentConnection(found.connection, found.names);
    },
  },
  {
    method: 'POST',
    path: `${CONNECT_LINK_PAGE}/connections/{id}`,
    async handle(holder, request, dependencies) {
      const { choices } = readBodyOnly(FINISH_READER, request);
      const { connectLinks } = dependencies.services;
      const outcome = await connectLinks.finish(holder, request.id, choices);
      return outcome.kind === 'refused'
        ? presentRefused(outcome.refusals, dependencies.fieldMapping)
        : presentConnection(outcome.connection, outcome.names);
    },
  },
  {
    method: 'POST',
    path: `${CONNECT_LINK_PAGE}/accounts`,
    async handle(holder, request, dependencies) {
      const { network, credentials } = readBodyOnly(LINK_CONNECT_READER, request);
      const read = readCredentialEntries(network, credentials);
      if ('problems' in read) throw new GatewayError('BAD_USER_INPUT', undefined, read.problems);
      const outcome = await dependencies.services.connectLinks.connect(holder, {
        network,
        credentials: read.credentials,
      });
      return outcome.kind === 'refused'
        ? presentRefused(outcome.refusals, dependencies.fieldMapping)
        : { status: 200, body: { name: outcome.account.name } };
    },
  },
];
