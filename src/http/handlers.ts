import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from './health.js';

/** Responds to one request, or rejects with the error to respond with. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers that are mounted once the gateway is composed. */
export interface AppHandlers {
  readonly graphql: HttpHandler;
  /** Everything but /graphql: v1, the sandbox, the pages, and unknown paths. */
  readonly rest: HttpHandler;
  /** Runs the readiness checks. */
  readiness(): Promise<Readiness>;
  /** Whether the database responds within the deadline of its probe. */
  isDatabaseResponsive(): Promise<boolean>;
}
