import fc from 'fast-check';
import { NETWORKS, postTypesOf, type Network } from '../../../src/domain/networks/networks.js';
import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { dataInconsistencies } from '../../fixtures/data-inconsistencies.js';
import { NOW, withServices } from '../../fixtures/services.js';

let viewers: Viewer[];
let posts: Post[];
const services = withServices();
beforeAll(async () => {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ requiresApproval: true });
  const owner = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  viewers = [
    owner,
    await services.aViewer({ workspaceId, postActions: true }),
    await services.aViewer({ workspaceId, role: 'admin' }),
  ];
  const accounts: Account[] = [];
  for (const network of ['linkedin', 'youtube', 'wordpress', 'google', 'mastodon'] as Network[])
    accounts.push(
      await services.anAccount({ workspaceId, network, type: NETWORKS[network].accountTypes[0] }),
    );
  posts = [];
  for (const [index, storedState] of (
    enumKeys(STORED_STATES) as readonly StoredState[]
  ).entries()) {
    const account = accounts[index % accounts.length]!;
    posts.push(
      await services.aPost({
        by: viewers[index % 2]!,
        storedState,
        account,
        type: postTypesOf(account.network)![0]!,
        ...(storedState.endsWith('undated')
          ? {}
          : { scheduledAt: new Date(NOW.getTime() + 86_400_000) }),
        recurring:
          storedState === 'recurring'
            ? { repeat: 'weekly', startDate: '2026-11-25T08:00:00Z' }
            : null,
      }),
    );
  }
});
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 });
const words = fc.constantFrom('', 'Hallo', 'Grüße', '海关税收', 'x'.repeat(120), '🎉🎉');
const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
const patches: fc.Arbitrary<PostPatch> = fc.record(
  {
    type: fc.constantFrom('status', 'video', 'article', 'poll', 'short'),
    text: maybe(words),
    title: maybe(words),
    excerpt: maybe(words),
    url: maybe(fc.constantFrom('https://a.example', 'https://b.example')),
    details: maybe(
      fc.record(
        {
          reminder: maybe(fc.boolean()),
          language: maybe(fc.constant('de')),
          privacy: maybe(fc.constantFrom('PUBLIC', 'unlisted')),
        },
        { requiredKeys: [] },
      ),
    ),
    recycling: maybe(
      fc.record({
        gap: fc.integer({ min: 1, max: 9 }),
        gapFreq: fc.constantFrom('days', 'weeks', 'months'),
        expireCount: maybe(fc.integer({ min: 1, max: 3 })),
      }),
    ),
    recurring: maybe(
      fc.record(
        {
          repeat: fc.constantFrom('daily', 'weekly', 'monthly'),
          repeatRate: maybe(fc.integer({ min: 1, max: 3 })),
          daysOfWeek: maybe(fc.subarray([0, 2, 4])),
          startDate: maybe(
            fc.constantFrom('2026-11-30', '2026-12-03T10:00:00+02:00', '2025-01-01'),
          ),
          endDate: maybe(fc.constantFrom('2026-12-20', '2026-11-30', '2026-12-06T00:00:00Z')),
        },
        { requiredKeys: ['repeat'] },
      ),
    ),
    labels: maybe(list.map((names) => [...new Set(names)].map((name) => ({ name })))),
    options: maybe(list),
    tags: maybe(list),
    media: maybe(
      list.map((names) =>
        names.map((name) => ({ path: `https://media.example/${name}.jpg`, caption: name })),
      ),
    ),
    featuredMedia: maybe(fc.constant({ path: 'https://media.example/a.jpg' })),
    content: maybe(fc.constant([{ type: 'paragraph' as const, data: { text: 'x' } }])),
    scheduledAt: maybe(
      fc.integer({ min: 0, max: 400 }).map((hours) => new Date(NOW.getTime() + hours * 3_600_000)),
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PostPatch>;
const keys = [
  'type',
  'text',
  'title',
  'excerpt',
  'url',
  'details',
  'recycling',
  'recurring',
  'labels',
  'options',
  'tags',
  'media',
  'featuredMedia',
  'content',
  'scheduledAt',
] as const;
const few = fc
  .tuple(patches, fc.subarray([...keys], { minLength: 1, maxLength: 3 }))
  .map(([patch, kept]): PostPatch =>
    Object.fromEntries(
      kept.filter((key) => patch[key] !== undefined).map((key) => [key, patch[key]]),
    ),
  );

/** Everybody's posts, children included, as they are stored now. */
async function allStored(): Promise<Post[]> {
  const rows = await services.sql<{ id: number; creator: string }>(
    'SELECT id::int, creator_id AS creator FROM post WHERE deleted_at IS NULL',
  );
  const seen = await Promise.all(
    viewers.map((viewer) =>
      services.store.byDatabaseId(
        viewer,
        rows.map((row) => row.id),
      ),
    ),
  );
  return rows.map(({ id }) => seen.map((map) => map.get(id)).find(Boolean)!);
}

test('after any changes by any users all derived records are consistent with the posts, and no change fails with an internal error', async () => {
  const steps = fc.sample(
    fc.record({
      post: fc.nat(),
      viewer: fc.nat({ max: 2 }),
      patch: few,
      isDry: fc.boolean(),
      chance: fc.nat(),
    }),
    { numRuns: 500, seed: 77 },
  );
  const tally = { updated: 0, refused: 0 };
  for (const { post, viewer, patch, isDry, chance } of steps) {
    const all = await services.sql<{ id: string }>(
      'SELECT doc_id AS id FROM post WHERE deleted_at IS NULL ORDER BY id',
    );
    const target = all[post % all.length]!;
    if (chance % 40 === 7) await services.remove(viewers[viewer]!, [target.id]);
    else {
      const dry = isDry
        ? await services.update(viewers[viewer]!, target, patch, { dryRun: true })
        : null;
      const outcome = await services.update(viewers[viewer]!, target, patch);
      tally[outcome.kind] += 1;
      if (dry) expect(dry.kind).toBe(outcome.kind);
      if (outcome.kind === 'updated')
        expect(await services.storedPost(viewers[viewer]!, target.id)).toEqual({
          ...outcome.post,
          user: expect.anything(),
        });
    }
  }
  expect([tally.updated > 120, tally.refused > 80]).toEqual([true, true]);

  expect(await dataInconsistencies(services.database, viewers)).toEqual([]);
  for (const post of await allStored()) {
    expect(post.reminder).toBe(post.details?.reminder === true);
    if (post.storedState === 'recurring')
      expect([post.recurring?.repeat !== undefined, post.parentId]).toEqual([true, null]);
  }
});
