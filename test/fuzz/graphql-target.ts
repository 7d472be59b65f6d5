import fc from 'fast-check';
import { parse } from 'graphql';
import { buildGatewaySchema } from '../../src/graphql/schema/schema.js';
import { resultViolations } from '../fixtures/graphql-results.js';
import { arbitraryOperation, type Operation } from '../fixtures/random/operations.js';
import { callers, type FuzzRequest, type Caller } from './fuzz-request.js';
import { outcomeOf, readGraphqlResponse } from './graphql-response.js';
import type { FuzzTarget } from './fuzz-target.js';

export const schema = buildGatewaySchema();

/**
 * Codes that reject a valid operation before it runs: authentication, rate limit and size limits
 * (D35, D40).
 */
const REJECTION_CODES = new Set([
  'UNAUTHENTICATED',
  'RATE_LIMITED',
  'PLAN_REQUIRED',
  'QUERY_TOO_DEEP',
  'QUERY_TOO_COMPLEX',
  'TOO_MANY_FIELDS',
  'TOO_MANY_ALIASES',
  'TOO_MANY_DIRECTIVES',
  'TOO_MANY_TOKENS',
]);

/** Prefers lists and posts, whose selections are the deepest. */
export const WEIGHTS = {
  'Query.posts': 8,
  'Query.post': 4,
  'Query.node': 4,
  'Query.nodes': 4,
  'Mutation.updatePost': 4,
};

export interface GraphqlRequest extends Operation {
  readonly caller: Caller;
  readonly accept: string;
}
export const ACCEPT = fc.constantFrom(
  'application/json',
  'application/graphql-response+json',
  '*/*',
  'application/graphql-response+json; charset=utf-8, application/json;q=0.9',
);

export const toFuzzRequest = ({ caller, accept, ...operation }: GraphqlRequest): FuzzRequest => ({
  ...caller,
  method: 'POST',
  path: '/graphql',
  headers: { accept, 'content-type': 'application/json' },
  body: JSON.stringify(operation),
});

/** Random valid operations over the whole schema, with IDs of existing and of unknown records. */
export const graphqlTarget: FuzzTarget<GraphqlRequest> = {
  name: 'graphql',
  share: 35,
  requests({ pools }) {
    const operations = [
      { weight: 5, arbitrary: arbitraryOperation(schema, pools, { weights: WEIGHTS }) },
      {
        weight: 2,
        arbitrary: arbitraryOperation(schema, pools, {
          weights: WEIGHTS,
          kinds: ['mutation'],
          fields: 30,
        }),
      },
    ];
    return fc
      .record({ operation: fc.oneof(...operations), caller: callers, accept: ACCEPT })
      .map(({ operation, ...request }) => ({ ...operation, ...request }));
  },
  async check(request, { send }) {
    const response = await send(toFuzzRequest(request));
    const body = readGraphqlResponse(response);
    if (body.data === undefined) {
      const codes = body.errors!.map(({ extensions }) => extensions.code);
      if (!codes.every((code) => REJECTION_CODES.has(code)))
        throw new Error(`a valid operation was not run: ${response.text}`);
      return outcomeOf(body);
    }
    const violations = resultViolations(
      { schema, document: parse(request.query), ...request },
      body,
    );
    if (violations.length > 0)
      throw new Error(`${response.text.slice(0, 2_000)}\n${violations.join('\n')}`);
    return `${request.query.startsWith('mutation') ? 'mutation' : 'query'} ${outcomeOf(body)}`;
  },
};
