import type { ApiKind } from '../access/viewer.js';
import type { EventType } from '../events/event.js';
import {
  isPrivateDraft,
  isPublished,
  STORED_STATES,
  type PostState,
  type StoredState,
} from '../posts/states.js';

/** An event as webhooks receive it: all members may know of it, or of the notification. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  readonly workspaceId: string;
  /** Document ID of the post; null if the event is not about a post. */
  readonly documentId: string | null;
  readonly accountId: string | null;
  /** ID of the job, media item or label that the event is about. */
  readonly recordId: string | null;
  readonly version: number | null;
  /** Null if no user made the change. */
  readonly userId: string | null;
  readonly api: ApiKind;
  readonly before: StoredState | null;
  readonly after: StoredState | null;
  /** The post as it is now; null if its row no longer exists. */
  readonly post: {
    readonly storedState: StoredState;
    readonly network: string | null;
    readonly link: string | null;
    readonly errorCode: string | null;
  } | null;
  /** The notification that the event is about; null for other events, or if it was deleted. */
  readonly notification: { readonly kind: string; readonly recipientId: string } | null;
}

/** The key of the record that an event is about, apart from posts and accounts. */
const RECORD_KEYS: Partial<Record<EventType, string>> = {
  'job.finished': 'job_id',
  'notification.created': 'notification_id',
  'media.ready': 'media_id',
  'media.failed': 'media_id',
  'media.changed': 'media_id',
  'label.changed': 'label_id',
};

/** Events with the code of the error that ended the publication. */
const FAILURES: ReadonlySet<EventType> = new Set([
  'post.failed',
  'post.unconfirmed',
  'post.missed',
]);

/** The state as members other than the creator saw it: for them, a private draft did not exist. */
const visibleState = (state: StoredState | null): PostState | null =>
  state === null || isPrivateDraft(state) ? null : STORED_STATES[state].state;

function postData({ type, documentId, version, before, after, post }: WebhookEvent) {
  const visible = post !== null && !isPrivateDraft(post.storedState) ? post : null;
  return {
    post_id: documentId,
    version,
    state_before: visibleState(before),
    state_after: visibleState(after),
    network: visible?.network ?? null,
    post_link: after !== null && isPublished(after) ? (visible?.link ?? null) : null,
    error_code: FAILURES.has(type) ? (visible?.errorCode ?? null) : null,
  };
}

/** The post of a job, unless it is a private draft or unknown. */
const jobData = ({ documentId, post }: WebhookEvent) => ({
  post_id: post !== null && !isPrivateDraft(post.storedState) ? documentId : null,
});

/** The notification, its recipient, and its post unless that is a private draft. */
const notificationData = ({ documentId, post, notification }: WebhookEvent) => ({
  kind: notification!.kind,
  post_id: post !== null && isPrivateDraft(post.storedState) ? null : documentId,
});

/**
 * The message about an event (D75): IDs, states and codes, never text. Receivers read everything
 * else through the API, with the permissions of their key. Null if the event is about the job of a
 * private draft, or about a notification that was deleted.
 */
export function toWebhookMessage(event: WebhookEvent): string | null {
  const { id, type, at, workspaceId, accountId, recordId, userId, api, post, notification } = event;
  const key = RECORD_KEYS[type];
  if (type === 'job.finished' && post && isPrivateDraft(post.storedState)) return null;
  const isNotification = type === 'notification.created';
  if (isNotification && notification === null) return null;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      event_id: id,
      workspace_id: workspaceId,
      ...(type.startsWith('post.') && postData(event)),
      ...(type === 'job.finished' && jobData(event)),
      ...(isNotification && notificationData(event)),
      ...(key !== undefined && { [key]: recordId }),
      account_id: accountId,
      user_id: notification ? notification.recipientId : userId,
      api,
    },
  });
}

/** The message of `testWebhook`. */
export const toTestMessage = (
  webhookId: string,
  { workspaceId, at }: { workspaceId: string; at: Date },
): string =>
  JSON.stringify({
    type: 'webhook.test' satisfies EventType,
    timestamp: at.toISOString(),
    data: { webhook_id: webhookId, workspace_id: workspaceId },
  });
