import type { Recycling } from '../../../src/domain/posts/post-settings.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { updatedPost, withServices } from '../../fixtures/services.js';

const NOW = new Date('2026-11-20T12:00:00Z');
const TOMORROW = new Date('2026-11-21T09:30:00Z');
const LAST_WEEK = new Date('2026-11-13T09:30:00Z');
const WEEKLY: Recycling = { gap: 1, gapFreq: 'weeks', expireCount: 3 };
const services = withServices();
beforeAll(async () => {
  services.clock.time = NOW;
});

/** A recycling post whose workspace is in Berlin, after an update of its settings. */
async function updateRecycling(
  post: { storedState: StoredState; scheduledAt?: Date; recycling?: Recycling },
  recycling: Recycling,
) {
  const { id: workspaceId, ownerId } = await services.aWorkspace({ timeZone: 'Europe/Berlin' });
  const viewer = await services.aViewer({ workspaceId, userId: ownerId, role: 'owner' });
  const before = await services.aPost({
    by: viewer,
    account: await services.anAccount({ workspaceId, network: 'mastodon' }),
    scheduledAt: TOMORROW,
    recycling: WEEKLY,
    ...post,
  });
  const { storedState, scheduledAt } = updatedPost(
    await services.update(viewer, before, { recycling }),
  );
  const stored = await services.storedPost(viewer, before.id);
  expect(stored).toMatchObject({ storedState, scheduledAt });
  return [storedState, scheduledAt!.toISOString()];
}

test.each<[string, Recycling, string]>([
  [
    'a start date moves the next date, at the same time of day',
    { startDate: '2030-01-15' },
    '2030-01-15T09:30:00.000Z',
  ],
  ['across a change of DST', { startDate: '2030-07-15' }, '2030-07-15T08:30:00.000Z'],
  ['a start date in the past does not', { startDate: '2020-01-15' }, TOMORROW.toISOString()],
])('%s', async (_what, recycling, at) => {
  expect(await updateRecycling({ storedState: 'recycling_active' }, recycling)).toEqual([
    'recycling_active',
    at,
  ]);
});

test.each<[StoredState, Recycling, StoredState]>([
  ['recycling_active', { expireDate: '2026-11-19' }, 'recycling_expired'],
  ['recycling_paused', { expireDate: '2026-11-19' }, 'recycling_expired'],
  ['recycling_active', { expireDate: '2026-11-20' }, 'recycling_active'],
  ['recycling_failed', { expireDate: '2026-11-19' }, 'recycling_failed'],
])('%s with %j becomes %s', async (storedState, recycling, expected) => {
  expect(await updateRecycling({ storedState }, recycling)).toEqual([
    expected,
    TOMORROW.toISOString(),
  ]);
});

const NEXT_WEEKLY_DATE = '2026-11-27T09:30:00.000Z';

test.each<[string, Recycling, Recycling, StoredState, string]>([
  ['a raised count renews it', WEEKLY, { expireCount: 4 }, 'recycling_active', NEXT_WEEKLY_DATE],
  [
    'a cleared count renews it',
    WEEKLY,
    { expireCount: null },
    'recycling_active',
    NEXT_WEEKLY_DATE,
  ],
  [
    'a lower count does not',
    WEEKLY,
    { expireCount: 2 },
    'recycling_expired',
    LAST_WEEK.toISOString(),
  ],
  [
    'another setting does not',
    WEEKLY,
    { solo: true },
    'recycling_expired',
    LAST_WEEK.toISOString(),
  ],
  [
    'a later expiry date renews one that expired by date',
    { ...WEEKLY, expireDate: '2026-11-14' },
    { expireDate: '2027-11-14' },
    'recycling_active',
    NEXT_WEEKLY_DATE,
  ],
  [
    'a raised count does not renew one that expired by date',
    { ...WEEKLY, expireDate: '2026-11-14' },
    { expireCount: 9 },
    'recycling_expired',
    LAST_WEEK.toISOString(),
  ],
])('an expired post: %s', async (_what, recycling, patch, storedState, at) => {
  expect(
    await updateRecycling(
      { storedState: 'recycling_expired', scheduledAt: LAST_WEEK, recycling },
      patch,
    ),
  ).toEqual([storedState, at]);
});
