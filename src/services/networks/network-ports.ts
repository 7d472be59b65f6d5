import type {
  Credentials,
  EditablePath,
  AccountType,
  DeliveryGuarantee,
  PublicationHandle,
} from '../../domain/networks/network-definition.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account, Post } from '../../domain/posts/post.js';

/**
 * One edit of a published post: the saved post, and which of its live fields may differ on the
 * network.
 */
export interface NetworkEdit {
  readonly account: Account;
  readonly credentials: Credentials;
  /** The network's ID of the post. */
  readonly remoteId: string;
  readonly post: Post;
  /** Never empty. If the live state is in doubt: every field that the network shows. */
  readonly changed: ReadonlySet<EditablePath>;
}

/** A call that failed on the network. */
export interface NetworkFailure {
  readonly kind: 'failed';
  readonly code: NetworkFailureCode;
  /** One sentence for the user, including the network's own message; contains no secret. */
  readonly message: string;
  /** The pause that the network requested, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The request did not reach the network: name look-up, refused connection or TLS. */
  readonly isUnsent?: boolean;
  /** The field of the post that the network did not accept. */
  readonly field?: string;
}
/** The content of a file, with its media type: lower case, without parameters. */
export interface FileContent {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reads the file of a media item that the service itself keeps. Null if the file is on another
 * server. @throws FileTooLargeError if the file has more than `maxBytes`
 */
export type ReadStoredMedia = (mediaId: string, maxBytes: number) => Promise<FileContent | null>;

/** Result of one edit on a network. */
export type EditResult = { readonly kind: 'edited' } | NetworkFailure;

/** The account that credentials belong to, as reported by the network. */
export interface ConnectedAccount {
  readonly kind: 'connected';
  readonly socialId: string;
  readonly name: string;
  readonly type: AccountType;
  readonly picture: string | null;
}

/**
 * Adapter of one social network. Every call ends within 30 seconds; the same edit may be sent
 * again.
 */
export interface NetworkAdapter {
  /** A remark for users that depends on settings, after that of the network's definition. */
  readonly note?: string;
  edit(edit: NetworkEdit): Promise<EditResult>;
  /** Publishes posts; absent if the service publishes nothing on this network. */
  readonly publisher?: Publisher;
  /** Queries the network for the account of these credentials; changes nothing. */
  check(credentials: Credentials): Promise<ConnectedAccount | NetworkFailure>;
}

/** Adapters of the networks that the service calls, to publish or to edit posts. */
export type Networks = Readonly<Partial<Record<Network, NetworkAdapter>>>;

/** A post, and the account that it is published on. */
export interface PublicationTarget {
  readonly account: Account;
  readonly credentials: Credentials;
  readonly post: Post;
}

/** A post that is ready to be published with one call. */
export interface PreparedPost {
  readonly kind: 'prepared';
  readonly handle: PublicationHandle;
  readonly guarantee: DeliveryGuarantee;
}

/** A post that is public on its network. */
export interface LivePost {
  readonly kind: 'live';
  /** The network's ID of the post. */
  readonly remoteId: string;
  /** Null if the network has no address for it. */
  readonly url: string | null;
}

/**
 * Result of the call that publishes. `processing`: the network has the post; it is not public yet.
 */
export type PublishResult = LivePost | { readonly kind: 'processing' } | NetworkFailure;

/** What a network says about a post that may have been sent. */
export type LookResult =
  | LivePost
  | { readonly kind: 'not_there' }
  | { readonly kind: 'processing' }
  /** The network has no way to find out. */
  | { readonly kind: 'cannot_tell' }
  /** The question was not answered: asked again later. */
  | NetworkFailure;

/** A post that may have been sent. */
export interface SentPost extends PublicationTarget {
  readonly handle: PublicationHandle;
  /** When the call that publishes was started, at the earliest. */
  readonly sentAt: Date;
}

/**
 * Publishes posts on one network (D53). Each call ends within 30 seconds. The four calls differ in
 * what may be repeated, because a post must not appear twice.
 */
export interface Publisher {
  /**
   * Uploads media and creates what the network needs first. Makes nothing public, so that it may be
   * called again after a failure. Returns the handle with which the post is published and found.
   * With the guarantee `exact`, the same post and time always get the same handle: after a backup
   * is restored, the post is found by it even though the attempt that sent it is lost.
   */
  prepare(target: PublicationTarget): Promise<PreparedPost | NetworkFailure>;
  /**
   * The one request that makes the post public. Called again with the same handle only if the
   * guarantee is `exact` and `look` said `not_there`. A failure is marked `isUnsent` if the request
   * did not reach the network.
   */
  publish(sent: SentPost): Promise<PublishResult>;
  /** Asks the network about the post. Changes nothing. */
  look(sent: SentPost): Promise<LookResult>;
  /** Deletes the post on the network; also succeeds if it is no longer there. */
  remove(live: {
    readonly account: Account;
    readonly credentials: Credentials;
    readonly remoteId: string;
    /** Document ID of the service's post, by which only the sandbox network knows it. */
    readonly postId: string;
  }): Promise<{ readonly kind: 'removed' } | NetworkFailure>;
}
