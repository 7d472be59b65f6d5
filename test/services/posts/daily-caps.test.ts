import fc from 'fast-check';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { refusalsOf, updatedPost, withServices } from '../../fixtures/services.js';
const services = withServices();

const at = (hours: number): Date =>
  new Date(Date.parse('2026-12-01T00:00:00Z') + hours * 3_600_000);

/**
 * A member whose business-listing account (15 a day on this plan) has so many posts around noon.
 */
async function aListing(taken: number) {
  const viewer = await services.aViewer();
  const account = await services.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'google',
    type: 'location',
  });
  const posts: Post[] = [];
  for (let n = 0; n < taken; n++)
    posts.push(await services.aPost({ by: viewer, account, scheduledAt: at(12 + n / 60) }));
  return { viewer, account, posts };
}
const slots = async (post: Post): Promise<string[]> =>
  (
    await services.sql<{ at: Date }>(
      'SELECT at FROM cap_slot WHERE post_id = $1 ORDER BY at',
      post.databaseId,
    )
  ).map((row) => row.at.toISOString().slice(0, 13));

test('a date beyond the cap is refused with the next free time, and nothing changes', async () => {
  const { viewer, account } = await aListing(15);
  const post = await services.aPost({ by: viewer, account, scheduledAt: at(100) });
  const outcome = await services.update(viewer, post, {
    scheduledAt: at(20),
    labels: [{ name: 'x' }],
  });
  expect(refusalsOf(outcome)).toEqual(['DAILY_LIMIT_EXCEEDED']);
  expect(outcome).toMatchObject({
    refusals: [{ message: expect.stringContaining('Next free time: 2026-12-02T12:00:00.000Z') }],
  });
  expect(await services.storedPost(viewer, post.id)).toEqual({ ...post, user: expect.anything() });
  expect(
    await services.sql('SELECT id FROM label WHERE workspace_id = $1', viewer.workspace.id),
  ).toEqual([]);
  expect(await slots(post)).toEqual(['2026-12-05T04']);
  expect(
    updatedPost(await services.update(viewer, post, { scheduledAt: at(36) })).scheduledAt,
  ).toEqual(at(36));
  expect(await slots(post)).toEqual(['2026-12-02T12']);
});

test('one of many concurrent changes gets the last free slot', async () => {
  const { viewer, account } = await aListing(14);
  const posts = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      services.aPost({ by: viewer, account, scheduledAt: at(200 + 30 * n) }),
    ),
  );
  const outcomes = await Promise.all(
    posts.map((post, n) => services.update(viewer, post, { scheduledAt: at(14 + n / 60) })),
  );
  expect(outcomes.filter((outcome) => outcome.kind === 'updated')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.kind === 'refused').map(refusalsOf)).toEqual(
    Array(7).fill(['DAILY_LIMIT_EXCEEDED']),
  );
});

test('no 24 hours exceed the cap after any concurrent changes, compared with a count at every moment', async () => {
  const LIMIT = 5; // a business listing on the smallest plan
  const viewer = await services.aViewer({ plan: 'free' });
  const account = await services.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'google',
    type: 'location',
  });
  const posts: Post[] = [];
  for (let n = 0; n < 16; n++)
    posts.push(await services.aPost({ by: viewer, account, scheduledAt: at(30 * 24 + 30 * n) }));
  const hour = fc.integer({ min: 0, max: 96 }).map(at);
  const patches: fc.Arbitrary<PostPatch> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ scheduledAt: hour }) },
    fc.record(
      {
        scheduledAt: hour,
        recycling: fc.constantFrom(null, {
          gap: 1,
          gapFreq: 'days',
          expireCount: 2,
        }) as fc.Arbitrary<PostPatch['recycling']>,
      },
      { requiredKeys: ['recycling'] },
    ),
    fc.record({ type: fc.constantFrom('status', 'link', 'photo') }) as fc.Arbitrary<PostPatch>,
    fc.record({
      recurring: fc.constant({ repeat: 'daily', endDate: '2026-12-04' }),
    }) as fc.Arbitrary<PostPatch>,
  );
  const steps = fc.sample(
    fc.array(fc.record({ post: fc.nat({ max: posts.length - 1 }), patch: patches }), {
      minLength: 2,
      maxLength: 8,
    }),
    { numRuns: 40, seed: 39 },
  );
  const tally = { updated: 0, full: 0 };
  for (const step of steps) {
    const outcomes = await Promise.all(
      step.map(({ post, patch }) => services.update(viewer, posts[post]!, patch)),
    );
    for (const outcome of outcomes) {
      if (outcome.kind === 'updated') tally.updated += 1;
      else if (refusalsOf(outcome).includes('DAILY_LIMIT_EXCEEDED')) tally.full += 1;
    }
    const times = (
      await services.sql<{ at: Date }>('SELECT at FROM cap_slot WHERE account_id = $1', account.id)
    ).map((row) => row.at.getTime());
    const fullest = Math.max(
      ...times.map(
        (start) => times.filter((time) => time >= start && time < start + 24 * 3_600_000).length,
      ),
    );
    expect(fullest).toBeLessThanOrEqual(LIMIT);
  }
  expect([tally.updated > 40, tally.full > 20]).toEqual([true, true]);
});

test('on a full day, fields without effect on caps and times within the day can still change', async () => {
  const { viewer, posts } = await aListing(15);
  expect(updatedPost(await services.update(viewer, posts[0]!, { text: 'New' })).version).toBe(2);
  expect(
    updatedPost(await services.update(viewer, posts[0]!, { scheduledAt: at(13) })).version,
  ).toBe(3);
});

test('recycles and children of a series count; a deleted post frees its slot', async () => {
  const { viewer, account, posts } = await aListing(15);
  const post = await services.aPost({ by: viewer, account, scheduledAt: at(12 - 48) });
  expect(
    refusalsOf(
      await services.update(viewer, post, {
        recycling: { gap: 2, gapFreq: 'days', expireCount: 1 },
      }),
    ),
  ).toEqual(['DAILY_LIMIT_EXCEEDED']);
  expect(
    refusalsOf(
      await services.update(viewer, post, {
        recurring: { repeat: 'daily', endDate: '2026-12-03' },
      }),
    ),
  ).toEqual(['DAILY_LIMIT_EXCEEDED']);
  await services.remove(viewer, [posts[0]!.id]);
  expect(await slots(posts[0]!)).toEqual([]);
  expect(
    updatedPost(
      await services.update(viewer, post, {
        recycling: { gap: 2, gapFreq: 'days', expireCount: 1 },
      }),
    ).version,
  ).toBe(2);
  expect(await slots(post)).toEqual(['2026-11-29T12', '2026-12-01T12']);
});

test('stories are counted separately; drafts and posts of other accounts are not counted', async () => {
  const viewer: Viewer = await services.aViewer();
  const account = await services.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'instagram',
    type: 'business',
  });
  for (let n = 0; n < 25; n++)
    await services.aPost({ by: viewer, account, type: 'photo', scheduledAt: at(12 + n / 60) });
  const story = await services.aPost({ by: viewer, account, type: 'story', scheduledAt: at(12) });
  expect(refusalsOf(await services.update(viewer, story, { type: 'reel' }))).toEqual([
    'DAILY_LIMIT_EXCEEDED',
  ]);
  expect(updatedPost(await services.update(viewer, story, { scheduledAt: at(13) })).version).toBe(
    2,
  );
  const draft = await services.aPost({
    by: viewer,
    account,
    type: 'photo',
    storedState: 'draft_dated',
    scheduledAt: at(90),
  });
  expect(updatedPost(await services.update(viewer, draft, { scheduledAt: at(12) })).version).toBe(
    2,
  );
  expect(await slots(draft)).toEqual([]);
});
