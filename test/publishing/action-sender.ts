import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayClient, GatewayResponse } from '../faults/gateway-client.js';
import type { Random } from '../faults/random.js';
import type { PostRecord, RecordedAction } from './post-record.js';
import { createdPostOf, type Acknowledgement, type ActionRequest } from './requests.js';

/** A killed gateway keeps an idempotency key for 30 s: a repetition after that gets a response. */
const REPEAT_TIMEOUT_MS = 60_000;
const REPEAT_PAUSE_MS = 100;

/** Codes that leave open what became of a change. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(['UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT']);

const isUnknown = ({ status, code }: GatewayResponse): boolean =>
  status === null || UNKNOWN_CODES.has(code);

/** The code of a refusal, in either API. */
function refusalOf({ status, code, body }: GatewayResponse): string | null {
  if (status !== 200) return code;
  const payload = Object.values((body?.data ?? {}) as Record<string, any>)[0];
  const [error] = (payload?.userErrors ?? []) as { code: string; message: string }[];
  return error ? `${error.code}: ${error.message}` : null;
}

/** Sends the requests of one client to the gateways in turn, and repeats those without an answer. */
export function createActionSender({
  random,
  violations,
}: {
  random: Random;
  violations: string[];
}) {
  let gateway = 0;

  async function sendUntilKnown(
    client: GatewayClient,
    request: ActionRequest['request'],
  ): Promise<GatewayResponse | null> {
    const deadline = performance.now() + REPEAT_TIMEOUT_MS;
    for (;;) {
      if (random.fraction() < 0.5) gateway = (gateway + 1) % client.count;
      const response = await client.send(gateway, request);
      if (!isUnknown(response)) return response;
      gateway = (gateway + 1) % client.count;
      if (performance.now() > deadline) return null;
      await sleep(REPEAT_PAUSE_MS);
    }
  }

  /**
   * v1 answers a creation with a job, whose payload has the ID of the post, or the reason why it was
   * not created.
   */
  async function withCreatedPost(
    client: GatewayClient,
    acknowledgement: Acknowledgement,
  ): Promise<Acknowledgement | { refusal: string } | null> {
    if (!acknowledgement.job) return acknowledgement;
    const path = `/v1/job_status/${acknowledgement.job}`;
    const response = await sendUntilKnown(client, { method: 'GET', path });
    if (!response) return null;
    const id = createdPostOf(response);
    return id ? { id, version: 1 } : { refusal: JSON.stringify(response.body.payload.failures) };
  }

  return {
    /** Sends a change of the post, and records what was asked for and what was answered. */
    async send(
      client: GatewayClient,
      record: PostRecord,
      { action, api, value, request, readAcknowledgement }: ActionRequest,
    ): Promise<RecordedAction> {
      const from = new Date().toISOString();
      const recorded: RecordedAction = {
        action,
        api,
        from,
        to: from,
        value,
        outcome: 'unknown',
        code: null,
      };
      record.actions.push(recorded);
      const response = await sendUntilKnown(client, request);
      recorded.to = new Date().toISOString();
      if (!response) return recorded;
      const acknowledgement = readAcknowledgement(response);
      if (acknowledgement) {
        const known = await withCreatedPost(client, acknowledgement);
        if (!known) return recorded;
        if ('refusal' in known)
          return Object.assign(recorded, { outcome: 'refused', code: known.refusal });
        record.id ??= known.id ?? null;
        record.version = known.version ?? record.version;
        return Object.assign(recorded, { outcome: 'done' });
      }
      const code = refusalOf(response);
      if (code === null || response.status! >= 500)
        violations.push(
          `the response to ${action} is ${response.status} ${response.code}: ${JSON.stringify(response.body)}`,
        );
      return Object.assign(recorded, { outcome: 'refused', code });
    },
  };
}
export type ActionSender = ReturnType<typeof createActionSender>;
