import type { Account, Post } from '../../domain/posts/post.js';
import type {
  Credentials,
  CredentialStore,
  NetworkAdapter,
  NetworkFailure,
  Networks,
} from './network-ports.js';

export interface EditTargetDependencies {
  readonly networks: Networks;
  /** Adapter for the posts of sandbox accounts of all networks. */
  readonly sandbox: NetworkAdapter;
  readonly credentials: Pick<CredentialStore, 'open'>;
  /** Logs an error that an operator has to fix. */
  readonly logError: (message: string) => void;
}

/**
 * Where and how to edit a post on its network: adapter, credentials and the network's ID of the
 * post.
 */
export interface EditTarget {
  readonly kind: 'resolved';
  readonly adapter: NetworkAdapter;
  readonly account: Account;
  readonly credentials: Credentials;
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

/** Creates a resolver of edit targets. Posts of sandbox accounts use the sandbox adapter. */
export const createEditTargetResolver =
  (dependencies: EditTargetDependencies): ResolveEditTarget =>
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
    // The sandbox requires no credentials and identifies posts by their document ID.
    if (account.sandbox)
      return { kind: 'resolved', adapter, account, credentials: {}, remoteId: post.id };
    const credentials = await dependencies.credentials.open(account.id);
    if (credentials instanceof Error) {
      dependencies.logError(credentials.message);
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
    return { kind: 'resolved', adapter, account, credentials, remoteId: post.remoteId };
  };

const adapterFor = (
  { networks, sandbox }: EditTargetDependencies,
  account: Account,
): NetworkAdapter | null => (account.sandbox ? sandbox : networks[account.network]) ?? null;
