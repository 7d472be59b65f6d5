import type { ApolloServerPlugin, DocumentStore, GraphQLRequestListener } from '@apollo/server';
import { OperationTypeNode, type DocumentNode } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { GatewayContext, RequestState } from './context.js';
import { LIMITS } from './document/limits.js';

/** A document store of Apollo Server that takes prepared documents. */
export interface PreparedDocumentStore extends DocumentStore {
  /** Adds the document that Apollo Server is about to look up. */
  add(queryHash: string, document: DocumentNode): void;
}

/** More than the documents that Apollo Server can be about to look up. */
const MAX_DOCUMENTS = 64;

/**
 * Hands prepared documents to Apollo Server, which would parse and validate them again. Right after
 * `didResolveSource`, Apollo Server looks a document up by the hash of its text, which follows the
 * hash of the schema and a colon.
 */
export function createDocumentStore(): PreparedDocumentStore {
  const documents = new Map<string, DocumentNode>();
  return {
    add(queryHash, document) {
      documents.set(queryHash, document);
      if (documents.size > MAX_DOCUMENTS) documents.delete(documents.keys().next().value!);
    },
    get: (key) => Promise.resolve(documents.get(key.slice(key.lastIndexOf(':') + 1))),
    // documents that Apollo Server has parsed: only those that were not prepared
    set: () => Promise.resolve(),
    delete: (key) => Promise.resolve(documents.delete(key)),
  };
}

const subscriptionError = (): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    'The result of a subscription is an event stream. Send the header Accept: text/event-stream.',
  );
/** The error of an operation that costs too much; null if it does not. */
export const costErrorOf = (cost: number): GatewayError | null =>
  cost <= LIMITS.cost
    ? null
    : new GatewayError(
        'QUERY_TOO_COMPLEX',
        `The operation costs ${cost}; the maximum is ${LIMITS.cost}.`,
      );

/** The extensions of a result: cost and rate limit. */
export const presentExtensions = (
  { rate: { limit, remaining, resetAt } }: Pick<Authentication, 'rate'>,
  { cost }: Pick<RequestState, 'cost'>,
) => ({
  cost: { requested: cost, maximum: LIMITS.cost },
  rateLimit: { limit, remaining, resetAt },
});

/**
 * Passes the prepared document to Apollo Server, chooses the operation, rejects it if it is too
 * complex, and adds cost and rate limit to `extensions`.
 */
export function responsePlugin(
  documentStore: PreparedDocumentStore,
): ApolloServerPlugin<GatewayContext> {
  const listener: GraphQLRequestListener<GatewayContext> = {
    didResolveSource({ queryHash, contextValue: { document, state } }) {
      state.isWellFormed = true;
      if (document) documentStore.add(queryHash, document.document);
      return Promise.resolve();
    },
    didResolveOperation({ operation, request, contextValue: { document, state } }) {
      // several operations without `operationName`: Apollo Server rejects the request
      const prepared = operation && document?.operations.get(operation.name?.value);
      if (!prepared) return Promise.resolve();
      state.operation = prepared;
      // Those with an event stream do not reach Apollo Server.
      if (operation.operation === OperationTypeNode.SUBSCRIPTION)
        return Promise.reject(subscriptionError());
      state.cost = prepared.costOf(request.variables ?? {});
      const costError = costErrorOf(state.cost);
      return costError ? Promise.reject(costError) : Promise.resolve();
    },
    willSendResponse({ response: { body }, contextValue: { authentication, state } }) {
      if (body.kind !== 'single' || body.singleResult.data === undefined) return Promise.resolve();
      body.singleResult.extensions = {
        ...body.singleResult.extensions,
        ...presentExtensions(authentication, state),
      };
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
