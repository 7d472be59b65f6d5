import type { Post } from '../../../src/domain/posts/post.js';
import type { DeliveryGuarantee } from '../../../src/domain/networks/network-definition.js';

/** A post, the requests that publish it, and what the network shows then. */
export interface PublishedCase {
  readonly name: string;
  /** `url`: of the stand-in, which also serves files. */
  post(url: string): Partial<Post>;
  /**
   * `METHOD path` of each request, in order. The last one publishes; where the network processes
   * posts, those that ask for it follow.
   */
  readonly requests: readonly string[];
  /** The post on the network. */
  readonly published: unknown;
  /** Where it differs from that of the network. */
  readonly guarantee?: DeliveryGuarantee;
}

/** Describes publication on a network to the shared suite. */
export interface PublicationCase {
  readonly guarantee: DeliveryGuarantee;
  /** Requests of a call before its own, such as that for a token; default: 0. */
  readonly requestsBefore?: number;
  /** What a look returns if nothing lists the posts; default: `cannot_tell`. */
  readonly unseen?: 'repeat';
  /** Whether the network lets no app remove posts. */
  readonly keepsPosts?: true;
  /** Failures are tested with the first one. */
  readonly cases: readonly PublishedCase[];
  /** ID and address of the first post that is published on a new stand-in. */
  readonly live: { readonly remoteId: unknown; readonly url: unknown };
  /** Posts that were published, as readers of the network see them. */
  published(state: unknown): unknown[];
}
