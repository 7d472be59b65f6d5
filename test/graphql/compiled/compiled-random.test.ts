import fc from 'fast-check';
import type { Posts } from '../../../src/services/posts/post-outcomes.js';
import { wildValues } from '../../fixtures/random/mutations.js';
import { arbitraryOperation } from '../../fixtures/random/operations.js';
import {
  executeBothWays,
  isExecutable,
  openComparison,
  schema,
  toPlainResult,
  type CreateContext,
} from './compiled-comparison.js';

let comparison: Awaited<ReturnType<typeof openComparison>>;
beforeAll(async () => {
  comparison = await openComparison();
});
afterAll(() => comparison.api.database.drop());

it('returns the same bytes as graphql-js for random operations over the whole schema, and the same errors with their paths', async () => {
  const operations = arbitraryOperation(schema, comparison.pools, {
    weights: { 'Query.posts': 4, 'Query.post': 3 },
  }).filter(isExecutable);
  let [compiled, failed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      operations,
      fc.nat({ max: comparison.contexts.length - 1 }),
      async (operation, index) => {
        const { text, expected, completed } = await executeBothWays(
          operation,
          comparison.contexts[index]!,
        );
        expect(toPlainResult(completed)).toEqual(toPlainResult(expected));
        if (text === null) {
          failed += Number(expected.errors !== undefined);
          return;
        }
        compiled += 1;
        expect(expected.errors).toBeUndefined();
        expect(text).toBe(JSON.stringify(expected.data));
      },
    ),
    { numRuns: 1_000, seed: 21 },
  );
  expect(compiled).toBeGreaterThan(100);
  expect(failed).toBeGreaterThan(50);
}, 120_000);

it('returns the same as graphql-js for random mutations, as dry runs', async () => {
  const posts = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      comparison.api.records.aPost({
        by: comparison.viewers[0],
        storedState: n % 2 === 0 ? 'draft_undated' : 'published_posted',
        text: `Number ${n}`,
      }),
    ),
  );
  const ids = [...posts.map(({ id }) => id), '0123456789abcdef01234567'];
  const operations = arbitraryOperation(
    schema,
    {
      ...comparison.pools,
      'UpdatePostInput.id': ids,
      'DeletePostsInput.ids': ids,
      'SchedulePostsInput.ids': ids,
      'RetryPostsInput.ids': ids,
      'PostRefInput.id': ids,
      'PostPatch.text': ['another', 'a third'],
    },
    { kinds: ['mutation'], weights: { 'Mutation.updatePost': 4 } },
  ).filter(isExecutable);
  const dryRunPosts: Posts = {
    ...comparison.api.posts,
    update: (viewer, request) => comparison.api.posts.update(viewer, { ...request, dryRun: true }),
    act: (viewer, request) => comparison.api.posts.act(viewer, { ...request, dryRun: true }),
    delete: (viewer, request) => comparison.api.posts.delete(viewer, { ...request, dryRun: true }),
  };
  const dryRunContexts: readonly CreateContext[] = [
    ...comparison.viewers.map(
      (viewer) => () => comparison.api.context(viewer, undefined, { posts: dryRunPosts }),
    ),
    () =>
      comparison.api.context(comparison.viewers[0], { kind: 'missing' }, { posts: dryRunPosts }),
  ];
  let compiled = 0;
  await fc.assert(
    fc.asyncProperty(
      operations,
      fc.nat({ max: dryRunContexts.length - 1 }),
      async (operation, index) => {
        const { text, expected, completed } = await executeBothWays(
          operation,
          dryRunContexts[index]!,
        );
        expect(toPlainResult(completed)).toEqual(toPlainResult(expected));
        if (text === null) return;
        compiled += 1;
        expect(text).toBe(JSON.stringify(expected.data));
      },
    ),
    { numRuns: 400, seed: 22 },
  );
  expect(compiled).toBeGreaterThan(20);
}, 120_000);

it('leaves operations with invalid variables to graphql-js', async () => {
  const operations = arbitraryOperation(schema, comparison.pools, {
    weights: { 'Query.posts': 4, 'Query.post': 3 },
    wild: wildValues,
  }).filter(isExecutable);
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(operations, async (operation) => {
      const { text, expected, completed } = await executeBothWays(
        operation,
        comparison.as(comparison.viewers[0]),
      );
      expect(toPlainResult(completed)).toEqual(toPlainResult(expected));
      if (text !== null) expect(text).toBe(JSON.stringify(expected.data));
      rejected += Number(expected.data === undefined);
    }),
    { numRuns: 300, seed: 23 },
  );
  expect(rejected).toBeGreaterThan(20);
}, 120_000);
