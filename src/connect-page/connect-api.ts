import { execute } from '../playground/fetcher.js';
import type { Credentials } from '../playground/credentials.js';
import checkAccount from './operations/check-account.graphql?raw';
import connectAccount from './operations/connect-account.graphql?raw';
import connectLinks from './operations/connect-links.graphql?raw';
import createConnectLink from './operations/create-connect-link.graphql?raw';
import revokeConnectLink from './operations/revoke-connect-link.graphql?raw';
import connectionQuery from './operations/connection.graphql?raw';
import disconnectAccount from './operations/disconnect-account.graphql?raw';
import finishConnection from './operations/finish-connection.graphql?raw';
import overview from './operations/overview.graphql?raw';
import startConnection from './operations/start-connection.graphql?raw';

/** How an account can be connected: with the consent of its owner, or by entered credentials. */
export type ConnectMethod = 'OAUTH' | 'CREDENTIALS';

/** Whether the gateway can use an account. */
export type Health = 'OK' | 'EXPIRING' | 'NEEDS_REAUTHORIZATION' | 'DISCONNECTED' | 'UNREACHABLE';

/** An account of the workspace. */
export interface Account {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly provider: string;
  readonly picture: string | null;
  readonly sandbox: boolean;
  /** Null for sandbox accounts, and for those that were never connected. */
  readonly connection: {
    readonly method: ConnectMethod;
    readonly health: Health;
    readonly message: string | null;
    readonly expiresAt: string | null;
    readonly renewsItself: boolean;
    readonly checkedAt: string | null;
  } | null;
}

/** A field of the credentials of a network. */
export interface CredentialField {
  readonly name: string;
  readonly description: string;
  readonly optional: boolean;
  readonly secret: boolean;
}

/** How accounts of a network are connected. */
export interface ConnectableNetwork {
  readonly network: string;
  readonly connects: readonly ConnectMethod[];
  /** Whether the operator has registered an app at the network, if it needs one. */
  readonly configured: boolean;
  /** The address that the operator registers; null if the network needs none. */
  readonly redirectUrl: string | null;
  /** The settings that the operator has to set. */
  readonly missingSettings: readonly string[];
  readonly credentials: readonly CredentialField[];
}

/** What the page shows. */
export interface Overview {
  readonly accounts: readonly Account[];
  readonly networks: readonly ConnectableNetwork[];
}

/** An account that the person who gave consent can connect. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly picture: string | null;
  readonly account: { readonly id: string } | null;
}

/** A connection by consent. */
export interface PendingConnection {
  readonly id: string;
  readonly network: string;
  readonly status: 'STARTED' | 'CHOOSE' | 'CONNECTED' | 'FAILED' | 'EXPIRED';
  readonly choices: readonly Choice[];
  readonly accounts: readonly { readonly name: string }[];
  readonly error: { readonly message: string } | null;
}

/** How people give consent: on the network itself, for pages of theirs, or through Facebook. */
export type ConsentWay = 'own' | 'pages' | 'facebook';

/** What to connect. */
export interface ConnectTarget {
  readonly network: string;
  /** Address of the Mastodon instance or WordPress blog; absent for other networks. */
  readonly server?: string | undefined;
  /** By default `own`. */
  readonly way?: ConsentWay | undefined;
  /** The account to connect again; absent for a new one. */
  readonly accountId?: string | undefined;
}

/** An address with which a person without a key connects their accounts. */
export interface ConnectLink {
  readonly id: string;
  readonly networks: readonly string[];
  readonly expiresAt: string;
}

type UserErrors = readonly { readonly message: string }[];

/**
 * The calls with which accounts are connected, by the key or the link of a page. All functions reject
 * with an Error for users.
 */
export interface ConnectingApi {
  connection(id: string): Promise<PendingConnection | null>;
  /** Returns the address of the network's page, on which the owner of the account consents. */
  start(target: ConnectTarget): Promise<string>;
  /** Connects the choices. Returns the names of the accounts. */
  finish(id: string, choices: readonly string[]): Promise<readonly string[]>;
  /** Returns the name of the account. */
  connectByCredentials(
    target: ConnectTarget,
    credentials: Readonly<Record<string, string>>,
  ): Promise<string>;
}

/** Calls the gateway with the key of the page. All functions reject with an Error for users. */
export interface ConnectApi extends ConnectingApi {
  overview(): Promise<Overview>;
  /** Returns what is wrong with the account; null if nothing is. */
  check(id: string): Promise<string | null>;
  disconnect(id: string): Promise<void>;
  /** The links that can be used; null if the user may not manage them. */
  links(): Promise<readonly ConnectLink[] | null>;
  /** Returns the address of a new link. Without a network, it connects accounts of all. */
  createLink(network: string | null): Promise<string>;
  revokeLink(id: string): Promise<void>;
}

/** Creates the calls of the page with a key. */
export function createConnectApi(credentials: Credentials): ConnectApi {
  async function query<Data>(text: string, variables: object = {}): Promise<Data> {
    const { data, errors } = await execute<Data>(credentials, { query: text, variables });
    const [error] = errors ?? [];
    if (error || !data) throw new Error(error?.message ?? 'The gateway returned no data.');
    return data;
  }
  /** The payload of a mutation. */
  async function change<Payload>(text: string, input: object): Promise<Payload> {
    const data = await query<Record<string, Payload & { userErrors: UserErrors }>>(text, { input });
    const [payload] = Object.values(data);
    const messages = payload!.userErrors.map(({ message }) => message);
    if (messages.length > 0) throw new Error(messages.join(' '));
    return payload!;
  }

  return {
    async overview() {
      const { accounts, networks } = await query<{
        accounts: Account[];
        networks: { network: string; adapter: Omit<ConnectableNetwork, 'network'> }[];
      }>(overview);
      return {
        accounts,
        networks: networks.map(({ network, adapter }) => ({ network, ...adapter })),
      };
    },
    connection: async (id) =>
      (await query<{ connection: PendingConnection | null }>(connectionQuery, { id })).connection,
    async start({ way, ...target }) {
      const { connection } = await change<{ connection: { authorizeUrl: string } }>(
        startConnection,
        {
          ...target,
          pages: way === 'pages',
          login: way === 'facebook' ? 'FACEBOOK' : undefined,
        },
      );
      return connection.authorizeUrl;
    },
    async finish(id, choices) {
      const { accounts } = await change<{ accounts: { name: string }[] }>(finishConnection, {
        id,
        choices,
      });
      return accounts.map(({ name }) => name);
    },
    async connectByCredentials({ network, accountId }, values) {
      const { account } = await change<{ account: { name: string } }>(connectAccount, {
        network,
        accountId,
        credentials: Object.entries(values).map(([name, value]) => ({ name, value })),
      });
      return account.name;
    },
    async check(id) {
      const { account } = await change<{ account: Pick<Account, 'connection'> }>(checkAccount, {
        id,
      });
      return account.connection?.message ?? null;
    },
    async disconnect(id) {
      await change(disconnectAccount, { id });
    },
    links: () =>
      query<{ connectLinks: readonly ConnectLink[] }>(connectLinks).then(
        (data) => data.connectLinks,
        () => null,
      ),
    async createLink(network) {
      const networks = network === null ? null : [network];
      return (await change<{ url: string }>(createConnectLink, { networks })).url;
    },
    async revokeLink(id) {
      await change(revokeConnectLink, { id });
    },
  };
}
