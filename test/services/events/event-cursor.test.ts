import type { Post } from '../../../src/domain/posts/post.js';
import { createEventStore } from '../../../src/persistence/events/event-store.js';
import { createChanges, type Changes } from '../../../src/services/events/list-changes.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { NOW, withServices } from '../../fixtures/services.js';
import { settled } from '../../fixtures/settled.js';

const services = withServices();
beforeEach(() => {
  services.clock.time = NOW;
});

const FIELDS: ReadonlySet<keyof Post> = new Set(['text']);
const read = async (viewer: KeyedViewer, after: string | null, first = 100) => {
  await settled(services.database.pool);
  return services.changes.list(viewer, { after, first, fields: FIELDS });
};
const start = async (viewer: KeyedViewer): Promise<string> => (await read(viewer, null)).nextCursor;

const expectRefused = async (viewer: KeyedViewer, after: string, code: string) => {
  const error: unknown = await read(viewer, after).catch((thrown: unknown) => thrown);
  const path = code === 'BAD_USER_INPUT' ? [expect.objectContaining({ path: ['after'] })] : [];
  expect(error).toMatchObject({ code, problems: path });
};

test('a modified one, a truncated one, and one of another workspace are refused with the path', async () => {
  const viewer = await services.aViewer();
  const cursor = await start(viewer);
  for (let index = 0; index < cursor.length; index += 1) {
    const other = cursor[index] === 'A' ? 'B' : 'A';
    await expectRefusedQuietly(viewer, cursor.slice(0, index) + other + cursor.slice(index + 1));
  }
  for (const text of ['', 'x', cursor.slice(1), `${cursor}A`, `${cursor}=`, ` ${cursor}`])
    await expectRefusedQuietly(viewer, text);
  const stranger = await services.aViewer();
  await expectRefused(stranger, cursor, 'BAD_USER_INPUT');
});
const expectRefusedQuietly = (viewer: KeyedViewer, after: string) =>
  expectRefused(viewer, after, 'BAD_USER_INPUT');

test('one expires after 30 days, unless it was used', async () => {
  const viewer = await services.aViewer();
  const cursor = await start(viewer);
  const day = 86_400_000;
  services.clock.time = new Date(NOW.getTime() + 30 * day);
  const { nextCursor } = await read(viewer, cursor);
  services.clock.time = new Date(NOW.getTime() + 30 * day + 1);
  await expectRefused(viewer, cursor, 'CURSOR_EXPIRED');
  expect((await read(viewer, nextCursor)).changes).toEqual([]);
});

test('one expires earlier if events are kept for fewer days', async () => {
  const viewer = await services.aViewer();
  const changes: Changes = createChanges({
    store: createEventStore(services.database),
    clock: services.clock,
    eventRetentionDays: 1,
  });
  const cursor = await start(viewer);
  services.clock.time = new Date(NOW.getTime() + 86_400_001);
  await expect(
    changes.list(viewer, { after: cursor, first: 1, fields: FIELDS }),
  ).rejects.toMatchObject({ code: 'CURSOR_EXPIRED' });
});

test('one of before a restore has expired; a new one is valid in every process', async () => {
  const viewer = await services.aViewer();
  const cursor = await start(viewer);
  await read(viewer, cursor);
  const newProcess = createChanges({
    store: createEventStore(services.database),
    clock: services.clock,
    eventRetentionDays: 90,
  });
  await services.sql('UPDATE database_identity SET identity = gen_random_uuid()');
  await expectRefused(viewer, cursor, 'CURSOR_EXPIRED');
  const { nextCursor } = await newProcess.list(viewer, {
    after: null,
    first: 1,
    fields: FIELDS,
  });
  expect((await read(viewer, nextCursor)).changes).toEqual([]);
  await expectRefused(viewer, cursor, 'CURSOR_EXPIRED');
});

test.each([0, -1, 101])('a page of %d is refused', async (first) => {
  const viewer = await services.aViewer();
  await expect(read(viewer, null, first)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    problems: [{ path: ['first'] }],
  });
});
