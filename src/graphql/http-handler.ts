import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { GraphqlDoor } from './server.js';
import { headersOf } from '../rest/errors.js';
import { writeAnswer, type TextAnswer } from '../http/responses.js';
import type { Answerer } from '../http/app.js';
import { readJsonBody } from '../http/body.js';
import { reportFailure } from '../http/failures.js';
import type { Gate } from '../http/authentication/authenticator.js';
import { GRAPHQL_PAGE } from '../http/pages/graphql-page.js';
import { presentGraphqlError } from './error-response.js';
import { PAGES, traceOf } from '../http/request-context.js';

interface GraphqlFrontParts {
  readonly gate: Gate;
  readonly door: Pick<GraphqlDoor, 'handle'>;
  /** What a browser gets; null where there is no playground: then it is told how to ask. */
  readonly playground: Answerer | null;
  readonly log: Logger;
}

const PAGE: TextAnswer = {
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept' },
  body: GRAPHQL_PAGE,
};
const showPage: Answerer = async (_request, response) => writeAnswer(response, PAGE);

/** /graphql: the page for browsers, else gate, body, door; what is refused before GraphQL runs has its shape (D41). */
export function createGraphqlFront({ gate, door, playground, log }: GraphqlFrontParts): Answerer {
  return async (request, response) => {
    const { method = 'GET', headers, url = '' } = request;
    const search = url.includes('?') ? url.slice(url.indexOf('?')) : '';
    const trace = traceOf(response);
    if (wantsPage(request, search)) {
      trace.operation = PAGES;
      await (playground ?? showPage)(request, response);
      return;
    }
    try {
      const admission = await gate.admit(request, response);
      const body = method === 'POST' ? await readJsonBody(request) : undefined;
      const answer = await door.handle({ method, headers, body, search }, admission);
      Object.assign(trace, {
        operation: answer.operation ?? trace.operation,
        refusal: answer.refusal,
      });
      writeAnswer(response, {
        ...answer,
        headers: { ...answer.headers, ...(answer.refusal && headersOf(answer.refusal)) },
      });
    } catch (error) {
      reportFailure(log, response, error);
      writeAnswer(response, presentGraphqlError(error, headers.accept));
    }
  };
}

const wantsPage = ({ method, headers }: IncomingMessage, search: string): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/.test(headers.accept ?? '') &&
  !new URLSearchParams(search).has('query');
