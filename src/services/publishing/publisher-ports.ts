import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { Credentials, NetworkFailure } from '../networks/network-ports.js';

/** A post, and the account that it is published on. */
export interface PublicationTarget {
  readonly account: Account;
  readonly credentials: Credentials;
  readonly post: Post;
}

/**
 * What identifies a post before it is on the network, as text by name: an idempotency key, a record
 * key, a container, an upload session, a slug. Stored with the attempt; contains no secret.
 */
export type PublicationHandle = Readonly<Record<string, string>>;

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
