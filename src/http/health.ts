import type { IncomingMessage, ServerResponse } from 'node:http';
import { assertReadMethod, writeJson } from './responses.js';

/** Status by dependency: `ok`, or a keyword for the problem, such as `unavailable`. */
export type Checks = Readonly<Record<string, string>>;

/** Whether requests can be served, and the checks that determine it. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Checks;
}

/**
 * Responds to /healthz and /readyz: 200 if ready, else 503. `checks` contains the status of each
 * dependency.
 */
export function sendHealth(
  request: IncomingMessage,
  response: ServerResponse,
  { isReady, checks }: Readiness,
): void {
  assertReadMethod(request, response);
  writeJson(response, {
    status: isReady ? 200 : 503,
    headers: { 'Cache-Control': 'no-store' },
    body: { status: isReady ? 'ok' : 'unavailable', checks },
  });
}
