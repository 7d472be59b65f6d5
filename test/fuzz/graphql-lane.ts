import fc from 'fast-check';
import { parse } from 'graphql';
import { buildGatewaySchema } from '../../src/graphql/schema.js';
import { departuresOfRun } from '../fixtures/graphql-answers.js';
import { arbitraryOperation, type Operation } from '../fixtures/random/operations.js';
import { askers, type Ask, type Asker } from './ask.js';
import { outcomeOf, readGraphqlAnswer } from './graphql-answer.js';
import type { Lane } from './lane.js';

export const schema = buildGatewaySchema();

/** What is refused before it runs although it is valid: by the gate, or for its size (D35, D40). */
const BEFORE_IT_RUNS = new Set([
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

/** Lists and posts lead deepest; what is public leads nowhere. */
export const WEIGHTS = {
  'Query.posts': 8,
  'Query.post': 4,
  'Query.node': 4,
  'Query.nodes': 4,
  'Mutation.updatePost': 4,
};

export interface Asked extends Operation {
  readonly asker: Asker;
  readonly accept: string;
}
export const ACCEPT = fc.constantFrom(
  'application/json',
  'application/graphql-response+json',
  '*/*',
  'application/graphql-response+json; charset=utf-8, application/json;q=0.9',
);

export const toAsk = ({ asker, accept, ...operation }: Asked): Ask => ({
  ...asker,
  method: 'POST',
  path: '/graphql',
  headers: { accept, 'content-type': 'application/json' },
  body: JSON.stringify(operation),
});

/** Random valid operations over the whole schema, with the ids of records that are there and of others. */
export const graphqlLane: Lane<Asked> = {
  name: 'graphql',
  share: 35,
  asked({ pools }) {
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
      .record({ operation: fc.oneof(...operations), asker: askers, accept: ACCEPT })
      .map(({ operation, ...one }) => ({ ...operation, ...one }));
  },
  async hold(asked, { send }) {
    const answer = await send(toAsk(asked));
    const body = readGraphqlAnswer(answer);
    if (body.data === undefined) {
      const codes = body.errors!.map(({ extensions }) => extensions.code);
      if (!codes.every((code) => BEFORE_IT_RUNS.has(code)))
        throw new Error(`a valid operation was not run: ${answer.text}`);
      return outcomeOf(body);
    }
    const departures = departuresOfRun({ schema, document: parse(asked.query), ...asked }, body);
    if (departures.length > 0)
      throw new Error(`${answer.text.slice(0, 2_000)}\n${departures.join('\n')}`);
    return `${asked.query.startsWith('mutation') ? 'mutation' : 'query'} ${outcomeOf(body)}`;
  },
};
