import type { Response } from 'express';

/** The version of the interface, as the path carries it, and every answer in `X-API-Version` (D45). */
export const API_VERSION = 'v1';

/** What a v1 request is answered with, as data. Without `body` the answer has none. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Writes an answer; the version and what caches have to know (D26) the hall has said already. Express's own `json`
 * would add weak ETags and decide about 304 itself, which D26 gives to the detail alone. A HEAD request gets the headers of the body without it.
 */
export function sendAnswer(response: Response, { status, headers = {}, body }: Answer): void {
  response.status(status).set(headers);
  if (body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(bytes.length),
  });
  response.end(bytes);
}
