import type { Account, Post } from '../../domain/posts/post.js';
import type {
  Credentials,
  CredentialStore,
  NetworkAdapter,
  NetworkFailure,
  Networks,
} from './network-ports.js';

export interface ConnectionDependencies {
  readonly networks: Networks;
  /** Adapter for the posts of sandbox accounts of all networks. */
  readonly sandbox: NetworkAdapter;
  readonly credentials: Pick<CredentialStore, 'open'>;
  /** Logs one line about a problem that the operator has to fix. */
  readonly alert: (message: string) => void;
}

/** Everything needed to edit a post on its network. */
export interface NetworkConnection {
  readonly kind: 'connected';
  readonly adapter: NetworkAdapter;
  readonly account: Account;
  readonly credentials: Credentials;
  readonly remoteId: string;
}

/** Connects to the network of a published post, or returns why that is impossible. */
export type ConnectToNetwork = (post: Post) => Promise<NetworkConnection | NetworkFailure>;

const failure = (code: NetworkFailure['code'], message: string): NetworkFailure => ({
  kind: 'failed',
  code,
  message,
});

export const createConnections =
  (dependencies: ConnectionDependencies): ConnectToNetwork =>
  async (post) => {
    const { account } = post;
    const adapter = account && adapterFor(dependencies, account);
    if (!account || !adapter)
      return failure(
        'NETWORK_NOT_CONNECTED',
        post.network
          ? `The service cannot edit posts on ${post.network}.`
          : 'The post has no network.',
      );
    // The sandbox requires no credentials and identifies posts by their document id.
    if (account.sandbox)
      return { kind: 'connected', adapter, account, credentials: {}, remoteId: post.id };
    const credentials = await dependencies.credentials.open(account.id);
    if (credentials instanceof Error) {
      dependencies.alert(credentials.message);
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The service cannot decrypt the credentials of the account ${account.name}. The reason is in the server log.`,
      );
    }
    if (credentials === null)
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The account ${account.name} is not connected: the service has no credentials for it.`,
      );
    if (post.remoteId === null)
      return failure(
        'NETWORK_POST_UNKNOWN',
        `The service does not have the ID of this post on ${post.network}.`,
      );
    return { kind: 'connected', adapter, account, credentials, remoteId: post.remoteId };
  };

const adapterFor = (
  { networks, sandbox }: ConnectionDependencies,
  account: Account,
): NetworkAdapter | null => (account.sandbox ? sandbox : networks[account.network]) ?? null;
