import fc from 'fast-check';
import type { Services } from '../../../src/services/services.js';
import { wildValues } from '../../fixtures/random/mutations.js';
import { arbitraryOperation } from '../../fixtures/random/operations.js';
import {
  executeBothWays,
  isExecutable,
  openComparison,
  schema,
  toComparableResult,
  type CreateContext,
} from './compiled-comparison.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

/** A cursor of changes is another one each time: its position is encrypted. */
const READ_WEIGHTS = { 'Query.posts': 4, 'Query.post': 3, 'ChangePage.nextCursor': 0 };
const comparison = forAllTests(() => openComparison());
afterAll(() => comparison.api.database.drop());

it('returns the same bytes as graphql-js for random operations over the whole schema, and the same errors with their paths', async () => {
  const operations = arbitraryOperation(schema, comparison.pools, {
    weights: READ_WEIGHTS,
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
        expect(toComparableResult(completed)).toEqual(toComparableResult(expected));
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
});

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
    {
      kinds: ['mutation'],
      weights: {
        'Mutation.updatePost': 4,
        // These have no dry run that returns the same twice: their records have new IDs and secrets.
        'Mutation.createMediaUpload': 0,
        'Mutation.importMedia': 0,
        'Mutation.createConnectLink': 0,
        'Mutation.createCalendarFeed': 0,
      },
    },
  ).filter(isExecutable);
  const { posts: service, postingSchedules } = comparison.api.services;
  const dryRun = { dryRun: true };
  const dryRunServices: Pick<Services, 'posts' | 'postingSchedules'> = {
    posts: {
      ...service,
      create: (viewer, request) => service.create(viewer, { ...request, ...dryRun }),
      update: (viewer, request) => service.update(viewer, { ...request, ...dryRun }),
      revert: (viewer, request) => service.revert(viewer, { ...request, ...dryRun }),
      delete: (viewer, request) => service.delete(viewer, { ...request, ...dryRun }),
      act: (viewer, request) => service.act(viewer, { ...request, ...dryRun }),
    },
    postingSchedules: {
      ...postingSchedules,
      set: (viewer, request) => postingSchedules.set(viewer, { ...request, ...dryRun }),
    },
  };
  const dryRunContexts: readonly CreateContext[] = [
    ...comparison.viewers.map(
      (viewer) => () => comparison.api.context(viewer, undefined, dryRunServices),
    ),
    () => comparison.api.context(comparison.viewers[0], { kind: 'missing' }, dryRunServices),
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
        expect(toComparableResult(completed)).toEqual(toComparableResult(expected));
        if (text === null) return;
        compiled += 1;
        expect(text).toBe(JSON.stringify(expected.data));
      },
    ),
    { numRuns: 400, seed: 22 },
  );
  expect(compiled).toBeGreaterThan(20);
});

it('leaves operations with invalid variables to graphql-js', async () => {
  const operations = arbitraryOperation(schema, comparison.pools, {
    weights: READ_WEIGHTS,
    wild: wildValues,
  }).filter(isExecutable);
  let rejected = 0;
  await fc.assert(
    fc.asyncProperty(operations, async (operation) => {
      const { text, expected, completed } = await executeBothWays(
        operation,
        comparison.as(comparison.viewers[0]),
      );
      expect(toComparableResult(completed)).toEqual(toComparableResult(expected));
      if (text !== null) expect(text).toBe(JSON.stringify(expected.data));
      rejected += Number(expected.data === undefined);
    }),
    { numRuns: 300, seed: 23 },
  );
  expect(rejected).toBeGreaterThan(20);
});
