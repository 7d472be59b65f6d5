import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { sendAnswer } from './http-response.js';
import { presentError } from './errors.js';
import { ROUTES } from './v1.js';
import type { Answerer } from '../http/app.js';
import { readJsonBody } from '../http/body.js';
import { reportFailure } from '../http/failures.js';
import type { Gate } from '../http/authentication/authenticator.js';

interface RestFrontParts {
  readonly gate: Gate;
  /** The routes of v1, for requests that the gate admitted. */
  readonly rest: Router;
  /** The reference, for anybody. */
  readonly openapi: Router;
  /** Playground and reference, for anybody. */
  readonly pages: RequestHandler;
  readonly log: Logger;
}

const TAKES_BODY: ReadonlySet<string> = new Set(
  ROUTES.filter(({ takes }) => takes !== undefined).map(({ method }) => method),
);

/**
 * Everything but /graphql. The whole of /v1 and of /sandbox is behind the gate, what does not exist there too, so that
 * nobody learns their routes without a key; anything else is a plain 404.
 */
export function createRestFront({ gate, rest, openapi, pages, log }: RestFrontParts): Answerer {
  const admit: RequestHandler = async (request, response, next) => {
    response.locals['admission'] = await gate.admit(request, response);
    request.body = TAKES_BODY.has(request.method) ? await readJsonBody(request) : undefined;
    next();
  };
  const refuseRest: RequestHandler = () => {
    throw new GatewayError('NOT_FOUND');
  };
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    reportFailure(log, response, error);
    if (response.writableEnded) return; // given up meanwhile
    if (response.headersSent) response.destroy();
    else sendAnswer(response, presentError(error));
  };

  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app
    .use(openapi)
    .use(pages)
    .use(['/v1', '/sandbox'], admit)
    .use(rest)
    .use(refuseRest)
    .use(answerError);
  return async (request, response) => app(request, response);
}
