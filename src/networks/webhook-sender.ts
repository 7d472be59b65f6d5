import { parseUrl } from '../domain/input/urls.js';
import { WEBHOOK_LIMITS } from '../domain/webhooks/webhook.js';
import type { Clock } from '../services/clock.js';
import type { ReceiverResponse, WebhookSender } from '../services/webhooks/webhook-sender.js';
import { assertAllowedUrl, isLoopbackHost } from './http-client/http-client.js';
import { toConnectionFailure } from './http-client/network-response.js';
import { BlockedAddressError, guardedLookup } from './http-client/public-address.js';
import { Webhook as Signer } from 'standardwebhooks';

/** A receiver has `responseMs` to respond, and its body `bodyMs` to arrive. */
const TIMEOUTS = { connectMs: 10_000, responseMs: 15_000, bodyMs: 3_000 } as const;

interface WebhookSenderOptions {
  /** Whether receivers may be on this machine, also over plain http. For tests. */
  readonly allowLoopback: boolean;
  readonly clock: Clock;
  /** The current span, which receivers can continue. */
  readonly traceparent?: () => string | null;
  readonly timeouts?: {
    readonly connectMs: number;
    readonly responseMs: number;
    readonly bodyMs: number;
  };
}

/** Loads undici with the first message, so that it does not delay startup. */
async function loadAgent({ allowLoopback, timeouts = TIMEOUTS }: WebhookSenderOptions) {
  const { Agent, request } = await import('undici');
  return {
    request,
    dispatcher: new Agent({
      connect: { lookup: guardedLookup(allowLoopback), timeout: timeouts.connectMs },
      headersTimeout: timeouts.responseMs,
      bodyTimeout: timeouts.bodyMs,
      // The body of a response is not read to its end, so a connection is rarely used twice.
      pipelining: 0,
    }),
  };
}

/** A body of which only the beginning is read. */
type ResponseBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** The beginning of a body, as text that can be stored. What arrives too late is left out. */
async function readBeginning(body: ResponseBody, timeoutMs: number): Promise<string> {
  const { responseBytes: max } = WEBHOOK_LIMITS;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= max) break;
    }
  } catch {
    // The status is known: what has arrived of the body is enough.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  const bytes = Buffer.concat(chunks).subarray(0, max);
  return new TextDecoder().decode(bytes).replaceAll('\0', '\uFFFD');
}

/**
 * Sends messages of webhooks, signed according to the Standard Webhooks specification: only to
 * public addresses over https, without redirects, with limits on the time and the size of the
 * response.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { allowLoopback, clock, traceparent = () => null, timeouts = TIMEOUTS } = options;
  let agent: ReturnType<typeof loadAgent> | undefined;

  async function post(url: URL, headers: Record<string, string>, body: string) {
    assertAllowedUrl(url, allowLoopback);
    const { request, dispatcher } = await (agent ??= loadAgent(options));
    return request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: AbortSignal.timeout(timeouts.responseMs),
    });
  }

  return {
    problemOf(text) {
      const url = parseUrl(text);
      if (url === null) return 'is not a URL';
      if (isLoopbackHost(url) && !allowLoopback) return 'must have a public host';
      try {
        // Names are resolved with each connection: the answer must not tell which ones exist.
        assertAllowedUrl(url, allowLoopback);
        return null;
      } catch (error) {
        return `cannot be used: ${(error as Error).message}`;
      }
    },
    async send({ id, url, body, secrets }): Promise<ReceiverResponse> {
      const now = clock.now();
      try {
        const headers = webhookHeaders(
          { id, body, traceparent: traceparent() },
          { secrets, at: now },
        );
        const response = await post(new URL(url), headers, body);
        const retryAfter = response.headers['retry-after'];
        response.body.on('error', () => undefined);
        return {
          kind: 'response',
          status: response.statusCode,
          body: await readBeginning(response.body, timeouts.bodyMs),
          retryAfterMs: typeof retryAfter === 'string' ? readRetryAfterMs(retryAfter, now) : null,
        };
      } catch (error) {
        if (error instanceof BlockedAddressError)
          return { kind: 'none', reason: `The receiver cannot be called: ${error.message}.` };
        const target = { name: 'The receiver', blockedCode: 'NETWORK_REFUSED' } as const;
        const { message } = toConnectionFailure(error, target, timeouts.responseMs);
        return { kind: 'none', reason: message };
      }
    },
  };
}

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
const webhookHeaders = (
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
