import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { Account } from '../../../src/domain/posts/post.js';
import { slotsOfMinutes } from '../../../src/domain/publishing/posting-schedule.js';
import { createPosts } from '../../../src/services/posts/posts.js';
import type { PostingScheduleRequest } from '../../../src/services/posting-schedules/posting-schedules.js';
import {
  aCreation,
  createdPosts,
  NOW,
  resultsOf,
  targetsOf,
  type TestServices,
  withServices,
} from '../../fixtures/services.js';
const services = withServices();
beforeEach(() => {
  services.clock.time = NOW; // a Saturday, 08:00
});
const SATURDAY = 5 * 1_440;
const EVERY_HOUR = slotsOfMinutes(Array.from({ length: 168 }, (_, hour) => hour * 60));
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

const setSchedule = (
  viewer: Viewer,
  account: Account,
  changes: Partial<PostingScheduleRequest> = { slots: EVERY_HOUR },
) => services.postingSchedules.set(viewer, { accountId: account.id, dryRun: false, ...changes });

async function anAccountWithQueue(given: { slots?: PostingScheduleRequest['slots'] } = {}) {
  const viewer = await services.aViewer();
  const account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
  await setSchedule(viewer, account, { slots: given.slots ?? EVERY_HOUR, timeZone: 'UTC' });
  return { viewer, account };
}

const addToQueue = (
  viewer: Viewer,
  accounts: readonly Account[],
  item: Parameters<TestServices['create']>[1] = {},
) =>
  services.create(viewer, {
    mode: 'add_to_queue',
    scheduledAt: null,
    targets: targetsOf(...accounts),
    ...item,
  });

test('a post gets the next free slot, at least a minute ahead', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const posts = createdPosts(await addToQueue(viewer, [account, account]));
  expect(posts).toMatchObject([
    { storedState: 'scheduled', auto: true, scheduledAt: inHours(1) },
    { auto: true, scheduledAt: inHours(2) },
  ]);
  const [next] = await services.postingSchedules.nextFree(viewer, account, 1);
  expect(next).toEqual(inHours(3));
  services.clock.time = new Date(inHours(3).getTime() - 59_000);
  expect(await services.postingSchedules.nextFree(viewer, account, 2)).toEqual([
    inHours(4),
    inHours(5),
  ]);
});

test('a minute with a planned post is taken, one with a draft is not', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const scheduledAt = new Date(inHours(1).getTime() + 30_000);
  await services.create(viewer, { targets: targetsOf(account), scheduledAt });
  await services.create(viewer, {
    targets: targetsOf(account),
    mode: 'draft',
    scheduledAt: inHours(2),
  });
  const [post] = createdPosts(await addToQueue(viewer, [account]));
  expect(post!.scheduledAt).toEqual(inHours(2));
});

test('a period limits where a slot is looked for', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const inPeriod = (from: number, until: number) =>
    addToQueue(viewer, [account], { queuePeriod: { from: inHours(from), until: inHours(until) } });
  const [post] = createdPosts(await inPeriod(47.5, 49));
  expect(post!.scheduledAt).toEqual(inHours(48));
  const [result] = resultsOf(await inPeriod(48, 48.9));
  expect(result!.refusals).toMatchObject([{ code: 'NO_FREE_SLOT' }]);
});

test('slots respect the daily cap', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const posts = createdPosts(await addToQueue(viewer, Array<Account>(101).fill(account)));
  const times = posts.map(({ scheduledAt }) => scheduledAt!.getTime()).sort((a, b) => a - b);
  const limit = 25; // of the free plan
  expect(times.every((at, i) => i < limit || at - times[i - limit]! >= 86_400_000)).toBe(true);
});

test('racing calls of several processes get different slots', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const processes = [services.posts, createPosts(services.dependencies)];
  const calls = Array.from({ length: 40 }, (_, index) =>
    processes[index % 2]!.create(
      viewer,
      aCreation({ mode: 'add_to_queue', scheduledAt: null, targets: targetsOf(account) }),
    ),
  );
  const times = (await Promise.all(calls))
    .flatMap(createdPosts)
    .map(({ scheduledAt }) => scheduledAt!.toISOString());
  expect(new Set(times).size).toBe(40);
});

test('an account without slots, or without free ones, is refused', async () => {
  const viewer = await services.aViewer();
  const account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
  const refusal = {
    code: 'NO_FREE_SLOT',
    path: ['targets', '0', 'accountId'],
    message: expect.stringContaining('no free time within a year'),
  };
  const [result] = resultsOf(await addToQueue(viewer, [account]));
  expect(result).toMatchObject({ post: null, refusals: [refusal] });
});

test('a post finds no free time in a range without one', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const betweenSlots = new Date(inHours(1).getTime() + 1_000);
  const queuePeriod = { from: betweenSlots, until: betweenSlots };
  const [result] = resultsOf(await addToQueue(viewer, [account], { queuePeriod }));
  expect(result).toMatchObject({
    post: null,
    refusals: [
      {
        code: 'NO_FREE_SLOT',
        message: `The posting schedule of ${account.name} has no free time in the requested range. Extend the range, or choose a time.`,
      },
    ],
  });
});

test('a time cannot be sent with the mode', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const [result] = resultsOf(await addToQueue(viewer, [account], { scheduledAt: inHours(30) }));
  expect(result!.refusals).toMatchObject([{ code: 'RULE_VIOLATION', rule: 'D61' }]);
});

test('when a paused queue is resumed, posts whose time has passed get the next free slots', async () => {
  const slots = slotsOfMinutes([9, 10, 14, 15, 16].map((hour) => SATURDAY + hour * 60));
  const { viewer, account } = await anAccountWithQueue({ slots });
  const posts = createdPosts(await addToQueue(viewer, [account, account, account]));
  await setSchedule(viewer, account, { paused: true });
  services.clock.time = inHours(3); // 11:00
  const preview = await setSchedule(viewer, account, { paused: false, dryRun: true });
  expect(preview).toMatchObject({ kind: 'set', schedule: { paused: false } });
  const [unchanged] = posts;
  expect((await services.storedPost(viewer, unchanged!.id)).version).toBe(1);
  await setSchedule(viewer, account, { paused: false });
  const stored = await Promise.all(posts.map(({ id }) => services.storedPost(viewer, id)));
  expect(stored.map(({ scheduledAt, version }) => [scheduledAt, version])).toEqual([
    [inHours(7), 2],
    [inHours(8), 2],
    [inHours(6), 1],
  ]);
});

test('a queue is not resumed while a post would find no slot', async () => {
  const { viewer, account } = await anAccountWithQueue();
  await addToQueue(viewer, [account]);
  await setSchedule(viewer, account, { paused: true, slots: [] });
  services.clock.time = inHours(3);
  expect(await setSchedule(viewer, account, { paused: false })).toMatchObject({
    kind: 'refused',
    refusals: [{ code: 'NO_FREE_SLOT', path: ['paused'] }],
  });
  const schedules = await services.postingSchedules.byAccount([account.id]);
  expect(schedules.get(account.id)!.paused).toBe(true);
});

test('a zone is stored under its IANA name, in whatever case it is sent', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const timeZone = 'Europe/Kyiv';
  expect(await setSchedule(viewer, account, { timeZone: 'europe/KYIV' })).toMatchObject({
    schedule: { timeZone },
  });
  const schedule = (await services.postingSchedules.byAccount([account.id])).get(account.id);
  expect(schedule).toMatchObject({ timeZone });
});

test('without a zone of its own, a queue keeps that of its workspace, also when that changes', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const move = (timeZone: string) =>
    services.sql(
      'UPDATE workspace SET time_zone = $2 WHERE id = $1',
      viewer.workspace.id,
      timeZone,
    );
  const stored = async () =>
    (await services.postingSchedules.byAccount([account.id])).get(account.id);
  await move('Europe/Berlin');
  expect(await stored()).toMatchObject({ timeZone: 'UTC', usesWorkspaceTimeZone: false });

  const inBerlin = { ...viewer, workspace: { ...viewer.workspace, timeZone: 'Europe/Berlin' } };
  expect(await setSchedule(inBerlin, account, { timeZone: null })).toMatchObject({
    schedule: { timeZone: 'Europe/Berlin', usesWorkspaceTimeZone: true },
  });
  await setSchedule(inBerlin, account, { slots: EVERY_HOUR });
  await move('Asia/Kolkata');
  expect(await stored()).toMatchObject({ timeZone: 'Asia/Kolkata', usesWorkspaceTimeZone: true });
  const [next] = await services.postingSchedules.nextFree(viewer, account, 1);
  expect(next).toEqual(new Date('2026-11-21T08:30:00Z')); // 14:00 in Kolkata
});

test('setting a schedule requires post-action access, an account and a zone that exist', async () => {
  const { viewer, account } = await anAccountWithQueue();
  const editor = await services.aViewer({ workspaceId: viewer.workspace.id, role: 'editor' });
  expect(await setSchedule(editor, account, { slots: [] })).toMatchObject({
    refusals: [{ code: 'FORBIDDEN' }],
  });
  const stranger = await services.aViewer();
  expect(await setSchedule(stranger, account, { slots: [] })).toMatchObject({
    refusals: [{ code: 'RULE_VIOLATION', path: ['accountId'] }],
  });
  expect(await setSchedule(viewer, account, { timeZone: 'Mars/Base' })).toMatchObject({
    refusals: [{ code: 'RULE_VIOLATION', path: ['timeZone'] }],
  });
  const schedule = (await services.postingSchedules.byAccount([account.id])).get(account.id);
  expect(schedule).toEqual({
    timeZone: 'UTC',
    usesWorkspaceTimeZone: false,
    paused: false,
    slots: EVERY_HOUR,
  });
});
