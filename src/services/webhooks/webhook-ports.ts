import type { EventType } from '../../domain/events/event-types.js';
import type { Webhook, WebhookDelivery, WebhookStatus } from '../../domain/webhooks/webhook.js';

/** What changes about a webhook. Absent fields keep their values. */
export interface WebhookChange {
  readonly url?: string;
  readonly types?: readonly EventType[];
  readonly status?: WebhookStatus;
}

/** A message that waits for its first attempt. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: EventType;
  readonly body: string;
  readonly at: Date;
}

/** Position in the deliveries of a webhook, which are ordered by time, newest first. */
export interface DeliveryPosition {
  readonly at: Date;
  readonly id: string;
}

/** A part of the deliveries of a webhook. */
export interface DeliveryWindow {
  readonly limit: number;
  /** Deliveries after this one, which are older. */
  readonly after?: DeliveryPosition;
  /** Deliveries to leave out. */
  readonly offset?: number;
}

export interface DeliveryPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly hasNextPage: boolean;
}

/** What is to be sent again: some deliveries, or everything since a time. */
export interface Redelivery {
  readonly jobId: string;
  readonly webhookId: string;
  readonly deliveryIds: readonly string[] | null;
  readonly since: Date | null;
  readonly requestedAt: Date;
}

/** The webhooks of workspaces. Secrets are stored sealed. */
export interface WebhookStore {
  /** In the order of their creation. */
  list(workspaceId: string): Promise<Webhook[]>;
  find(workspaceId: string, id: string): Promise<Webhook | null>;
  /** The workspace of a webhook; null if there is no such webhook. */
  workspaceOf(id: string): Promise<string | null>;
  /**
   * Creates a webhook, to which events are sent from now on. False if the workspace has `max`.
   * @throws GatewayError UNAVAILABLE if secrets cannot be sealed
   */
  create(workspaceId: string, webhook: NewWebhook, max: number): Promise<boolean>;
  /**
   * Events are sent again from now on to a webhook that becomes active. Null if it does not exist.
   */
  update(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook | null>;
  delete(workspaceId: string, id: string): Promise<boolean>;
  /**
   * Replaces the secret; the old one signs messages too until `previousUntil`. Null if the webhook
   * does not exist.
   * @throws GatewayError UNAVAILABLE if secrets cannot be sealed
   */
  replaceSecret(workspaceId: string, id: string, secret: NewSecret): Promise<Webhook | null>;
}

/** A webhook with its secret. */
export interface NewWebhook extends Omit<Webhook, 'status'> {
  readonly secret: string;
}
export interface NewSecret {
  readonly secret: string;
  readonly previousUntil: Date;
}

/** The log of deliveries. */
export interface DeliveryLog {
  add(delivery: NewDelivery): Promise<WebhookDelivery>;
  /** Newest first, by webhook ID. */
  pages(
    webhookIds: readonly string[],
    window: DeliveryWindow,
  ): Promise<ReadonlyMap<string, DeliveryPage>>;
  /** Which of the IDs belong to no delivery of the webhook. */
  unknownIds(webhookId: string, ids: readonly string[]): Promise<string[]>;
  /** Creates the job that sends messages again. */
  addRedelivery(
    redelivery: Redelivery,
    owner: { workspaceId: string; userId: string | null },
  ): Promise<void>;
}

/** A position in the events that a redelivery reads. */
export interface MissedPosition {
  readonly transaction: string;
  readonly sequence: string;
}

/** Queues messages for a job of kind `webhook`, in batches. */
export interface RedeliveryQueue {
  /**
   * Writes deliveries for the next events that have none, because the webhook was disabled or did
   * not have their type. Returns where to go on; null at the end.
   */
  addMissed(jobId: string, now: Date, after: MissedPosition): Promise<MissedPosition | null>;
  /** Queues the next deliveries again, each once per job. True if there may be more. */
  requeue(jobId: string, now: Date): Promise<boolean>;
}

/** Writes deliveries for new events. */
export interface EventDispatch {
  /**
   * Writes the deliveries of the next events of some webhooks, in any process: each event is
   * recorded once per webhook. True if more events can be read now.
   */
  dispatch(now: Date): Promise<boolean>;
}

/** A delivery that this process has leased. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventType: EventType;
  /** Whether the receiver is failing or slow: such receivers have slots of their own. */
  readonly isSlow: boolean;
  /** 1 for the first since the message was last queued. */
  readonly attempt: number;
  readonly url: string;
  readonly body: string;
  /**
   * The current secret, and the previous one during a rotation; an error if they are unreadable.
   */
  readonly secrets: readonly string[] | Error;
}

/** Result of an attempt at a delivery. */
export interface AttemptResult {
  readonly at: Date;
  readonly durationMs: number;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  /** Why there was no response. */
  readonly error: string | null;
}

/** What follows an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered'; readonly isSlow: boolean }
  /** The receiver failed; the next attempt is made at `dueAt`, or none if null. */
  | { readonly kind: 'failed'; readonly dueAt: Date | null }
  /** The receiver wants no messages any more. */
  | { readonly kind: 'gone' };

/** Free slots for receivers that respond quickly, and for slow or failing ones. */
export interface FreeSlots {
  readonly fast: number;
  readonly slow: number;
}

/** The deliveries that are due, in all processes. */
export interface DeliveryQueue {
  /** Leases due deliveries. A webhook gets only a few slots over all processes. */
  claim(now: Date, free: FreeSlots): Promise<readonly ClaimedDelivery[]>;
  /**
   * Records an attempt, unless the lease was lost, and disables a webhook whose receiver is gone or
   * has failed for too long, which notifies the owners of the workspace. True if it was disabled.
   */
  settle(
    delivery: ClaimedDelivery,
    result: AttemptResult,
    outcome: DeliveryOutcome,
  ): Promise<boolean>;
  /** Ends the lease without an attempt. */
  postpone(delivery: ClaimedDelivery, until: Date): Promise<void>;
}

/** A message to send. */
export interface SignedMessage {
  /** The same in every attempt: receivers use it to ignore duplicates. */
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** The message is signed with each of them. */
  readonly secrets: readonly string[];
}

/** What a receiver responded. */
export type ReceiverResponse =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The beginning of the body. */
      readonly body: string;
      /** The pause that the receiver requested, in milliseconds. */
      readonly retryAfterMs: number | null;
    }
  /** No response, or the address is not allowed. */
  | { readonly kind: 'none'; readonly reason: string };

/** Sends messages to receivers: only to public https addresses, without redirects. */
export interface WebhookSender {
  /**
   * Why messages cannot be sent to this URL, as the rest of a sentence; null if they can. Takes at
   * most two seconds, in which the name of the host is resolved.
   */
  problemOf(url: string): Promise<string | null>;
  /** Never throws. Ends within 20 seconds. */
  send(message: SignedMessage): Promise<ReceiverResponse>;
}

/** Metrics of deliveries. */
export interface WebhookMetrics {
  deliveryEnded(outcome: DeliveryMetric, seconds: number): void;
}
/** Outcomes in the metrics: `retried` if another attempt follows. */
export type DeliveryMetric = 'delivered' | 'retried' | 'failed';
