import { GraphQLError, isEnumType, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { ERRORS, GatewayError, type ErrorCode } from '../../domain/errors.js';

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
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const isTooDeep = (message: string): boolean => message === 'Maximum introspection depth exceeded';
/**
 * Input errors that graphql-js reports during execution, without a code: missing values of
 * variables, and more errors in variables than it lists.
 */
const INPUT_ERROR_PREFIXES = ['Argument "', 'Too many errors processing variables'];
const isInputError = ({ message, originalError }: GraphQLError): boolean =>
  originalError === undefined && INPUT_ERROR_PREFIXES.some((prefix) => message.startsWith(prefix));

/** Error code of an error; INTERNAL_SERVER_ERROR for unexpected errors. */
export function errorCodeOf(error: unknown): ErrorCode {
  if (!(error instanceof GraphQLError))
    return error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR';
  if (error.originalError instanceof GatewayError) return error.originalError.code;
  const { code, http } = error.extensions as { code?: string; http?: { status?: number } };
  const byStatus = CODE_BY_STATUS[http?.status ?? 0];
  if (byStatus) return byStatus;
  if (isTooDeep(error.message)) return 'QUERY_TOO_DEEP';
  return BAD_REQUEST_CODES.has(code ?? '') || isInputError(error)
    ? 'BAD_USER_INPUT'
    : 'INTERNAL_SERVER_ERROR';
}

const truncate = (message: string): string =>
  message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message;

/**
 * Removes suggestions of other names from a message, and lists the allowed values of an enum.
 * Truncates first: a rejected value can contain "Did you mean" thousands of times, which makes the
 * replacement slow.
 */
function clarifyMessage(message: string, schema: GraphQLSchema): string {
  const plain = truncate(message).replace(/ ?Did you mean [^?]*\?/g, '');
  const name = /\bin "(\w+)" enum\b|\bEnum "(\w+)" cannot represent\b/.exec(plain);
  const type = name && schema.getType(name[1] ?? name[2] ?? '');
  return isEnumType(type)
    ? `${plain} Allowed: ${type
        .getValues()
        .map((value) => value.name)
        .join(', ')}.`
    : plain;
}

/**
 * Creates the `formatError` of Apollo Server: converts an error to the public format, with a code
 * of ErrorCode and no internal details (D41).
 */
export const createFormatError =
  (schema: GraphQLSchema) =>
  ({ message, locations, path }: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const code = errorCodeOf(error);
    const cause = error instanceof GraphQLError ? error.originalError : error;
    const problems = cause instanceof GatewayError ? cause.problems : [];
    return {
      message:
        code === 'INTERNAL_SERVER_ERROR'
          ? ERRORS[code].description
          : clarifyMessage(message, schema),
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: { code, ...(problems.length > 0 && { problems }) },
    };
  };
