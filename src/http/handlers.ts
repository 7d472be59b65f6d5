import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readiness } from './health.js';

/** Responds to one request, errors included. */
export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the app serves once the gateway is composed. */
export interface AppHandlers {
  readonly graphql: HttpHandler;
  /** Everything but /graphql: v1, the sandbox, the pages, and unknown paths. */
  readonly rest: HttpHandler;
  readiness(): Promise<Readiness>;
  /** Whether the database responds as fast as a healthy one. */
  isDatabaseResponsive(): Promise<boolean>;
}
