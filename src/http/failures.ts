import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { ERRORS } from '../domain/errors.js';
import { presentError, toGatewayError } from '../rest/errors.js';
import { writeAnswer, writeJson } from './responses.js';
import { presentGraphqlError } from '../graphql/error-response.js';
import type { Door } from './meter.js';
import { traceOf } from './request-context.js';

/** A request on its way to one of the doors. */
interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly door: Door;
}

/** Answers what a request was refused with before its door had it, in that door's shape. */
export function presentFailure({ request, response, door }: Arrived, error: unknown): void {
  if (door === 'graphql') writeAnswer(response, presentGraphqlError(error, request.headers.accept));
  else writeJson(response, presentError(error));
}

/**
 * Notes what a request was refused with, and tells the log of what is no caller's mistake: faults with their stack,
 * dependencies that are away. Nothing of one that was given up: what came of it is of no interest any more.
 */
export function reportFailure(log: Logger, response: ServerResponse, error: unknown): void {
  if (response.writableEnded) return;
  const { code } = toGatewayError(error);
  traceOf(response).refusal = code;
  if (ERRORS[code].status < 500) return;
  const requestId = response.getHeader('X-Request-Id');
  if (code === 'UNAVAILABLE')
    log.warn({ requestId, err: error }, 'a request met something that is away');
  else log.error({ requestId, err: error }, 'a request met a fault');
}
