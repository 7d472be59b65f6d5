import type { Account } from '../../../../src/domain/posts/post.js';
import type { CreationItem } from '../../../../src/services/posts/creation/creation-request.js';
import {
  NOW,
  resultsOf,
  targetsOf,
  testServices,
  type TestServices,
} from '../../../fixtures/services.js';

let services: TestServices;
let viewer: Awaited<ReturnType<TestServices['aViewer']>>;
let account: Account;
beforeAll(async () => {
  services = await testServices();
  viewer = await services.aViewer();
});
beforeEach(async () => {
  account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
});
afterAll(() => services.database.drop());

const HOUR = 3_600_000;
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR);
const TEXT = { type: 'status', text: 'Twice' } as const;
const PICTURE = { path: 'https://media.example/picture.jpg' };

/** Code and path of the refusals of each target; `created` for the others. */
async function create(
  item: Partial<CreationItem>,
  duplicates: 'refuse' | 'allow' | 'warn' = 'refuse',
): Promise<string[]> {
  const targets = targetsOf(account);
  const outcome = await services.create(viewer, { targets, post: TEXT, ...item }, { duplicates });
  return resultsOf(outcome).map(({ refusals: [refusal] }) =>
    refusal ? `${refusal.code} ${refusal.path.join('.')}` : 'created',
  );
}
const DUPLICATE = ['DUPLICATE_CONTENT targets.0.post.text'];

test('the same account, text and media within 24 hours is refused', async () => {
  const at = (hours: number) => create({ scheduledAt: inHours(hours) });
  expect(await at(100)).toEqual(['created']);
  expect(await at(100)).toEqual(DUPLICATE);
  expect(await at(124)).toEqual(DUPLICATE);
  expect(await at(76)).toEqual(DUPLICATE);
  expect(await at(124 + 1 / 3_600)).toEqual(['created']);
  expect(await create({ scheduledAt: inHours(100), post: { ...TEXT, text: 'Other' } })).toEqual([
    'created',
  ]);
  const photo = { type: 'photo', text: TEXT.text, media: [PICTURE] } as const;
  const photos = { scheduledAt: inHours(100), post: { ...photo, media: [PICTURE] } };
  expect(await create(photos)).toEqual(['created']);
  expect(await create(photos)).toEqual(DUPLICATE);
  account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
  expect(await at(100)).toEqual(['created']);
});

test('a duplicate in the same call is refused', async () => {
  const targets = targetsOf(account, account);
  expect(await create({ targets })).toEqual(['created', 'DUPLICATE_CONTENT targets.1.post.text']);
});

test('a duplicate can be allowed, or created with a warning', async () => {
  expect(await create({})).toEqual(['created']);
  expect(await create({}, 'allow')).toEqual(['created']);
  const outcome = await services.create(
    viewer,
    { targets: targetsOf(account), post: TEXT },
    { duplicates: 'warn' },
  );
  const [{ post, warnings }] = resultsOf(outcome) as [ReturnType<typeof resultsOf>[number]];
  expect(post).not.toBeNull();
  expect(warnings).toEqual([
    expect.stringMatching(/^The post [0-9a-f]{24} for this account has the same text and media/),
  ]);
});

test('drafts, series, recycling posts, imports, failed and deleted posts do not count', async () => {
  const recurring = { ...TEXT, recurring: { repeat: 'yearly' } } as const;
  const recycling = { ...TEXT, recycling: { gap: 30 } } as const;
  expect(await create({ mode: 'draft' })).toEqual(['created']);
  expect(await create({ post: recurring })).toEqual(['created']);
  expect(await create({ post: recycling })).toEqual(['created']);
  const given = { by: viewer, account, text: TEXT.text, scheduledAt: inHours(24) };
  await services.aPost({ ...given, origin: 'imported', storedState: 'published_posted' });
  await services.aPost({ ...given, storedState: 'failed' });
  const removed = await services.aPost(given);
  await services.remove(viewer, [removed.id]);
  expect(await create({ mode: 'draft' })).toEqual(['created']);
  expect(await create({ post: recurring })).toEqual(['created']);
  expect(await create({ post: recycling })).toEqual(['created']);
  expect(await create({})).toEqual(['created']);
  await services.aPost({ ...given, storedState: 'published_posted', text: 'Published' });
  expect(await create({ post: { ...TEXT, text: 'Published' } })).toEqual(DUPLICATE);
});
