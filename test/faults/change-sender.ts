import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeResult } from './change-formats.js';
import {
  toAttempt,
  type GatewayClient,
  type GatewayRequest,
  type GatewayResponse,
} from './gateway-client.js';
import type { Random } from './random.js';
import { recordVersion, type Change, type RequestHistory } from './request-history.js';

/** A killed process keeps an idempotency key for 30 s: a retry after that gets a response. */
const RETRY_TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 100;

/**
 * The only error code that a kind of change may get: forbidden ones always, ones with an expected
 * version if another client was faster.
 */
const EXPECTED_REJECTIONS: Readonly<Record<string, string>> = {
  forbidden: 'RULE_VIOLATION',
  versioned: 'CONFLICT',
};

/** Error codes that leave the outcome of a change unknown. */
const UNKNOWN_OUTCOME_CODES: ReadonlySet<string> = new Set([
  'UNAVAILABLE',
  'IDEMPOTENCY_IN_FLIGHT',
]);

/** A change before it is sent. */
export type NewChange = Omit<Change, 'attempts' | keyof ChangeResult>;

function checkResult(history: RequestHistory, change: Change, result: ChangeResult): void {
  const { kind, mark, posts } = change;
  const isExpected =
    result.outcome === 'rejected'
      ? result.code === EXPECTED_REJECTIONS[kind]
      : kind !== 'forbidden';
  if (!isExpected)
    history.violations.push(
      `${kind} ${mark} of ${posts[0]} was ${result.outcome} ${result.code ?? ''}`,
    );
  if (result.text !== null && kind !== 'labels' && result.text !== mark)
    history.violations.push(`the response to ${mark} has the text ${result.text}`);
}

/** Sends requests to the gateways in turn and records changes in the history. */
export function createChangeSender(
  gatewayClient: GatewayClient,
  history: RequestHistory,
  { fraction }: Random,
) {
  let gateway = Math.floor(fraction() * gatewayClient.count);

  /**
   * Switches gateways as a load balancer would, so that changes made through one gateway are read
   * through the other.
   */
  async function send(request: GatewayRequest): Promise<GatewayResponse> {
    const response = await gatewayClient.send(gateway, request);
    if (response.status === null || fraction() < 0.2) gateway = (gateway + 1) % gatewayClient.count;
    return response;
  }

  /** Sends a change. With an idempotency key, repeats it until its outcome is known. */
  async function sendChange(newChange: NewChange): Promise<void> {
    const change: Change = {
      ...newChange,
      attempts: [],
      outcome: 'unknown',
      code: null,
      version: null,
      job: null,
      text: null,
    };
    history.changes.push(change);
    const deadline = performance.now() + RETRY_TIMEOUT_MS;
    for (;;) {
      const response = await send(change.request);
      const { status, code, body } = response;
      change.attempts.push(toAttempt(response, change.attempts.length > 0));
      const result = change.readResult(response);
      if (result) {
        Object.assign(change, result);
        checkResult(history, change, result);
        if (result.version !== null) recordVersion(history, change.posts[0]!, result.version);
        return;
      }
      if (status !== null && !UNKNOWN_OUTCOME_CODES.has(code))
        history.violations.push(
          `the response to ${change.kind} ${change.mark} is ${status} ${code}: ${JSON.stringify(body)}`,
        );
      if (change.key === null || performance.now() > deadline) return;
      await sleep(RETRY_DELAY_MS);
    }
  }

  return { send, sendChange };
}
