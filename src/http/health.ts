import type { IncomingMessage, ServerResponse } from 'node:http';
import { assertReadMethod, writeJson } from './responses.js';

/** Status of each dependency: `ok`, or a word for what is wrong. */
export type Checks = Readonly<Record<string, string>>;

/** Whether requests can be served now, and the checks behind that. */
export interface Readiness {
  readonly isReady: boolean;
  readonly checks: Checks;
}

/** Responds to /healthz and /readyz: 200 if ready, else 503; `checks` has the status of each dependency. */
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
