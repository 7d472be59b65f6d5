import type { Account } from '../../../../src/domain/posts/post.js';
import {
  aCreation,
  createdPosts,
  NOW,
  refusalsOf,
  resultsOf,
  targetsOf,
  withServices,
} from '../../../fixtures/services.js';
import { forAllTests } from '../../../fixtures/lifecycle.js';

const services = withServices();
const viewer = forAllTests(() => services.aViewer());

const inSeconds = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const anAccount = (given: Partial<Account>): Promise<Account> =>
  services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id, ...given });

test('posts above a daily cap are refused with the next free time, the others are created', async () => {
  const [full, free] = [
    await anAccount({ network: 'google', type: 'location' }),
    await anAccount({}),
  ];
  const fill = Array.from({ length: 14 }, (_, index) => ({
    accountId: full.id,
    scheduledAt: inSeconds(86_400 + index),
    post: { text: `Text ${index}` },
  }));
  expect(createdPosts(await services.create(viewer, { targets: fill }))).toHaveLength(14);
  const targets = targetsOf(full, free, full).map((target, index) => ({
    ...target,
    post: { text: `More ${index}` },
  }));
  const outcome = await services.create(viewer, { targets });
  expect(
    resultsOf(outcome).map(({ post, refusals: [refusal] }) =>
      post ? 'created' : `${refusal?.code} ${refusal?.path.join('.')}`,
    ),
  ).toEqual(['created', 'created', 'DAILY_LIMIT_EXCEEDED targets.2.scheduledAt']);
  const [refusal] = resultsOf(outcome)[2]!.refusals;
  expect(refusal!.message).toContain('Next free time: 2026-11-23T08:00:00.000Z');
  const before = await services.allRows();
  const stopped = await services.create(viewer, { targets }, { policy: 'all_or_nothing' });
  expect(resultsOf(stopped).every(({ post }) => post === null)).toBe(true);
  expect(await services.allRows()).toEqual(before);
});

test('racing creations never exceed a daily cap', async () => {
  const google = await anAccount({ network: 'google', type: 'location' });
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, call) =>
      services.create(viewer, {
        targets: Array.from({ length: 3 }, (_item, index) => ({
          accountId: google.id,
          scheduledAt: inSeconds(86_400 + call * 60 + index),
          post: { text: `Text ${call} ${index}` },
        })),
      }),
    ),
  );
  const results = outcomes.flatMap(resultsOf);
  expect(results.filter(({ post }) => post)).toHaveLength(15);
  expect(
    new Set(results.filter(({ post }) => !post).map(({ refusals: [refusal] }) => refusal!.code)),
  ).toEqual(new Set(['DAILY_LIMIT_EXCEEDED']));
});

test('an idempotency key creates once', async () => {
  const request = {
    ...aCreation({ targets: targetsOf(await anAccount({})) }),
    idempotencyKey: 'key-1',
  };
  const [first, twin] = await Promise.all([
    services.posts.create(viewer, request),
    services.posts.create(viewer, request),
  ]);
  const before = await services.allRows();
  const replayed = await services.posts.create(viewer, request);
  expect([first, twin].filter((outcome) => outcome.replayed)).toHaveLength(1);
  expect(replayed).toEqual({ ...first, replayed: true });
  expect({ ...twin, replayed: first.replayed }).toEqual(first);
  const other = await services.posts.create(viewer, { ...request, policy: 'all_or_nothing' });
  expect(refusalsOf(other)).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey']);
  expect(await services.allRows()).toEqual(before);
});
