import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { CredentialStore } from '../../persistence/credentials/credential-store.js';
import { withRenewal, type Replacement } from '../accounts/renewals.js';
import type { NetworkAdapter, NetworkFailure, Networks } from './network-ports.js';

export interface AccountConnectionDependencies {
  readonly networks: Networks;
  /** Adapter for the posts of sandbox accounts of all networks. */
  readonly sandbox: NetworkAdapter;
  readonly credentials: Pick<CredentialStore, 'open'>;
  /**
   * Renews the access to an account whose network has refused these credentials. Null if only a
   * person can.
   */
  readonly renew?: (account: Account, refused: Credentials) => Promise<Replacement | null>;
  /** Logs an error that an operator has to fix. */
  readonly logError: (message: string) => void;
}

/** How to call the network of an account: adapter and credentials. */
export interface AccountConnection {
  readonly kind: 'connected';
  readonly adapter: NetworkAdapter;
  readonly account: Account;
  readonly credentials: Credentials;
}

/**
 * Finds the adapter and the credentials of an account, or returns why it has none. Sends no request
 * to the network.
 */
export type ConnectAccount = (account: Account) => Promise<AccountConnection | NetworkFailure>;

/**
 * Where and how to edit a post on its network: adapter, credentials and the network's ID of the
 * post.
 */
export interface EditTarget extends Omit<AccountConnection, 'kind'> {
  readonly kind: 'resolved';
  readonly remoteId: string;
}

/**
 * Finds the edit target of a published post, or returns why it has none. Sends no request to the
 * network.
 */
export type ResolveEditTarget = (post: Post) => Promise<EditTarget | NetworkFailure>;

const failure = (code: NetworkFailure['code'], message: string): NetworkFailure => ({
  kind: 'failed',
  code,
  message,
});

/** Creates a resolver of connections. Sandbox accounts use the sandbox adapter. */
export const createAccountConnector =
  (dependencies: AccountConnectionDependencies): ConnectAccount =>
  async (account) => {
    const { networks, sandbox } = dependencies;
    // The sandbox requires no credentials.
    if (account.sandbox) return { kind: 'connected', adapter: sandbox, account, credentials: {} };
    const adapter = networks[account.network];
    if (!adapter)
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The gateway neither publishes nor edits posts on ${account.network}.`,
      );
    const credentials = await dependencies.credentials.open(account.id);
    if (credentials instanceof Error) {
      dependencies.logError(credentials.message);
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The gateway cannot decrypt the credentials of the account ${account.name}. The reason is in the server log.`,
      );
    }
    if (credentials === null)
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The account ${account.name} is not connected: the gateway has no credentials for it.`,
      );
    const { renew } = dependencies;
    return {
      kind: 'connected',
      adapter: renew ? withRenewal(adapter, (refused) => renew(account, refused)) : adapter,
      account,
      credentials,
    };
  };

/** Creates a resolver of edit targets. */
export const createEditTargetResolver =
  (connect: ConnectAccount): ResolveEditTarget =>
  async (post) => {
    if (!post.account) return failure('NETWORK_NOT_CONNECTED', 'The post has no network.');
    const connection = await connect(post.account);
    if (connection.kind === 'failed') return connection;
    // The sandbox identifies posts by their document ID.
    const remoteId = post.account.sandbox ? post.id : post.remoteId;
    return remoteId === null
      ? failure(
          'NETWORK_POST_UNKNOWN',
          `The gateway does not have the ID of this post on ${post.network}.`,
        )
      : { ...connection, kind: 'resolved', remoteId };
  };
