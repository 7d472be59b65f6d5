import { Webhook as Signer } from 'standardwebhooks';

interface WebhookMessage {
  /** The same for every attempt: receivers use it to ignore duplicates. */
  readonly id: string;
  readonly body: string;
  /** The span of the attempt; null if it is not traced. */
  readonly traceparent: string | null;
}

/**
 * The headers of a message according to the Standard Webhooks specification, with one signature for
 * each secret (`whsec_…`), so that a receiver can rotate them.
 */
export const webhookHeaders = (
  { id, body, traceparent }: WebhookMessage,
  { secrets, at }: { secrets: readonly string[]; at: Date },
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'posts-gateway',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
  ...(traceparent !== null && { traceparent }),
});

/** The pause that a Retry-After header requests, in seconds or as a date; null if it has none. */
export function readRetryAfterMs(header: string, now: Date): number | null {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : null;
}
