import type { ApolloServerPlugin, DocumentStore, GraphQLRequestListener } from '@apollo/server';
import { OperationTypeNode, type DocumentNode } from 'graphql';
import { GatewayError } from '../domain/errors.js';
import type { GatewayContext } from './context.js';
import { LIMITS } from './document/limits.js';

/** A document store of Apollo Server that takes prepared documents. */
interface PreparedDocumentStore extends DocumentStore {
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
  new GatewayError('BAD_USER_INPUT', 'Subscriptions are not supported. Use a query or a mutation.');
const costError = (cost: number): GatewayError =>
  new GatewayError(
    'QUERY_TOO_COMPLEX',
    `The operation costs ${cost}; the maximum is ${LIMITS.cost}.`,
  );

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
      // Validation accepts subscriptions: without a subscription type there are no fields to check.
      if (operation.operation === OperationTypeNode.SUBSCRIPTION)
        return Promise.reject(subscriptionError());
      state.cost = prepared.costOf(request.variables ?? {});
      if (state.cost <= LIMITS.cost) return Promise.resolve();
      return Promise.reject(costError(state.cost));
    },
    willSendResponse({ response: { body }, contextValue: { authentication, state } }) {
      if (body.kind !== 'single' || body.singleResult.data === undefined) return Promise.resolve();
      const { limit, remaining, resetAt } = authentication.rate;
      const extensions = {
        cost: { requested: state.cost, maximum: LIMITS.cost },
        rateLimit: { limit, remaining, resetAt },
      };
      body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions };
      return Promise.resolve();
    },
  };
  return { requestDidStart: () => Promise.resolve(listener) };
}
