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
import type { Authentication } from '../services/access/access-control.js';
import type { EventStream, StreamedEvent } from '../services/events/live-events.js';
import {
  createCompiledExecution,
  createCompiledSubscriptions,
} from './compiled/compiled-execution.js';
import type { GatewayContext, RequestState, SubscriptionStream } from './context.js';
import { LIMITS } from './document/limits.js';
import type { PreparedDocument, PreparedOperation } from './document/prepared-document.js';
import type { OperationRequest } from './subscription/read-operation.js';

type Gateway = ApolloServerOptionsWithGateway<GatewayContext>['gateway'];
type GatewayExecutor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;

/** `data` of a result as JSON text, which compiled execution writes. */
export class SerializedData {
  constructor(readonly text: string) {}

  /** For plugins that serialize results. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A subscription and the event to execute it for. */
export interface EventExecution {
  readonly request: OperationRequest;
  readonly document: PreparedDocument;
  readonly operation: PreparedOperation;
  readonly context: GatewayContext;
  readonly event: StreamedEvent;
}

/** Executes operations: compiled where that is possible, otherwise by graphql-js. */
export interface Executor {
  /** The executor of Apollo Server's gateway. */
  readonly execute: GatewayExecutor;
  /** Returns the result as JSON text where that is possible. */
  executeForEvent(execution: EventExecution): Promise<string | ExecutionResult>;
}

interface ExecutorOptions {
  readonly schema: GraphQLSchema;
  /** Whether compiled execution is used. Results are the same without it, but slower. */
  readonly compiles: boolean;
}

/** Creates the executor of a schema. */
export function createExecutor({ schema, compiles }: ExecutorOptions): Executor {
  const executeCompiled = compiles ? createCompiledExecution(schema) : null;
  const executeCompiledForEvent = compiles ? createCompiledSubscriptions(schema) : null;
  const common = { schema, options: { maxCoercionErrors: LIMITS.variableErrors } };

  async function executeOperation(args: ExecutionArgs, context: GatewayContext) {
    const { operation } = context.state;
    const variables = args.variableValues ?? {};
    const text = operation && (await executeCompiled?.({ operation, variables, context }));
    const result = text ? { data: new SerializedData(text) } : await execute(args);
    return result.data === undefined
      ? result
      : { ...result, extensions: presentExtensions(context.authentication, context.state) };
  }

  return {
    async execute({ context: contextValue, document, request }) {
      const context = contextValue as GatewayContext;
      if (context.documentErrors) return { errors: context.documentErrors.map(toGraphqlError) };
      const { operationName, variables: variableValues } = request;
      const args = { ...common, document, operationName, variableValues, contextValue };
      return context.stream
        ? executeSubscription(args, context.stream)
        : executeOperation(args, context);
    },
    async executeForEvent({ request, document, operation, context, event }) {
      const { operationName, variables } = request;
      return (
        (await executeCompiledForEvent?.({ operation, variables, context, event })) ??
        execute({
          ...common,
          document: document.document,
          operationName,
          variableValues: variables,
          contextValue: context,
          rootValue: event,
        })
      );
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

/** An error as graphql-js reports it. */
const toGraphqlError = (error: Error): GraphQLError =>
  error instanceof GraphQLError ? error : locatedError(error, undefined);

/** The extensions of a result: cost and rate limit. */
const presentExtensions = (
  { rate: { limit, remaining, resetAt } }: Pick<Authentication, 'rate'>,
  { cost }: Pick<RequestState, 'cost'>,
) => ({
  cost: { requested: cost, maximum: LIMITS.cost },
  rateLimit: { limit, remaining, resetAt },
});
