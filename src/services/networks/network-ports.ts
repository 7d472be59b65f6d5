import type { EditablePath } from '../../domain/rules/edit-rules.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { AccountType, Network } from '../../domain/networks/networks.js';
import type { Account, Post } from '../../domain/posts/post.js';

/** What a network asks for to act for an account, as JSON; each adapter says and checks which keys. Never logged, never in a job. */
export type Credentials = Readonly<Record<string, string>>;

/** One edit of a published post: the post as it shall be, and which of its live fields may differ from what is there. */
export interface NetworkEdit {
  readonly account: Account;
  readonly credentials: Credentials;
  /** The network's own id of the post. */
  readonly remoteId: string;
  readonly post: Post;
  /** Never empty. In doubt: every field the network shows. */
  readonly changed: ReadonlySet<EditablePath>;
}

export interface NetworkFailure {
  readonly kind: 'failed';
  readonly code: NetworkFailureCode;
  /** One sentence for the user, with what the network itself said; never a secret. */
  readonly message: string;
  /** The pause that the network asks for, in milliseconds. */
  readonly retryAfterMs?: number;
}
export type EditResult = { readonly kind: 'edited' } | NetworkFailure;

/** Whose credentials they are, as the network says. */
export interface ConnectedAccount {
  readonly kind: 'connected';
  readonly socialId: string;
  readonly name: string;
  readonly type: AccountType;
  readonly picture: string | null;
}

/** One thing that `accounts connect` has to be told. */
export interface CredentialField {
  readonly name: string;
  readonly meaning: string;
  /** Never shown and never taken from a command line's history: asked for or read from the environment. */
  readonly secret: boolean;
  /** Whether it may be left empty. */
  readonly optional?: boolean;
}

/** The back door to one social network. Every answer within 30 seconds; safe to call again with the same edit. */
export interface NetworkAdapter {
  /** Whether it was ever tried against the network itself. */
  readonly verified: boolean;
  /** What else there is to know, for people; null where there is nothing. */
  readonly note: string | null;
  readonly credentialFields: readonly CredentialField[];
  edit(edit: NetworkEdit): Promise<EditResult>;
  /** Asks the network whose these are, changing nothing. */
  check(credentials: Credentials): Promise<ConnectedAccount | NetworkFailure>;
}

/** The adapters of the networks that can be edited; the others change labels only, in the service's own records (rule 3). */
export type Networks = Readonly<Partial<Record<Network, NetworkAdapter>>>;

/** Credentials at rest are sealed. */
export interface CredentialStore {
  /**
   * Null where the account was never connected; an error where they are there and cannot be opened with the keys at hand,
   * which says what an operator has to do.
   */
  open(accountId: string): Promise<Credentials | Error | null>;
  seal(accountId: string, credentials: Credentials): Promise<void>;
}
