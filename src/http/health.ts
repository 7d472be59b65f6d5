import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseUnlessRead, writeJson } from './responses.js';

/** How each part stands: `ok`, or in a word or two what else. */
export type Parts = Readonly<Record<string, string>>;

/** Whether requests can be served now, and how the parts stand that this hangs on. */
export interface Vitals {
  readonly isReady: boolean;
  readonly parts: Parts;
}

/** Answers /healthz and /readyz: 200 where all is well, else 503; `parts` names each part and how it stands. */
export function answerHealth(
  request: IncomingMessage,
  response: ServerResponse,
  { isReady, parts }: Vitals,
): void {
  refuseUnlessRead(request, response);
  const status = isReady ? { status: 200, word: 'ok' } : { status: 503, word: 'unavailable' };
  writeJson(response, {
    status: status.status,
    headers: { 'Cache-Control': 'no-store' },
    body: { status: status.word, parts },
  });
}
