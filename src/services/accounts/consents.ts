import { createHash, randomBytes } from 'node:crypto';
import type { Viewer } from '../../domain/access/viewer.js';
import type { ConnectMethod } from '../../domain/connections/account-connection.js';
import {
  CONNECTION_LIMITS,
  type Connection,
  type ConnectionChoice,
  type ConnectionError,
} from '../../domain/connections/connection.js';
import { CONNECT_LINK_LIMITS } from '../../domain/connections/connect-link.js';
import type { AppClient, ConsentWay, OauthApp } from '../../domain/connections/oauth-rules.js';
import { parseUrl } from '../../domain/input/urls.js';
import {
  credentialFieldsOf,
  NETWORKS,
  type CredentialField,
  type Network,
} from '../../domain/networks/networks.js';
import { isPrefixedId, type Account } from '../../domain/posts/post.js';
import type {
  ConnectionEnd,
  ConnectionStarter,
  PendingConnections,
  ReturnedConnection,
} from '../../persistence/credentials/pending-connections.js';
import type { ServerClients } from '../../persistence/credentials/server-clients.js';
import {
  connectIdentities,
  connectRefusal,
  refuseConnection,
  roleRefusal,
  toConnectionManager,
  type AccountConnectionDependencies,
  type ConnectionManager,
  type ConnectionOutcome,
} from './account-connections.js';
import type {
  ConsentFailure,
  ConsentNetwork,
  ConsentNetworks,
  GrantedIdentity,
} from './consent-ports.js';

/** A member who connects accounts by consent, or a link that acts for one. */
export interface ConsentManager extends ConnectionManager {
  readonly user: { readonly id: string };
  readonly linkId: string | null;
}

/** A viewer as a member who connects accounts. */
export const toConsentManager = (viewer: Viewer): ConsentManager => ({
  ...toConnectionManager(viewer),
  user: viewer.user,
  linkId: null,
});

const toStarter = ({ workspace, user, linkId }: ConsentManager): ConnectionStarter => ({
  workspaceId: workspace.id,
  userId: user.id,
  linkId,
});

/** A connection that a member starts. */
export interface StartRequest {
  readonly network: Network;
  /** Address of the server, for networks with servers. */
  readonly server: string | null;
  readonly way: ConsentWay;
  /** The account to reconnect. */
  readonly accountId: string | null;
  readonly returnUrl: string | null;
  readonly browser: Browser;
}

/** The browser of a request. */
export interface Browser {
  /** The origin of the page that sent the request; null if it was no page. */
  readonly origin: string | null;
  readonly cookies: Readonly<Record<string, string>>;
}

/** A cookie of the gateway's host, which no other host can set or get. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  /** Whether it is sent over HTTPS only. */
  readonly isSecure: boolean;
  readonly maxAgeMs: number;
}

/** A connection, and the page of the network that asks for consent. */
export interface StartedConnection {
  readonly connection: Connection;
  readonly authorizeUrl: string;
  /**
   * For the browser that started it on a page of the gateway, and has to complete it; null if
   * another client started it.
   */
  readonly browserCookie: BrowserCookie | null;
}

/** How accounts of a network can be connected in this gateway. */
export interface ConnectOffer {
  readonly connects: readonly ConnectMethod[];
  /** Whether the operator has set up all that the methods need. */
  readonly configured: boolean;
  /** Address to register as the redirect URI of the app; null if the network has no apps. */
  readonly redirectUrl: string | null;
  /** The settings that the operator has to set before people can give consent. */
  readonly missingSettings: readonly string[];
  /** What `connect` takes. */
  readonly credentials: readonly CredentialField[];
}

/** Connections of accounts by consent on a page of the network (D83). */
export interface Consents {
  offer(network: Network): ConnectOffer;
  start(
    manager: ConsentManager,
    request: StartRequest,
  ): Promise<ConnectionOutcome<StartedConnection>>;
  /** The connection that this member or link started; null if there is none. */
  find(manager: ConsentManager, id: string): Promise<Connection | null>;
  /** Connects accounts that a connection offers: all of them or none. */
  finish(
    manager: ConsentManager,
    id: string,
    choices: readonly string[],
  ): Promise<
    ConnectionOutcome<{ readonly connection: Connection; readonly accounts: readonly Account[] }>
  >;
  /**
   * Takes a person back who comes from the page of a network with these parameters. A connection
   * that was started on a page of the gateway is only completed in the same browser: else its
   * address could be given to another person, whose account would be connected (D83). Returns the
   * address where they go on.
   */
  comeBack(parameters: Readonly<Record<string, string>>, browser: Browser): Promise<string>;
}

export interface ConsentDependencies extends Pick<
  AccountConnectionDependencies,
  'accounts' | 'accountStatus' | 'credentials' | 'ids' | 'clock'
> {
  readonly networks: ConsentNetworks;
  readonly pending: PendingConnections;
  readonly serverClients: ServerClients;
  /** The client of an app of the operator; null if it is not configured. */
  readonly appClient: (app: OauthApp) => AppClient | null;
  /** URL of the gateway for browsers, without a slash at its end. */
  readonly publicUrl: () => string;
  /** Origins to which people may be sent back. The gateway's own is one. */
  readonly returnOrigins: readonly string[];
  /** Logs an error that the operator has to look at. */
  readonly logError: (error: unknown, message: string) => void;
}

/** Path at which people come back from the pages of networks. */
export const CALLBACK_PATH = '/connect/callback';
/** The gateway's own page of connections. */
const CONNECT_PAGE = '/connect';

/** 256 random bits. */
const SECRET_BYTES = 32;
const createSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');
const hashOf = (secret: string): Uint8Array => createHash('sha256').update(secret).digest();

const COOKIE_NAME = 'posts-gateway-connect';
const COOKIE_VALUE = /^[\w-]{43}$/;

/** The accounts that a person can choose from, with what they are connected with. */
type Offered = readonly (GrantedIdentity & { readonly choiceId: string })[];

const isFailure = (value: object | string): value is ConsentFailure =>
  typeof value === 'object' && 'kind' in value && value.kind === 'failed';

const LOST: ConnectionError = {
  code: 'CONNECTION_EXPIRED',
  message: 'The connection was not completed within 10 minutes. Start again.',
};

/** Creates the use cases of connections by consent. */
export function createConsents(dependencies: ConsentDependencies): Consents {
  const { networks, pending, serverClients, appClient, accounts, ids, clock } = dependencies;
  const redirectUri = (): string => `${dependencies.publicUrl()}${CALLBACK_PATH}`;
  const expiry = (): Date => new Date(clock.now().getTime() + CONNECTION_LIMITS.lifetimeMs);

  const ownOrigin = (): string => new URL(dependencies.publicUrl()).origin;

  /** The cookie of a browser, empty if it has none. Other hosts cannot set one with the prefix. */
  function cookieOf({ cookies }: Browser): BrowserCookie {
    const isSecure = ownOrigin().startsWith('https:');
    const name = isSecure ? `__Host-${COOKIE_NAME}` : COOKIE_NAME;
    const value = cookies[name] ?? '';
    return { name, value, isSecure, maxAgeMs: CONNECTION_LIMITS.lifetimeMs };
  }
  /** The cookie of all connections that a browser has open. */
  function renewCookie(browser: Browser): BrowserCookie {
    const cookie = cookieOf(browser);
    return COOKIE_VALUE.test(cookie.value) ? cookie : { ...cookie, value: createSecret() };
  }

  /** Why a person may not be sent back to an address; null if they may. */
  function returnProblem(text: string): string | null {
    const url = text.length <= CONNECTION_LIMITS.urlLength ? parseUrl(text) : null;
    const own = ownOrigin();
    return url &&
      url.username + url.password === '' &&
      [own, ...dependencies.returnOrigins].includes(url.origin)
      ? null
      : `returnUrl must be a URL of ${[own, ...dependencies.returnOrigins].join(', ')}. The setting CONNECT_RETURN_ORIGINS allows more.`;
  }

  /** The client that the network knows the gateway as. */
  async function findClient(
    network: Network,
    { way, server }: { way: ConsentWay; server: string | null },
  ): Promise<{ readonly client: AppClient | null } | ConsentFailure> {
    const { ways, register } = networks[network]!;
    const app = ways[way]!;
    if (app !== null) return { client: appClient(app) };
    if (!register) return { client: null };
    const of = { network, server: server!, redirectUri: redirectUri() };
    const known = await serverClients.find(of);
    if (known) return { client: known };
    const registered = await register(server!, of.redirectUri);
    if (isFailure(registered)) return registered;
    return { client: await serverClients.keep(ids.prefixed('srv'), of, registered) };
  }

  /** The network and the server of a request, or why it is refused. */
  async function readStart(
    manager: ConsentManager,
    { network, server, way, accountId, returnUrl }: StartRequest,
  ): Promise<
    | { readonly flow: ConsentNetwork; readonly server: string | null }
    | ReturnType<typeof refuseConnection>
  > {
    const { name } = NETWORKS[network];
    const flow = networks[network];
    if (!flow)
      return refuseConnection(
        'RULE_VIOLATION',
        `${name} accounts are connected by credentials: use connectAccount.`,
        ['network'],
      );
    const app = flow.ways[way];
    if (app === undefined)
      return refuseConnection(
        'RULE_VIOLATION',
        `login: ${name} accounts cannot be connected in this way.`,
        ['login'],
      );
    if (app !== null && !appClient(app))
      return refuseConnection(
        'NOT_CONFIGURED',
        `The gateway has no app at ${name}. Its operator has to register one with the redirect address ${redirectUri()}, and set ${app}_CLIENT_ID and ${app}_CLIENT_SECRET.`,
        ['network'],
      );
    const problem = returnUrl === null ? null : returnProblem(returnUrl);
    if (problem !== null) return refuseConnection('RULE_VIOLATION', problem, ['returnUrl']);
    const refusal = accountId === null ? null : await accountRefusal(manager, network, accountId);
    if (refusal) return refusal;
    if (!flow.readServer)
      return server === null
        ? { flow, server }
        : refuseConnection('RULE_VIOLATION', `${name} has no servers.`, ['server']);
    if (server === null)
      return refuseConnection('RULE_VIOLATION', `server is required for ${name}.`, ['server']);
    const url = flow.readServer(server);
    return isFailure(url)
      ? refuseConnection(url.code, `server: ${url.message}`, ['server'])
      : { flow, server: url as string };
  }

  async function accountRefusal(
    { workspace }: ConsentManager,
    network: Network,
    accountId: string,
  ): Promise<ReturnType<typeof refuseConnection> | null> {
    const account = isPrefixedId('acc', accountId)
      ? await accounts.find({ id: accountId, workspaceId: workspace.id })
      : null;
    const path = ['accountId'];
    if (!account)
      return refuseConnection(
        'RULE_VIOLATION',
        `The workspace has no account ${JSON.stringify(accountId)}.`,
        path,
      );
    return account.network === network && !account.sandbox
      ? null
      : refuseConnection(
          'WRONG_IDENTITY',
          account.sandbox
            ? `${accountId} is on the sandbox network, so that it needs no connection.`
            : `${accountId} is an account on ${NETWORKS[account.network].name}, not on ${NETWORKS[network].name}.`,
          path,
        );
  }

  /** The identities that may be connected: all, or the one of the account to reconnect. */
  async function findOffered(
    { accountId }: ReturnedConnection,
    identities: readonly GrantedIdentity[],
  ): Promise<Offered> {
    const account = accountId === null ? null : await accounts.find({ id: accountId });
    const own = account?.connectedAt
      ? identities.filter(({ identity }) => identity.socialId === account.socialId)
      : identities;
    return own
      .slice(0, CONNECTION_LIMITS.choices)
      .map((identity, index) => ({ ...identity, choiceId: String(index + 1) }));
  }

  async function toChoices(
    { workspaceId, network }: ReturnedConnection,
    offered: Offered,
  ): Promise<ConnectionChoice[]> {
    const choices: ConnectionChoice[] = [];
    for (const { choiceId, identity } of offered) {
      const { socialId, name, type, picture } = identity;
      const account = await accounts.find({ workspaceId, network, socialId });
      const accountId = account && !account.sandbox ? account.id : null;
      choices.push({ id: choiceId, name, kind: type, picture, accountId });
    }
    return choices;
  }

  /** Connects identities, as the member who started the connection. */
  const connectChosen = (
    manager: ConnectionManager,
    { network, accountId }: { network: Network; accountId: string | null },
    chosen: readonly GrantedIdentity[],
  ) =>
    connectIdentities(dependencies, manager, {
      target: { network, accountId, path: ['choices'] },
      identities: chosen.map((identity) => ({ ...identity, method: 'oauth' })),
    });

  /** What becomes of a connection whose person came back. */
  async function complete(
    returned: ReturnedConnection,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ConnectionEnd<Offered>> {
    const { network, way, server, workspaceId, actor, accountId, secrets } = returned;
    const failed = ({ code, message }: ConnectionError): ConnectionEnd<Offered> => ({
      status: 'failed',
      error: { code, message },
    });
    const found = await findClient(network, { way, server });
    if (isFailure(found)) return failed(found);
    const { client } = found as { client: AppClient | null };
    const granted = await networks[network]!.complete({
      way,
      server,
      client,
      redirectUri: returned.redirectUri,
      secrets,
      parameters,
    });
    if (granted.kind === 'failed') return failed(granted);
    const offered = await findOffered(returned, granted.identities);
    if (offered.length === 0)
      return failed({
        code: 'WRONG_IDENTITY',
        message: `You gave consent for another account on ${NETWORKS[network].name} than the one to reconnect.`,
      });
    if (offered.length > 1)
      return {
        status: 'choose',
        choices: await toChoices(returned, offered),
        secret: offered,
        expiresAt: expiry(),
      };
    const manager = { workspace: { id: workspaceId }, role: 'owner' as const, actor };
    const outcome = await connectChosen(manager, { network, accountId }, offered);
    return outcome.kind === 'refused'
      ? failed(outcome.refusals[0])
      : { status: 'connected', accountIds: outcome.connected.map(({ account }) => account.id) };
  }

  /** The address where a person goes on. */
  function continueAt(
    returnUrl: string | null,
    result: { readonly id: string | null; readonly status: string; readonly code: string | null },
  ): string {
    const url = new URL(returnUrl ?? `${dependencies.publicUrl()}${CONNECT_PAGE}`);
    if (result.id !== null) url.searchParams.set('connection', result.id);
    url.searchParams.set('status', result.status);
    if (result.code !== null) url.searchParams.set('code', result.code);
    return url.href;
  }

  return {
    offer(network) {
      const flow = networks[network];
      const apps = Object.values(flow?.ways ?? {}).filter((app) => app !== null);
      const configured = apps.length === 0 || apps.some((app) => appClient(app) !== null);
      const credentials = credentialFieldsOf(network);
      return {
        connects: [
          ...(flow ? (['oauth'] as const) : []),
          ...(credentials.length > 0 ? (['credentials'] as const) : []),
        ],
        configured,
        redirectUrl: apps.length === 0 ? null : redirectUri(),
        missingSettings: configured ? [] : [`${apps[0]}_CLIENT_ID`, `${apps[0]}_CLIENT_SECRET`],
        credentials,
      };
    },

    async start(manager, request) {
      const refusal = await connectRefusal(manager, dependencies);
      if (refusal) return refusal;
      const read = await readStart(manager, request);
      if ('kind' in read) return read;
      const { flow, server } = read;
      const { linkId } = manager;
      const { network, way, accountId, returnUrl, browser } = request;
      const found = await findClient(network, { way, server });
      if (isFailure(found)) return refuseConnection(found.code, found.message, ['server']);
      const { client } = found as { client: AppClient | null };
      const state = createSecret();
      const asked = await flow.ask({ way, server, client, redirectUri: redirectUri(), state });
      if (asked.kind === 'failed') return refuseConnection(asked.code, asked.message, ['server']);
      const start = {
        id: ids.prefixed('con'),
        workspaceId: manager.workspace.id,
        actor: { ...manager.actor, userId: manager.user.id },
        network,
        way,
        server,
        accountId,
        linkId,
        returnUrl,
        redirectUri: redirectUri(),
        expiresAt: expiry(),
      };
      const max = linkId
        ? CONNECT_LINK_LIMITS.startedPerLink
        : CONNECTION_LIMITS.startedPerWorkspace;
      const { secrets } = asked;
      const browserCookie = browser.origin === ownOrigin() ? renewCookie(browser) : null;
      const browserHash = browserCookie && hashOf(browserCookie.value);
      if (!(await pending.start(start, { stateHash: hashOf(state), browserHash, secrets }, max)))
        return refuseConnection(
          'RATE_LIMITED',
          `The ${linkId ? 'link' : 'workspace'} has started ${max} connections within 10 minutes that were not completed. Try again later.`,
        );
      const connection: Connection = {
        id: start.id,
        network,
        status: 'started',
        expiresAt: start.expiresAt,
        choices: [],
        accountIds: [],
        error: null,
      };
      return { kind: 'done', connection, authorizeUrl: asked.authorizeUrl, browserCookie };
    },

    find: async (manager, id) =>
      roleRefusal(manager) === null && isPrefixedId('con', id)
        ? pending.find(toStarter(manager), id)
        : null,

    async finish(manager, id, choices) {
      const refusal = await connectRefusal(manager, dependencies);
      if (refusal) return refusal;
      const connection = isPrefixedId('con', id)
        ? await pending.find(toStarter(manager), id)
        : null;
      if (!connection)
        return refuseConnection('CONNECTION_NOT_FOUND', 'There is no such connection.', ['id']);
      const open = connection.status === 'choose' ? await pending.openChoices<Offered>(id) : null;
      if (!open)
        return connection.status === 'expired' || connection.status === 'choose'
          ? refuseConnection(LOST.code, LOST.message, ['id'])
          : refuseConnection('RULE_VIOLATION', 'The connection does not wait for a choice.', [
              'id',
            ]);
      const wanted = [...new Set(choices)];
      const chosen = open.secret
        .filter(({ choiceId }) => wanted.includes(choiceId))
        // Stored as JSON, in which times are texts.
        .map((identity) => ({
          ...identity,
          expiresAt: identity.expiresAt && new Date(identity.expiresAt),
        }));
      if (wanted.length === 0 || chosen.length < wanted.length)
        return refuseConnection(
          'RULE_VIOLATION',
          `choices must be some of those that the connection offers: ${open.secret.map(({ choiceId }) => choiceId).join(', ')}.`,
          ['choices'],
        );
      if (open.accountId !== null && chosen.length > 1)
        return refuseConnection(
          'RULE_VIOLATION',
          'choices must be one, because one account is reconnected.',
          ['choices'],
        );
      const outcome = await connectChosen(
        manager,
        { network: connection.network, accountId: open.accountId },
        chosen,
      );
      if (outcome.kind === 'refused') return outcome;
      const connected = outcome.connected.map(({ account }) => account);
      const accountIds = connected.map((account) => account.id);
      await pending.end(id, { status: 'connected', accountIds });
      return {
        kind: 'done',
        connection: { ...connection, status: 'connected', accountIds },
        accounts: connected,
      };
    },

    async comeBack({ state = '', ...parameters }, browser) {
      const stateHash = hashOf(state);
      const browserHash = hashOf(cookieOf(browser).value);
      const returned = await pending.take(stateHash, browserHash);
      if (!returned) {
        const known = await pending.findKnown(stateHash, browserHash);
        if (known?.isSameBrowser === false)
          return continueAt(known.returnUrl, { id: null, status: 'failed', code: 'FORBIDDEN' });
        const isDone = known?.status === 'connected' || known?.status === 'choose';
        return continueAt(known?.returnUrl ?? null, {
          id: known?.id ?? null,
          status: isDone ? known.status : 'failed',
          code: isDone ? null : (known?.errorCode ?? LOST.code),
        });
      }
      const { id, returnUrl } = returned;
      const end = await complete(returned, parameters).catch(
        (error: unknown): ConnectionEnd<Offered> => {
          dependencies.logError(error, 'Failed to complete a connection');
          return {
            status: 'failed',
            error: {
              code: 'INTERNAL_SERVER_ERROR',
              message: 'The gateway could not complete the connection. Start again.',
            },
          };
        },
      );
      await pending.end(id, end);
      return continueAt(returnUrl, {
        id,
        status: end.status,
        code: end.status === 'failed' ? end.error.code : null,
      });
    },
  };
}
