import { GraphQLError, isEnumType, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import { ERRORS, GatewayError, type ErrorCode } from '../domain/errors.js';

/** Keeps a refused value of a megabyte from coming back whole. */
const LONGEST_MESSAGE = 1_000;

const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  405: 'METHOD_NOT_ALLOWED',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
/** Apollo Server's and graphql-js's own words for what is malformed: none of them is a fault of ours. */
const MALFORMED = new Set([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

const isTooDeep = (message: string): boolean => message === 'Maximum introspection depth exceeded';
/** Found while executing, and without a code: a variable without a value where one is needed, and more mistakes in variables than graphql-js tells. */
const FOUND_LATE = ['Argument "', 'Too many errors processing variables'];
const isFoundLate = ({ message, originalError }: GraphQLError): boolean =>
  originalError === undefined && FOUND_LATE.some((words) => message.startsWith(words));

/** The code an error is answered with; INTERNAL_SERVER_ERROR for whatever is not a refusal. */
export function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof GraphQLError))
    return error instanceof GatewayError ? error.code : 'INTERNAL_SERVER_ERROR';
  if (error.originalError instanceof GatewayError) return error.originalError.code;
  const { code, http } = error.extensions as { code?: string; http?: { status?: number } };
  const byStatus = CODE_BY_STATUS[http?.status ?? 0];
  if (byStatus) return byStatus;
  if (isTooDeep(error.message)) return 'QUERY_TOO_DEEP';
  return MALFORMED.has(code ?? '') || isFoundLate(error)
    ? 'BAD_USER_INPUT'
    : 'INTERNAL_SERVER_ERROR';
}

const shorten = (message: string): string =>
  message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message;

/** A message without guesses at other names; of an enum, it says what is allowed. Shortened first: a refused value can hold the words of a guess a thousand times over. */
function clarify(message: string, schema: GraphQLSchema): string {
  const plain = shorten(message).replace(/ ?Did you mean [^?]*\?/g, '');
  const name = /\bin "(\w+)" enum\b|\bEnum "(\w+)" cannot represent\b/.exec(plain);
  const type = name && schema.getType(name[1] ?? name[2] ?? '');
  return isEnumType(type)
    ? `${plain} Allowed: ${type
        .getValues()
        .map((value) => value.name)
        .join(', ')}.`
    : plain;
}

/** Makes what Apollo Server's `formatError` calls: an error as clients see it, with a code of ErrorCode and no inner detail (D41). */
export const createFormatError =
  (schema: GraphQLSchema) =>
  ({ message, locations, path }: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const code = codeOf(error);
    const cause = error instanceof GraphQLError ? error.originalError : error;
    const problems = cause instanceof GatewayError ? cause.problems : [];
    return {
      message: code === 'INTERNAL_SERVER_ERROR' ? ERRORS[code].meaning : clarify(message, schema),
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: { code, ...(problems.length > 0 && { problems }) },
    };
  };
