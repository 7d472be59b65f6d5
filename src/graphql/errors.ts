// Types only: importing graphql would delay /healthz at startup.
import type { ExecutionResult, GraphQLError, GraphQLFormattedError } from 'graphql';
import { ERRORS, GatewayError, type ErrorCode } from '../domain/errors.js';
import { errorHead, toGatewayError } from '../http/errors.js';
import type { HttpResponse } from '../http/responses.js';
import type { GatewayContext, RequestState } from './context.js';
import { chooseResponseMediaType, type ResponseMediaType } from './content-negotiation.js';

/** Log of unexpected errors and unavailable dependencies; a pino logger can be passed. */
export interface ErrorLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** A response whose status, headers and body are set. */
type CompleteResponse = Required<HttpResponse>;

const contentType = (type: ResponseMediaType) => ({ 'Content-Type': `${type}; charset=utf-8` });

const toExtensions = (
  code: ErrorCode,
  problems: GatewayError['problems'] = [],
): Record<string, unknown> => ({ code, ...(problems.length > 0 && { problems }) });

const presentBody = ({ message, code, problems }: GatewayError): string =>
  JSON.stringify({ errors: [{ message, extensions: toExtensions(code, problems) }] });

/**
 * Presents an error that occurs before GraphQL execution, in the format of GraphQL and a media type
 * that `Accept` allows (D41).
 */
export function presentGraphqlError(error: unknown, accept?: string): CompleteResponse {
  const gatewayError = toGatewayError(error);
  const { status, headers } = errorHead(gatewayError.code);
  const type = chooseResponseMediaType(accept) ?? 'application/json';
  return {
    status,
    headers: { ...headers, ...contentType(type) },
    body: presentBody(gatewayError),
  };
}

/** The response if `Accept` allows no media type of GraphQL. */
export const NOT_ACCEPTABLE: CompleteResponse = {
  status: 406,
  headers: contentType('application/json'),
  body: presentBody(
    new GatewayError(
      'BAD_USER_INPUT',
      'Responses are application/graphql-response+json or application/json, but the Accept header allows neither.',
    ),
  ),
};

/** A result of graphql-js as JSON text. */
export const presentResult = (result: ExecutionResult, formatError: FormatError): string =>
  JSON.stringify(
    result.errors
      ? { ...result, errors: result.errors.map((error) => formatError(error.toJSON(), error)) }
      : result,
  );

/** The body of a response with errors only. */
export const presentErrors = (errors: readonly Error[], formatError: FormatError): string =>
  JSON.stringify({
    errors: errors.map((error) =>
      formatError(isGraphqlError(error) ? error.toJSON() : error, error),
    ),
  });

/**
 * Status and headers of a response with the status of Apollo Server. With plain JSON, the response
 * to a well-formed request is 200: a 400 could come from an intermediary (GraphQL over HTTP).
 */
export const presentHead = (
  type: ResponseMediaType,
  status: number,
  { isWellFormed, errorCode }: Pick<RequestState, 'isWellFormed' | 'errorCode'>,
): Pick<CompleteResponse, 'status' | 'headers'> => ({
  status: isWellFormed && type === 'application/json' && status === 400 ? 200 : status,
  headers: { ...contentType(type), ...(errorCode && errorHead(errorCode).headers) },
});

/** Messages of graphql-js contain the rejected value, which can be 1 MB. */
const MAX_MESSAGE_LENGTH = 1_000;

const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  405: 'METHOD_NOT_ALLOWED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
/** Codes of Apollo Server and graphql-js for malformed requests. */
const BAD_REQUEST_CODES = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
]);
/** Clients send the document after an error with this code, or with the message of Apollo Server. */
const PERSISTED_QUERY: ErrorCode = 'PERSISTED_QUERY_NOT_SUPPORTED';

const isTooDeep = (message: string): boolean => message === 'Maximum introspection depth exceeded';
const isGraphqlError = (error: unknown): error is GraphQLError =>
  error instanceof Error && 'originalError' in error && 'extensions' in error;

/** How graphql-js begins the error of a literal that a scalar rejected with an error of its own. */
const REJECTED_LITERAL = 'Expected value of type "';

/**
 * Input errors that graphql-js reports without a code: those in a document or its variables, which
 * have no path, and null where an argument must not be null.
 */
const isInputError = ({ message, path, originalError, extensions }: GraphQLError): boolean =>
  extensions.code === undefined &&
  (originalError === undefined ||
    isGraphqlError(originalError) ||
    message.startsWith(REJECTED_LITERAL)) &&
  (path === undefined || message.startsWith('Argument "'));

/** An error of graphql-js, or one that was thrown outside of it. */
type ThrownError = Error & Partial<Pick<GraphQLError, 'originalError' | 'path'>>;

const thrownIn = (error: ThrownError): Error => error.originalError ?? error;

/** The error that was thrown, without the error of graphql-js around it. */
const causeOf = (error: unknown): unknown => (isGraphqlError(error) ? error.originalError : error);

/** Error code of an error; INTERNAL_SERVER_ERROR for unexpected errors. */
export function errorCodeOf(error: unknown): ErrorCode {
  const cause = causeOf(error);
  if (cause instanceof GatewayError) return cause.code;
  if (!isGraphqlError(error)) return 'INTERNAL_SERVER_ERROR';
  const { code, http } = error.extensions as { code?: string; http?: { status?: number } };
  const byStatus = CODE_BY_STATUS[http?.status ?? 0];
  if (byStatus) return byStatus;
  if (isTooDeep(error.message)) return 'QUERY_TOO_DEEP';
  if (code === PERSISTED_QUERY) return PERSISTED_QUERY;
  return BAD_REQUEST_CODES.has(code ?? '') || isInputError(error)
    ? 'BAD_USER_INPUT'
    : 'INTERNAL_SERVER_ERROR';
}

/** Names of the values of an enum of the schema; undefined if the schema has no such enum. */
type EnumValues = (name: string) => readonly string[] | undefined;

const truncate = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;

/**
 * Removes suggestions of other names from a message, and lists the allowed values of an enum.
 * Truncates first: a rejected value can contain "Did you mean" thousands of times, which makes the
 * replacement slow.
 */
function clarifyMessage(message: string, enumValues: EnumValues): string {
  const plain = truncate(message).replace(/ ?Did you mean [^?]*\?/g, '');
  const name = /\bin "(\w+)" enum\b|\bEnum "(\w+)" cannot represent\b/.exec(plain);
  const values = name && enumValues(name[1] ?? name[2] ?? '');
  return values ? `${plain} Allowed: ${values.join(', ')}.` : plain;
}

/** The `formatError` of Apollo Server. */
export type FormatError = (
  formatted: GraphQLFormattedError,
  error: unknown,
) => GraphQLFormattedError;

/**
 * Creates the `formatError` of Apollo Server: converts an error to the public format, with a code
 * of ErrorCode and no internal details (D41).
 */
export const createFormatError =
  (enumValues: EnumValues): FormatError =>
  ({ message, locations, path }, error) => {
    const code = errorCodeOf(error);
    const cause = causeOf(error);
    return {
      message:
        code === 'INTERNAL_SERVER_ERROR'
          ? ERRORS[code].description
          : clarifyMessage(message, enumValues),
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: toExtensions(code, cause instanceof GatewayError ? cause.problems : []),
    };
  };

/** Status of Apollo Server for a document that is rejected. */
export const REJECTED_DOCUMENT_STATUS = 400;

/** The HTTP status of a result with errors; undefined if it is that of Apollo Server. */
export function statusOf(
  data: object | null | undefined,
  errors: readonly GraphQLError[],
): number | undefined {
  const code = statusErrorOf(data, errors);
  return code && errorHead(code).status;
}

/**
 * The error that determines the HTTP status, as before execution: one that rejected the operation,
 * or a dependency that is unavailable, if every root field is null (D41).
 */
function statusErrorOf(
  data: object | null | undefined,
  errors: readonly GraphQLError[],
): ErrorCode | undefined {
  const [error] = errors;
  if (data === undefined)
    return error?.originalError instanceof GatewayError ? error.originalError.code : undefined;
  const isEmpty = data === null || Object.values(data).every((field) => field === null);
  return isEmpty && errorCodeOf(error) === 'UNAVAILABLE' ? 'UNAVAILABLE' : undefined;
}

/**
 * Records the first error of an operation in the request state, and logs errors that the caller did
 * not cause.
 */
export function recordErrors(
  log: ErrorLog,
  errors: readonly ThrownError[],
  { requestId, state }: Pick<GatewayContext, 'requestId' | 'state'>,
): void {
  for (const error of errors) {
    const code = errorCodeOf(error);
    state.errorCode ??= code;
    if (code === 'INTERNAL_SERVER_ERROR')
      log.error({ requestId, err: thrownIn(error), path: error.path }, 'unhandled resolver error');
  }
  // once per request: in an outage every field fails alike
  const unavailable = errors.find((error) => errorCodeOf(error) === 'UNAVAILABLE');
  if (unavailable)
    log.warn(
      { requestId, reason: thrownIn(unavailable), path: unavailable.path },
      'resolver failed: dependency unavailable',
    );
}
