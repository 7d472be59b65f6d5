import type { Response } from 'express';

/** The version of the interface, as the path and `X-API-Version` carry it (D45). */
export const API_VERSION = 'v1';

/** What a v1 request is answered with, as data. Without `body` the answer has none. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What caches have to know of every answer that depends on who asks (D26). */
const DEFAULTS = { 'X-API-Version': API_VERSION, 'Cache-Control': 'private, no-cache' };
const ASKED_BY = 'Authorization, Service-Workspace-Id';

/**
 * Writes an answer. Express's own `json` would add weak ETags and decide about 304 itself, which D26 gives to the
 * detail alone. A HEAD request gets the headers of the body without it.
 */
export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(status).set({ ...DEFAULTS, ...headers });
  response.vary(ASKED_BY);
  if (body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length) });
  response.end(bytes);
}
