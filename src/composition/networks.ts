import { appClientOf } from '../config/connection-settings.js';
import type { Config } from '../config/config.js';
import { createHttpClient, type HttpClient } from '../networks/http-client/http-client.js';
import { replaceHosts } from '../networks/http-client/network-hosts.js';
import { createConsentNetworks } from '../networks/oauth2/consent-networks.js';
import { createNetworks } from '../networks/registry.js';
import type { PublishedFiles } from './media.js';
import { createConnectLinkStore } from '../persistence/credentials/connect-links.js';
import { createPendingConnections } from '../persistence/credentials/pending-connections.js';
import { createServerClients } from '../persistence/credentials/server-clients.js';
import type { CredentialKeys } from '../persistence/credentials/credential-keys.js';
import type { Database } from '../persistence/database.js';
import { createAccountConnections } from '../services/accounts/account-connections.js';
import { createConnectLinks } from '../services/accounts/connect-links.js';
import { createConsents, type ConsentDependencies } from '../services/accounts/consents.js';
import type { ConsentNetworks } from '../services/accounts/consent-ports.js';
import {
  createRenewals,
  type RenewalMetrics,
  type Renewals,
} from '../services/accounts/renewals.js';
import { createRenewalStore, type RenewalStore } from '../persistence/credentials/renewal-store.js';
import type { Clock } from '../services/clock.js';
import type { Networks } from '../services/networks/network-ports.js';
import type { Services } from '../services/services.js';
import { blogHtml } from '../services/posts/blog-html/blog-html.js';
import type { Tracing } from '../tracing/process-tracing.js';
import { NO_TRACING } from './telemetry.js';

interface ClientParts {
  readonly clock: Clock;
  readonly tracing?: Tracing | undefined;
}

/** The HTTP client for all requests to networks. `files`: for processes that publish. */
const composeHttpClient = (
  { networkHosts, networksAllowLoopback: allowLoopback }: Config,
  { clock, tracing = NO_TRACING, files }: ClientParts & { readonly files?: PublishedFiles },
): HttpClient =>
  replaceHosts(
    tracing.httpClient(createHttpClient({ allowLoopback, clock, ...files })),
    networkHosts,
  );

const composeAdapters = (config: Config, http: HttpClient): ReturnType<typeof createNetworks> =>
  createNetworks(http, {
    linkedinVersion: config.linkedinVersion,
    facebookVersion: config.facebookVersion,
    appClient: (app) => appClientOf(config, app),
    blogHtml,
  });

/**
 * The adapters of all networks, over one HTTP client. `files`: for processes that publish.
 */
export const composeNetworks = (
  config: Config,
  parts: ClientParts & { readonly files?: PublishedFiles },
): Networks => composeAdapters(config, composeHttpClient(config, parts));

/** The networks whose people give consent. */
const composeConsentNetworks = (config: Config, http: HttpClient): ConsentNetworks =>
  createConsentNetworks(http, {
    createAdapters: (client) => composeAdapters(config, client),
    hosts: config.networkHosts,
    linkedinVersion: config.linkedinVersion,
    facebookVersion: config.facebookVersion,
  });

interface RenewalParts extends ClientParts {
  readonly store: RenewalStore;
  readonly metrics: RenewalMetrics | undefined;
}

/** Renewals of the access to accounts. */
export const composeRenewals = (
  config: Config,
  { store, clock, tracing, metrics }: RenewalParts,
): Renewals =>
  createRenewals({
    store,
    consents: composeConsentNetworks(config, composeHttpClient(config, { clock, tracing })),
    appClient: (app) => appClientOf(config, app),
    clock,
    metrics,
  });

interface ConnectionParts
  extends
    ClientParts,
    Pick<ConsentDependencies, 'accounts' | 'accountStatus' | 'credentials' | 'ids' | 'logError'> {
  readonly networks: Networks;
  readonly database: Database;
  readonly keys: CredentialKeys;
  /** URL of the process: of the gateway, unless PUBLIC_URL is set. */
  readonly url: () => string;
}

/**
 * The connections of accounts: by credentials, by consent and by links. The requests of consents to
 * networks end sooner than those of jobs.
 */
export function composeConnections(
  config: Config,
  { networks, database, keys, url, tracing, ...parts }: ConnectionParts,
): Pick<Services, 'accountConnections' | 'consents' | 'connectLinks'> {
  const http = composeHttpClient(config, { clock: parts.clock, tracing });
  const publicUrl = (): string => config.publicUrl ?? url();
  const consents = createConsents({
    ...parts,
    networks: composeConsentNetworks(config, http),
    pending: createPendingConnections(database, keys),
    serverClients: createServerClients(database, keys),
    appClient: (app) => appClientOf(config, app),
    publicUrl,
    returnOrigins: config.connectReturnOrigins,
  });
  const accountConnections = createAccountConnections({
    ...parts,
    networks,
    renewals: composeRenewals(config, {
      store: createRenewalStore(database, keys),
      clock: parts.clock,
      metrics: undefined,
    }),
  });
  const store = createConnectLinkStore(database);
  return {
    accountConnections,
    consents,
    connectLinks: createConnectLinks({ ...parts, store, consents, accountConnections, publicUrl }),
  };
}
