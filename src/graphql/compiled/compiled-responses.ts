import { OperationTypeNode, type GraphQLSchema } from 'graphql';
import type { GatewayContext } from '../context.js';
import {
  chooseOperation,
  type PreparedDocument,
  type PreparedOperation,
} from '../document/prepared-document.js';
import { costErrorOf, presentExtensions } from '../response-plugin.js';
import { isRecord, type ReceivedRequest } from '../subscription/read-operation.js';
import { createCompiledExecution } from './compiled-execution.js';

/** A request, as far as it is read here. */
type CompiledRequest = Pick<ReceivedRequest, 'method' | 'body'>;

/** The operation of a request that Apollo Server would execute, with variables as sent. */
interface AcceptedOperation {
  readonly operation: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Parameters of a request that may be missing or null. */
interface OptionalParameters {
  readonly operationName?: unknown;
  readonly variables?: unknown;
  readonly extensions?: unknown;
}

const isRecordOrNull = (value: unknown): value is Readonly<Record<string, unknown>> | null =>
  value === null || isRecord(value);

/**
 * The operation of a POST request. Null if the request has an error, or an extension of the protocol:
 * Apollo Server responds to those.
 */
function acceptedOperation(
  { method, body }: CompiledRequest,
  document: PreparedDocument,
): AcceptedOperation | null {
  if (method !== 'POST' || !isRecord(body)) return null;
  const { operationName = null, variables = null, extensions = null }: OptionalParameters = body;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (!isRecordOrNull(variables) || !isRecordOrNull(extensions)) return null;
  if (extensions?.['persistedQuery'] !== undefined) return null;
  const operation = chooseOperation(document, operationName);
  if (!operation || operation.definition.operation === OperationTypeNode.SUBSCRIPTION) return null;
  return { operation, variables: variables ?? {} };
}

/** Responds to a request whose operation succeeds, as Apollo Server would, with a JSON text. */
type CompiledResponses = (
  request: CompiledRequest,
  context: GatewayContext,
) => Promise<string | null>;

/**
 * Creates the responses of compiled operations. They are null for other requests, which Apollo
 * Server executes then, with the results of root fields that exist already.
 */
export function createCompiledResponses(schema: GraphQLSchema): CompiledResponses {
  const execute = createCompiledExecution(schema);
  return async (request, context) => {
    const { document, state, authentication } = context;
    const accepted = document && acceptedOperation(request, document);
    if (!accepted) return null;
    const { operation, variables } = accepted;
    const cost = operation.costOf(variables);
    if (costErrorOf(cost)) return null;
    Object.assign(state, { isWellFormed: true, operation, cost });
    const data = await execute({ operation, variables, context });
    if (data === null) return null;
    const extensions = presentExtensions(authentication, state);
    return `{"data":${data},"extensions":${JSON.stringify(extensions)}}`;
  };
}
