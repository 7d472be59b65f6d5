import type { GraphQLSchema } from 'graphql';
import type { ExecuteForEvent } from '../subscription/event-results.js';
import {
  executeOperation,
  coerceVariables,
  createCompiledOperations,
} from './compile-operation.js';

/**
 * Creates compiled execution of subscriptions. Unlike an operation that failed, a subscription
 * stays compiled: an event can lack properties that streams which have just started select.
 */
export function createCompiledSubscriptions(schema: GraphQLSchema): ExecuteForEvent {
  const compiled = createCompiledOperations(schema);
  return async ({ operation, variables: sent, context, event }) => {
    const variables = coerceVariables(schema, operation, sent);
    const compiledOperation = variables && compiled.get(operation, variables);
    if (!compiledOperation) return null;
    try {
      return `{"data":${await executeOperation(compiledOperation, { variables, context, event })}}`;
    } catch {
      return null;
    }
  };
}
