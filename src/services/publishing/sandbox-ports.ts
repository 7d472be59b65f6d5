import type { DeliveryGuarantee } from '../../domain/networks/network-definition.js';

/** What readers of the sandbox network see of a post; stored as JSON. */
export type SandboxContent = Readonly<Record<string, unknown>>;

/** A post that is sent to the sandbox network. */
export interface SandboxDelivery {
  readonly accountId: string;
  /** Document ID of the service's post, for tests only. */
  readonly postId: string;
  readonly handle: string;
  readonly content: SandboxContent;
  readonly at: Date;
}

/**
 * The sandbox network's own record of the posts that it has taken. It knows nothing of the service
 * but the calls that it gets.
 */
export interface SandboxDeliveryStore {
  guaranteeOf(accountId: string): Promise<DeliveryGuarantee>;
  /**
   * Takes a post, and returns its ID. On accounts with the guarantee `exact` a second post with the
   * same handle is not taken: the ID of the first one is returned.
   */
  take(delivery: SandboxDelivery): Promise<string>;
  /** The ID of the post with this handle; null if it is not there. */
  findByHandle(accountId: string, handle: string): Promise<string | null>;
  /** The newest listed post with this content, taken since then; null if there is none. */
  findByContent(
    accountId: string,
    query: { readonly content: SandboxContent; readonly since: Date; readonly at: Date },
  ): Promise<string | null>;
  /** Removes the post with this ID, if the account has it. */
  remove(accountId: string, deliveryId: string, at: Date): Promise<void>;
}
