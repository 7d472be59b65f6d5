import type { IncomingMessage } from 'node:http';
import type { HttpResponse } from '../responses.js';

/** Whether a browser opens the address, as opposed to a client that calls an API. */
export const isHtmlRequest = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');

/** A page that loads no other files. */
export const toHtmlResponse = (body: string): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' },
  body,
});
