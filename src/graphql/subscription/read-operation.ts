import { GatewayError } from '../../domain/errors.js';

/** A GraphQL request, as clients send it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A request before its parameters are read. */
interface ReceivedRequest {
  readonly method: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Query string with its question mark, or empty. */
  readonly search: string;
}

/** The document of a request; empty if it has none. */
export function sourceOf({ method, body, search }: ReceivedRequest): string {
  const source =
    method === 'POST'
      ? (body as { query?: unknown } | null | undefined)?.query
      : new URLSearchParams(search).get('query');
  return typeof source === 'string' ? source : '';
}

/** Whether a value is an object of JSON. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const badInput = (name: string, expected: string): GatewayError => {
  const message = `${name} must be ${expected}.`;
  return new GatewayError('BAD_USER_INPUT', message, [{ path: [name], message }]);
};

function parseVariables(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('variables', 'a JSON object');
  }
}

function parametersOf({ method, body, search }: ReceivedRequest): Record<string, unknown> {
  if (method === 'POST') {
    if (!isRecord(body)) throw badInput('body', 'a JSON object with a query');
    return body;
  }
  const parameters = new URLSearchParams(search);
  const variables = parameters.get('variables');
  return {
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    variables: variables ? parseVariables(variables) : null,
  };
}

/**
 * Reads a request whose response is an event stream, according to GraphQL over HTTP.
 * @throws GatewayError BAD_USER_INPUT with the path of the parameter
 */
export function readOperation(request: ReceivedRequest): OperationRequest {
  const { query, operationName = null, variables = null } = parametersOf(request);
  if (typeof query !== 'string' || query === '') throw badInput('query', 'a GraphQL document');
  if (operationName !== null && typeof operationName !== 'string')
    throw badInput('operationName', 'a string');
  if (variables !== null && !isRecord(variables)) throw badInput('variables', 'a JSON object');
  return { query, operationName, variables: variables ?? {} };
}
