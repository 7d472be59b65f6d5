import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { GraphqlServer } from './server.js';
import { errorHeaders } from '../http/errors.js';
import { writeResponse, type HttpResponse } from '../http/responses.js';
import type { HttpHandler } from '../http/handlers.js';
import { readJsonBody } from '../http/body.js';
import { reportError } from '../http/report-error.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { GRAPHQL_PAGE } from '../http/pages/graphql-page.js';
import { presentGraphqlError } from './errors/error-response.js';
import { PAGES_OPERATION, requestContextOf } from '../http/request-context.js';

interface GraphqlHandlerOptions {
  readonly authenticator: Authenticator;
  readonly server: Pick<GraphqlServer, 'handle'>;
  /**
   * Page for browsers; null without a playground: browsers get a page that explains how to send
   * requests.
   */
  readonly playground: HttpHandler | null;
  readonly log: Logger;
}

const FALLBACK_PAGE: HttpResponse = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' },
  body: GRAPHQL_PAGE,
};
const serveFallbackPage: HttpHandler = async (_request, response) =>
  writeResponse(response, FALLBACK_PAGE);

/**
 * Creates the handler of /graphql: the page for browsers, otherwise authentication, body and
 * GraphQL. Earlier errors have the format of GraphQL, too (D41).
 */
export function createGraphqlHandler({
  authenticator,
  server,
  playground,
  log,
}: GraphqlHandlerOptions): HttpHandler {
  return async (request, response) => {
    const { method = 'GET', headers, url = '' } = request;
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const requestContext = requestContextOf(response);
    if (isPageRequest(request, search)) {
      requestContext.operation = PAGES_OPERATION;
      await (playground ?? serveFallbackPage)(request, response);
      return;
    }
    try {
      const authentication = await authenticator.authenticate(request, response);
      const body = method === 'POST' ? await readJsonBody(request) : undefined;
      const result = await server.handle({ method, headers, body, search }, authentication);
      Object.assign(requestContext, {
        operation: result.operation ?? requestContext.operation,
        errorCode: result.errorCode,
      });
      writeResponse(response, {
        ...result,
        headers: { ...result.headers, ...(result.errorCode && errorHeaders(result.errorCode)) },
      });
    } catch (error) {
      reportError(log, response, error);
      writeResponse(response, presentGraphqlError(error, headers.accept));
    }
  };
}

const isPageRequest = ({ method, headers }: IncomingMessage, search: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/.test(headers.accept ?? '') &&
  !new URLSearchParams(search).has('query');
