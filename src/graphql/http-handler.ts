import type { GraphqlServer } from './server.js';
import type { ErrorCode } from '../domain/errors.js';
import { createEventStreams } from '../http/event-stream.js';
import { writeResponse, type HttpHandler } from '../http/responses.js';
import { readJsonBody } from '../http/body.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { GRAPHQL_PAGE } from '../http/page-texts.js';
import { isHtmlRequest, toHtmlResponse } from '../http/pages.js';
import { PAGES_OPERATION, requestContextOf, type RequestContext } from '../http/request-context.js';

interface GraphqlHandlerOptions {
  readonly authenticator: Authenticator;
  readonly server: Pick<GraphqlServer, 'handle' | 'openStream'>;
  /**
   * Page for browsers; null without a playground: browsers get a page that explains how to send
   * requests.
   */
  readonly playground: HttpHandler | null;
}

const serveFallbackPage: HttpHandler = async (_request, response) =>
  writeResponse(response, toHtmlResponse(GRAPHQL_PAGE));

function recordOutcome(
  context: RequestContext,
  { operation, errorCode }: { operation: string | null; errorCode: ErrorCode | null },
): void {
  context.operation = operation ?? context.operation;
  context.errorCode = errorCode;
}

/**
 * Creates the handler of /graphql: the page for browsers, otherwise authentication, body and
 * GraphQL. Rejects with errors that occur before GraphQL.
 */
export function createGraphqlHandler({
  authenticator,
  server,
  playground,
}: GraphqlHandlerOptions): HttpHandler {
  const eventStreams = createEventStreams();
  return async (request, response) => {
    const { method = 'GET', headers, url = '' } = request;
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const requestContext = requestContextOf(response);
    if (isHtmlRequest(request) && !new URLSearchParams(search).has('query')) {
      requestContext.operation = PAGES_OPERATION;
      await (playground ?? serveFallbackPage)(request, response);
      return;
    }
    const authentication = await authenticator.authenticate(request, response, 'graphql');
    const body = method === 'POST' ? await readJsonBody(request) : undefined;
    const graphqlRequest = { method, headers, body, search };
    const stream = await server.openStream(graphqlRequest, authentication);
    if (stream) {
      recordOutcome(requestContext, stream);
      return eventStreams.send(response, stream);
    }
    const result = await server.handle(graphqlRequest, authentication);
    recordOutcome(requestContext, result);
    writeResponse(response, result);
  };
}
