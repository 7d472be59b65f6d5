import { GraphQLError, Kind, parse, type ExecutionResult } from 'graphql';
import { headersOf, type Credentials } from './credentials.js';

interface Params {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

const refused = (reason: string): ExecutionResult<never> => ({
  errors: [new GraphQLError(reason)],
});

/** One request of GraphQL, to this page's own origin; what comes of it is an answer to show, also where none came. */
export async function ask<Data>(
  credentials: Credentials,
  params: Params,
): Promise<ExecutionResult<Data>> {
  if (params.query.trim() === '')
    return refused('There is nothing to run yet: write an operation first.');
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        ...headersOf(credentials),
        'Content-Type': 'application/json',
        Accept: 'application/json',
      },
      body: JSON.stringify(params),
    });
    return (await response.json()) as ExecutionResult<Data>;
  } catch {
    return refused('The gateway cannot be reached. Is it running?');
  }
}

/** GraphiQL names the operation of the tab that was in front before, if it is asked just after a change of tabs: where there is but one, none has to be named. */
export const withoutNeedlessName = ({ operationName, ...params }: Params): Params =>
  operationsIn(params.query) > 1 ? { ...params, operationName } : params;

function operationsIn(query: string): number {
  try {
    return parse(query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length;
  } catch {
    return 0; // the gateway says what is wrong with it
  }
}
