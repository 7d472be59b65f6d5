import type { DeliveryFailureCode } from '../domain/jobs/notification-delivery.js';
import type { DeliveryResult, NotificationMessage, Webhook } from '../services/jobs/job-ports.js';
import type { Clock } from '../services/clock.js';
import { readRetryAfterMs, webhookHeaders } from './webhook-headers.js';

interface WebhookOptions {
  /** An https URL, or an http URL of this machine. */
  readonly url: string;
  /** `whsec_…`. Messages are signed with each secret, so that a receiver can rotate them. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  /** The current span, which the receiver can continue. */
  readonly traceparent?: () => string | null;
  readonly timeoutMs?: number;
}

/** Standard Webhooks recommends 15 to 30 seconds; a job's lease is 60. */
const DEFAULT_TIMEOUT_MS = 15_000;

/** Sends notifications to one URL, signed according to the Standard Webhooks specification. */
export function createWebhook({
  url,
  secrets,
  clock,
  traceparent = () => null,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: WebhookOptions): Webhook {
  return {
    async deliver(message) {
      const now = clock.now();
      const body = toBody(message);
      const headers = webhookHeaders(
        { id: message.id, body, traceparent: traceparent() },
        { secrets, at: now },
      );
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        });
        await response.body?.cancel(); // only the status is used
        return toDeliveryResult(response, now);
      } catch (error) {
        return {
          kind: 'failed',
          code: 'WEBHOOK_UNAVAILABLE',
          message: `The webhook did not respond: ${connectionErrorReason(error as Error, timeoutMs)}.`,
        };
      }
    },
  };
}

/**
 * The body contains only IDs. Receivers read everything else through the API, with the permissions
 * of their key.
 */
const toBody = ({
  id,
  kind,
  createdAt,
  workspaceId,
  userId,
  postId,
}: NotificationMessage): string =>
  JSON.stringify({
    type: `notification.${kind}`,
    timestamp: createdAt.toISOString(),
    data: { id, workspace_id: workspaceId, user_id: userId, post_id: postId },
  });

const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

function toFailureCode(status: number): DeliveryFailureCode {
  if (status >= 500 || RETRIED_STATUSES.has(status)) return 'WEBHOOK_UNAVAILABLE';
  return status === 410 ? 'WEBHOOK_GONE' : 'WEBHOOK_REFUSED';
}

function toDeliveryResult({ ok, status, headers }: Response, now: Date): DeliveryResult {
  if (ok) return { kind: 'delivered' };
  const retryAfterMs = readRetryAfterMs(headers.get('retry-after') ?? '', now);
  return {
    kind: 'failed',
    code: toFailureCode(status),
    message: `The webhook returned ${status}.`,
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}

/** Omits the message of the error, which can contain the URL and a token in it. */
function connectionErrorReason({ name, cause }: Error, timeoutMs: number): string {
  if (name === 'TimeoutError') return `it took longer than ${timeoutMs / 1000} s`;
  return (cause as { code?: string } | undefined)?.code ?? 'the connection failed';
}
