import { setTimeout as sleep } from 'node:timers/promises';
import type { TestGateway } from '../fixtures/gateway.js';

const MAX_ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/**
 * Sends a request again that the gateway answers with 503, as that answer advises: on a busy
 * machine, the database may not respond in time, which says nothing about the rules.
 */
const repeated =
  <Parameters extends unknown[], Response extends { status: number }>(
    send: (...parameters: Parameters) => Promise<Response>,
  ) =>
  async (...parameters: Parameters): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await send(...parameters);
      if (response.status !== 503 || attempt === MAX_ATTEMPTS) return response;
      await sleep(PAUSE_MS);
    }
  };

/** A gateway whose clients repeat requests while the gateway is unavailable. */
export const repeatUnavailable = (gateway: TestGateway): TestGateway => ({
  ...gateway,
  graphql: repeated(gateway.graphql),
  v1: repeated(gateway.v1),
});
