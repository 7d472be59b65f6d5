import type { DeliveryFailureCode } from '../../domain/jobs/deliveries.js';

/** A notification as it leaves the service: whom and what it is about, and no word of a post. */
export interface NotificationNote {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: Date;
  readonly workspaceId: string;
  readonly userId: string;
  /** Document id of the post; also of one that is deleted. */
  readonly postId: string | null;
}

export interface NotificationStore {
  /** Null where it is gone. */
  note(id: string): Promise<NotificationNote | null>;
}

export type DeliveryResult =
  | { readonly kind: 'delivered' }
  /** `message` names neither the address nor the secret; `retryAfterMs` is the pause that the receiver asks for. */
  | {
      readonly kind: 'failed';
      readonly code: DeliveryFailureCode;
      readonly message: string;
      readonly retryAfterMs?: number;
    };

/** Where notifications go beside the service. Answers within 20 seconds; safe to call again with the same note. */
export interface Webhook {
  deliver(note: NotificationNote): Promise<DeliveryResult>;
}
