import fc from 'fast-check';
import { createCompiledExecution } from '../../../src/graphql/compiled/compiled-execution.js';
import { createDocuments } from '../../../src/graphql/document/prepared-document.js';
import { arbitraryOperation, type Operation } from '../../fixtures/random/operations.js';
import { authenticatedAs } from '../test-api.js';
import { openComparison, schema, toComparableResult } from './compiled-comparison.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const comparison = forAllTests(() => openComparison());
afterAll(() => comparison.api.database.drop());

/** Sends a request to the server with compiled execution, and to the one without. */
async function sendToBoth(body: Operation, viewer: number) {
  const { send, interpreter } = comparison.api;
  const authentication = authenticatedAs(comparison.viewers[viewer]!);
  const compiled = await send(authentication, { body });
  return { compiled, interpreted: await send(authentication, { body }, interpreter) };
}

it('the server responds the same without compiled execution', async () => {
  const operations = arbitraryOperation(schema, comparison.pools, {
    // A cursor of changes is another one each time: its position is encrypted.
    weights: { 'Query.posts': 4, 'Query.post': 3, 'ChangePage.nextCursor': 0 },
  });
  const seen = { data: 0, errors: 0 };
  await fc.assert(
    fc.asyncProperty(operations, fc.nat({ max: 1 }), async (operation, viewer) => {
      const { compiled, interpreted } = await sendToBoth(operation, viewer);
      const [{ status, headers, operation: name, extensions }, other] = [compiled, interpreted];
      expect({ status, headers, name, extensions }).toEqual({
        status: other.status,
        headers: other.headers,
        name: other.operation,
        extensions: other.extensions,
      });
      expect(toComparableResult(compiled)).toEqual(toComparableResult(interpreted));
      expect(JSON.stringify(compiled.data)).toBe(JSON.stringify(interpreted.data));
      seen[compiled.errors ? 'errors' : 'data'] += 1;
    }),
    { numRuns: 300, seed: 24 },
  );
  expect(seen.data).toBeGreaterThan(100);
  expect(seen.errors).toBeGreaterThan(20);
});

it('compiles queries and mutations', async () => {
  const prepare = createDocuments(schema);
  const execute = createCompiledExecution(schema);
  const executeFirst = async (query: string) => {
    const context = comparison.api.context(comparison.viewers[0]);
    const [operation] = [...prepare(query).prepared!.operations.values()];
    context.state.operation = operation!;
    return execute({ operation: operation!, variables: {}, context });
  };
  expect(await executeFirst('{ posts(first: 1) { totalCount } }')).toMatch(/^\{"posts":/);
  const deletion = await executeFirst(
    'mutation { deletePosts(input: { ids: ["nope"] }) { deletedIds } }',
  );
  expect(deletion).toBe('{"deletePosts":{"deletedIds":[]}}');
});
