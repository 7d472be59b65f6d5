import type { Account, Post } from '../../domain/posts/post.js';
import type {
  Credentials,
  CredentialStore,
  NetworkAdapter,
  NetworkFailure,
  Networks,
} from './network-ports.js';

export interface ConnectionParts {
  readonly networks: Networks;
  /** What edits the posts of sandbox accounts, whatever their network. */
  readonly sandbox: NetworkAdapter;
  readonly credentials: Pick<CredentialStore, 'open'>;
  /** Tells those who run the service what they have to mend, in one line. */
  readonly alert: (message: string) => void;
}

/** How a post's network is spoken to. */
export interface NetworkConnection {
  readonly kind: 'connected';
  readonly adapter: NetworkAdapter;
  readonly account: Account;
  readonly credentials: Credentials;
  readonly remoteId: string;
}

/** The way to a published post on its network, or why there is none. */
export type ConnectionTo = (post: Post) => Promise<NetworkConnection | NetworkFailure>;

const failure = (code: NetworkFailure['code'], message: string): NetworkFailure => ({
  kind: 'failed',
  code,
  message,
});

export const createConnections =
  (parts: ConnectionParts): ConnectionTo =>
  async (post) => {
    const { account } = post;
    const adapter = account && adapterFor(parts, account);
    if (!account || !adapter)
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The service cannot edit posts on ${post.network ?? 'no network'}.`,
      );
    // The sandbox needs no credentials, and knows a post by the id that we show.
    if (account.sandbox)
      return { kind: 'connected', adapter, account, credentials: {}, remoteId: post.id };
    const credentials = await parts.credentials.open(account.id);
    if (credentials instanceof Error) {
      parts.alert(credentials.message);
      return failure(
        'NETWORK_NOT_CONNECTED',
        `The service cannot open the credentials of the account ${account.name}; its operator finds the reason in the log.`,
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
        `The service was never told which post of ${post.network} this is.`,
      );
    return { kind: 'connected', adapter, account, credentials, remoteId: post.remoteId };
  };

const adapterFor = (
  { networks, sandbox }: ConnectionParts,
  account: Account,
): NetworkAdapter | null => (account.sandbox ? sandbox : networks[account.network]) ?? null;
