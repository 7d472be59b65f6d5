import { canManageConnections } from '../../domain/access/viewer.js';
import { CONNECT_LINK_LIMITS, type ConnectLink } from '../../domain/connections/connect-link.js';
import type { Connection } from '../../domain/connections/connection.js';
import type { ConsentWay } from '../../domain/connections/oauth-rules.js';
import { enumKeys } from '../../domain/enums.js';
import { GatewayError } from '../../domain/errors.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { isPrefixedId } from '../../domain/posts/post.js';
import type { AccountStore } from '../../persistence/credentials/account-store.js';
import type { ConnectLinkStore } from '../../persistence/credentials/connect-links.js';
import { linkSecrets } from '../access/link-secret.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import {
  refuseConnection,
  roleRefusal,
  type AccountConnections,
  type ConnectionOutcome,
} from './account-connections.js';
import type { Browser, ConnectOffer, ConsentManager, Consents } from './consents.js';

/** Path of the page that a link opens. */
export const CONNECT_LINK_PAGE = '/connect/link';

/** A person with a link, who acts for the member who created it and can do nothing else. */
export interface LinkHolder {
  readonly link: Omit<ConnectLink, 'revoked'>;
  readonly workspaceName: string;
  readonly manager: ConsentManager;
}

/** How accounts of a network can be connected with a link. */
interface LinkOffer extends Pick<ConnectOffer, 'connects' | 'credentials'> {
  readonly network: Network;
}

/** A connection that a link started, and the names of the connected accounts. */
interface LinkConnection {
  readonly connection: Connection;
  readonly names: readonly string[];
}

/** Links with which people without an API key connect accounts to one workspace (D83). */
export interface ConnectLinks {
  /** Those that can be used. @throws GatewayError FORBIDDEN for other roles */
  list(manager: ConsentManager): Promise<readonly ConnectLink[]>;
  /**
   * `networks`: by default, all that can be connected. `expiresAt`: by default, in 24 hours, which
   * is also the longest. `url` contains the secret of the link, which is not stored.
   */
  create(
    manager: ConsentManager,
    request: { readonly networks: readonly Network[] | null; readonly expiresAt: Date | null },
  ): Promise<ConnectionOutcome<{ readonly link: ConnectLink; readonly url: string }>>;
  /** From the next request on, the link can do nothing, and what it started is not completed. */
  revoke(
    manager: ConsentManager,
    id: string,
  ): Promise<ConnectionOutcome<{ readonly link: ConnectLink }>>;

  /** The holder of a link with this secret; null if it is unknown, expired or revoked. */
  open(secret: string): Promise<LinkHolder | null>;
  /** How accounts can be connected with the link. What the operator has not set up is left out. */
  offers(holder: LinkHolder): readonly LinkOffer[];
  start(
    holder: LinkHolder,
    request: {
      readonly network: Network;
      readonly server: string | null;
      readonly way: ConsentWay;
      readonly browser: Browser;
    },
  ): ReturnType<Consents['start']>;
  connect(
    holder: LinkHolder,
    request: { readonly network: Network; readonly credentials: Credentials },
  ): ReturnType<AccountConnections['connect']>;
  /** A connection that this link started; null if there is none. */
  find(holder: LinkHolder, id: string): Promise<LinkConnection | null>;
  finish(
    holder: LinkHolder,
    id: string,
    choices: readonly string[],
  ): Promise<ConnectionOutcome<LinkConnection>>;
}

interface ConnectLinkDependencies {
  readonly store: ConnectLinkStore;
  readonly consents: Consents;
  readonly accountConnections: AccountConnections;
  readonly accounts: Pick<AccountStore, 'find'>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** URL of the gateway for browsers, without a slash at its end. */
  readonly publicUrl: () => string;
}

const SECRETS = linkSecrets('spl');

/** Creates the use cases of connect links. */
export function createConnectLinks({
  store,
  consents,
  accountConnections,
  accounts,
  ids,
  clock,
  publicUrl,
}: ConnectLinkDependencies): ConnectLinks {
  const canBeConnected = (network: Network): boolean => consents.offer(network).connects.length > 0;

  /** Why an input creates no link; null if it does. */
  function createRefusal(networks: readonly Network[], expiresAt: Date, latest: Date) {
    const [none] = networks.filter((network) => !canBeConnected(network));
    if (networks.length === 0)
      return refuseConnection('RULE_VIOLATION', 'networks must contain at least one network.', [
        'networks',
      ]);
    if (none)
      return refuseConnection(
        'RULE_VIOLATION',
        `${NETWORKS[none].name} accounts cannot be connected.`,
        ['networks'],
      );
    return expiresAt <= clock.now() || expiresAt > latest
      ? refuseConnection('RULE_VIOLATION', 'expiresAt must be within the next 24 hours.', [
          'expiresAt',
        ])
      : null;
  }

  const refuseNetwork = ({ link }: LinkHolder, network: Network) =>
    link.networks.includes(network)
      ? null
      : refuseConnection(
          'FORBIDDEN',
          `This link does not connect accounts on ${NETWORKS[network].name}.`,
          ['network'],
        );

  async function withNames(
    { manager: { workspace } }: LinkHolder,
    connection: Connection,
  ): Promise<LinkConnection> {
    const found = await Promise.all(
      connection.accountIds.map((id) => accounts.find({ id, workspaceId: workspace.id })),
    );
    return { connection, names: found.flatMap((account) => (account ? [account.name] : [])) };
  }

  return {
    list({ workspace, role }) {
      if (!canManageConnections(role)) throw new GatewayError('FORBIDDEN');
      return store.list(workspace.id, clock.now());
    },

    async create(manager, { networks, expiresAt }) {
      const { workspace, user, actor } = manager;
      const refusal = roleRefusal(manager);
      if (refusal) return refusal;
      const latest = new Date(clock.now().getTime() + CONNECT_LINK_LIMITS.lifetimeMs);
      const link: ConnectLink = {
        id: ids.prefixed('lnk'),
        networks: [...new Set(networks ?? enumKeys<Network>(NETWORKS).filter(canBeConnected))],
        expiresAt: expiresAt ?? latest,
        revoked: false,
      };
      const inputRefusal = createRefusal(link.networks, link.expiresAt, latest);
      if (inputRefusal) return inputRefusal;
      const { secret, hash } = SECRETS.create();
      const isCreated = await store.create(
        {
          ...link,
          workspaceId: workspace.id,
          userId: user.id,
          keyId: actor.keyId,
          tokenHash: hash,
        },
        CONNECT_LINK_LIMITS.perWorkspace,
      );
      return isCreated
        ? // The fragment of an address is not sent, so that no log contains the secret.
          { kind: 'done', link, url: `${publicUrl()}${CONNECT_LINK_PAGE}#${secret}` }
        : refuseConnection(
            'RULE_VIOLATION',
            `The workspace has ${CONNECT_LINK_LIMITS.perWorkspace} links. Revoke one first.`,
          );
    },

    async revoke(manager, id) {
      const refusal = roleRefusal(manager);
      if (refusal) return refusal;
      const link = isPrefixedId('lnk', id)
        ? await store.revoke(manager.workspace.id, id, clock.now())
        : null;
      return link
        ? { kind: 'done', link }
        : refuseConnection(
            'RULE_VIOLATION',
            `The workspace has no connect link ${JSON.stringify(id)}.`,
            ['id'],
          );
    },

    async open(secret) {
      const hash = SECRETS.hashOf(secret);
      const found = hash && (await store.open(hash));
      if (!found) return null;
      const { workspaceId, workspaceName, userId, role, ...link } = found;
      const actor = { userId, keyId: null, api: 'link' } as const;
      const manager = {
        workspace: { id: workspaceId },
        user: { id: userId },
        role,
        actor,
        linkId: link.id,
      };
      return { link, workspaceName, manager };
    },

    offers: ({ link }) =>
      link.networks
        .map((network) => {
          const { connects, configured, credentials } = consents.offer(network);
          const possible = connects.filter((method) => method !== 'oauth' || configured);
          return { network, connects: possible, credentials };
        })
        .filter(({ connects }) => connects.length > 0),

    async start(holder, { network, server, way, browser }) {
      const refusal = refuseNetwork(holder, network);
      if (refusal) return refusal;
      // A person could otherwise be made to give consent for a link of another one.
      if (browser.origin !== new URL(publicUrl()).origin)
        return refuseConnection('FORBIDDEN', 'A link starts connections on its own page only.');
      const returnUrl = `${publicUrl()}${CONNECT_LINK_PAGE}`;
      return consents.start(holder.manager, {
        network,
        server,
        way,
        accountId: null,
        returnUrl,
        browser,
      });
    },

    connect: async (holder, { network, credentials }) =>
      refuseNetwork(holder, network) ??
      accountConnections.connect(holder.manager, { network, credentials }),

    async find(holder, id) {
      const connection = await consents.find(holder.manager, id);
      return connection && withNames(holder, connection);
    },

    async finish(holder, id, choices) {
      const outcome = await consents.finish(holder.manager, id, choices);
      return outcome.kind === 'refused'
        ? outcome
        : { kind: 'done', ...(await withNames(holder, outcome.connection)) };
    },
  };
}
