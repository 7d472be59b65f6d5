import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import {
  createSourceEventStream,
  execute,
  GraphQLError,
  locatedError,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import type { EventStream, StreamedEvent } from '../services/events/live-events.js';
import { AnswerTooLargeError, assertResultFits } from './answer-size.js';
import type { CompiledEventExecution } from './compiled/compiled-execution.js';
import { presentExtensions, type GatewayContext, type SubscriptionStream } from './context.js';
import { LIMITS } from './document/limits.js';
import type {
  PreparedDocument,
  PreparedOperation,
  OperationRequest,
} from './document/prepared-document.js';

type Gateway = ApolloServerOptionsWithGateway<GatewayContext>['gateway'];
type GatewayExecutor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** A subscription and the event to execute it for. */
export interface EventExecution {
  readonly request: OperationRequest;
  readonly document: PreparedDocument;
  readonly operation: PreparedOperation;
  readonly context: GatewayContext;
  readonly event: StreamedEvent;
}

/** Executes by graphql-js what is not compiled. */
export interface Executor {
  /** The executor of Apollo Server's gateway: what is not compiled, streams, rejected documents. */
  readonly execute: GatewayExecutor;
  /** Returns the result as JSON text where that is possible. */
  executeForEvent(execution: EventExecution): Promise<string | ExecutionResult>;
}

interface ExecutorOptions {
  readonly schema: GraphQLSchema;
  /** Null if compiled execution is not used. */
  readonly executeCompiledForEvent: CompiledEventExecution | null;
}

/** Creates the executor of a schema. */
export function createExecutor({ schema, executeCompiledForEvent }: ExecutorOptions): Executor {
  const common = { schema, options: { maxCoercionErrors: LIMITS.variableErrors } };

  async function executeWithin(args: ExecutionArgs): Promise<ExecutionResult> {
    const result = await execute(args);
    assertResultFits(result.data);
    return result;
  }
  async function executeOperation(args: ExecutionArgs, context: GatewayContext) {
    const result = await orTooLarge(executeWithin(args));
    return result.data === undefined
      ? result
      : { ...result, extensions: presentExtensions(context) };
  }

  return {
    async execute({ context: contextValue, document, request }) {
      const context = contextValue as GatewayContext;
      if (context.documentErrors) return { errors: context.documentErrors.map(toGraphqlError) };
      if (context.state.answerError) return { errors: [toGraphqlError(context.state.answerError)] };
      const { operationName, variables: variableValues } = request;
      const args = { ...common, document, operationName, variableValues, contextValue };
      return context.stream
        ? executeSubscription(args, context.stream)
        : executeOperation(args, context);
    },
    executeForEvent({ request, document, operation, context, event }) {
      const { operationName, variables } = request;
      const executeEvent = async (): Promise<string | ExecutionResult> =>
        (await executeCompiledForEvent?.({ operation, variables, context, event })) ??
        executeWithin({
          ...common,
          document: document.document,
          operationName,
          variableValues: variables,
          contextValue: context,
          rootValue: event,
        });
      return orTooLarge(executeEvent());
    },
  };
}

/**
 * Opens the events of a subscription and hands them to the response. Its result is that of the
 * whole stream, so that plugins of Apollo Server see the error that ends the stream, and its end.
 */
async function executeSubscription(
  args: ExecutionArgs,
  stream: SubscriptionStream,
): Promise<ExecutionResult> {
  const opened = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in opened)) {
    stream.refuse(opened.errors ?? []);
    return opened;
  }
  // graphql-js returns what the field's `subscribe` returned: all subscriptions are to events.
  const error = await stream.deliver(opened as EventStream);
  return error ? { errors: [toGraphqlError(error)] } : { data: null };
}

/** The result, or that it is too large. */
const orTooLarge = <Result>(result: Promise<Result>): Promise<Result | ExecutionResult> =>
  result.catch((error: unknown) => {
    if (error instanceof AnswerTooLargeError) return { errors: [toGraphqlError(error)] };
    throw error;
  });

/** An error as graphql-js reports it. */
const toGraphqlError = (error: Error): GraphQLError =>
  error instanceof GraphQLError ? error : locatedError(error, undefined);
