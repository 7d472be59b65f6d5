import { Webhook as Signer } from 'standardwebhooks';
import type { DeliveryFailureCode } from '../domain/jobs/deliveries.js';
import type {
  DeliveryResult,
  NotificationNote,
  Webhook,
} from '../services/jobs/notification-ports.js';
import type { Clock } from '../services/ports.js';

interface WebhookOptions {
  /** https, or http on this machine. */
  readonly url: string;
  /** `whsec_…`; messages are signed with each, so that a receiver can change from one to another. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
  readonly patienceMs?: number;
}

/** The specification proposes 15 to 30 seconds; a job's lease is 60. */
const PATIENCE_MS = 15_000;

/** Sends notifications to one address, signed after the Standard Webhooks specification. */
export function createWebhook({
  url,
  secrets,
  clock,
  patienceMs = PATIENCE_MS,
}: WebhookOptions): Webhook {
  const signers = secrets.map((secret) => new Signer(secret));
  return {
    async deliver(note) {
      const at = clock.now();
      const body = bodyOf(note);
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'posts-gateway',
        'webhook-id': note.id, // the same at every attempt: by it a receiver tells what it has had already
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(note.id, at, body)).join(' '),
      };
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(patienceMs),
        });
        await answer.body?.cancel(); // what it says beside the status is nothing to us
        return resultOf(answer, at);
      } catch (error) {
        return {
          kind: 'failed',
          code: 'WEBHOOK_UNAVAILABLE',
          message: `The webhook gave no answer: ${reasonOf(error as Error, patienceMs)}.`,
        };
      }
    },
  };
}

/** Thin: who is asked to look at what. The rest is read through the interface, with the rights of whoever reads. */
const bodyOf = ({ id, kind, createdAt, workspaceId, userId, postId }: NotificationNote): string =>
  JSON.stringify({
    type: `notification.${kind}`,
    timestamp: createdAt.toISOString(),
    data: { id, workspace_id: workspaceId, user_id: userId, post_id: postId },
  });

const IS_LATER: ReadonlySet<number> = new Set([408, 425, 429]);

function codeOf(status: number): DeliveryFailureCode {
  if (status >= 500 || IS_LATER.has(status)) return 'WEBHOOK_UNAVAILABLE';
  return status === 410 ? 'WEBHOOK_GONE' : 'WEBHOOK_REFUSED';
}

function resultOf({ ok, status, headers }: Response, now: Date): DeliveryResult {
  if (ok) return { kind: 'delivered' };
  const retryAfterMs = pauseOf(headers.get('retry-after') ?? '', now);
  return {
    kind: 'failed',
    code: codeOf(status),
    message: `The webhook answered ${status}.`,
    ...(retryAfterMs !== null && { retryAfterMs }),
  };
}

/** Retry-After in seconds or as a date. */
function pauseOf(header: string, now: Date): number | null {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : null;
}

/** Not the error's own message, which may quote the address. */
function reasonOf({ name, cause }: Error, patienceMs: number): string {
  if (name === 'TimeoutError') return `it took longer than ${patienceMs / 1000} s`;
  return (cause as { code?: string } | undefined)?.code ?? 'the connection failed';
}
