import {
  getOperationAST,
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  type ExecutionResult,
} from 'graphql';
import { createClient, NetworkError } from 'graphql-sse';
import { headersOf, type Credentials } from './credentials.js';

/** An operation to execute. */
export interface ExecuteParams {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

const toErrorResult = (reason: string): ExecutionResult<never> => ({
  errors: [new GraphQLError(reason)],
});

/** Headers and body that send an operation with these credentials by POST. */
export const toRequest = (
  credentials: Credentials,
  params: ExecuteParams,
): { headers: Record<string, string>; body: string } => ({
  headers: {
    ...headersOf(credentials),
    'Content-Type': 'application/json',
    Accept: isSubscription(params) ? 'text/event-stream' : 'application/json',
  },
  body: JSON.stringify(params),
});

/**
 * Sends a GraphQL request to the origin of the page. Returns network errors as a GraphQL result, so
 * that they are shown.
 */
export async function execute<Data>(
  credentials: Credentials,
  params: ExecuteParams,
  onResponse: (response: Response) => void = () => undefined,
): Promise<ExecutionResult<Data>> {
  if (params.query.trim() === '') return toErrorResult('Nothing to run. Write an operation first.');
  try {
    const response = await fetch('/graphql', { method: 'POST', ...toRequest(credentials, params) });
    onResponse(response);
    return (await response.json()) as ExecutionResult<Data>;
  } catch {
    return toErrorResult('Could not reach the gateway. Check that it is running.');
  }
}

/** Whether the operation is a subscription. */
export function isSubscription({ query, operationName }: ExecuteParams): boolean {
  try {
    const operation = getOperationAST(parse(query), operationName);
    return operation?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    return false; // the gateway reports the syntax error
  }
}

/** The first error in a response that is no event stream. */
async function reasonOf(error: unknown): Promise<string> {
  if (!(error instanceof NetworkError) || !(error.response instanceof Response))
    return 'The connection to the gateway was lost. Run the operation again.';
  const { errors } = (await error.response.json()) as ExecutionResult;
  return errors?.[0]?.message ?? `The gateway responded with status ${error.response.status}.`;
}

/** Runs a subscription until GraphiQL stops it. Its results are those of the gateway. */
export async function* subscribe(
  credentials: Credentials,
  { query, variables, operationName }: ExecuteParams,
): AsyncGenerator<ExecutionResult, void, undefined> {
  const client = createClient({
    url: '/graphql',
    headers: headersOf(credentials),
    retryAttempts: 0,
  });
  try {
    yield* client.iterate<Record<string, unknown>>({
      query,
      ...(operationName && { operationName }),
      variables: variables as Record<string, unknown>,
    }) as AsyncIterable<ExecutionResult>;
  } catch (error) {
    yield toErrorResult(await reasonOf(error));
  } finally {
    client.dispose();
  }
}

/**
 * Removes the operation name from a document with one operation: just after a tab change, GraphiQL
 * sends the name from the previous tab.
 */
export const omitRedundantOperationName = ({
  operationName,
  ...params
}: ExecuteParams): ExecuteParams =>
  countOperations(params.query) > 1 ? { ...params, operationName } : params;

function countOperations(query: string): number {
  try {
    return parse(query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  } catch {
    return 0; // the gateway reports the syntax error
  }
}
