import { createIdempotencyStore } from '../../../src/persistence/changes/idempotency-store.js';
import { createChangeRunner, runChange } from '../../../src/services/changes/run-change.js';
import { setReadOnly } from '../../fixtures/read-only-database.js';
import { withServices } from '../../fixtures/services.js';
import { waitFor } from '../../fixtures/wait-for.js';

const services = withServices();

const K = { idempotencyKey: 'k' };

test('a record started by a crashed process is taken over after 30 seconds, and its late change is not saved', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const { save } = services.store;
  let firstSaves: (() => void) | undefined;
  const spy = jest.spyOn(services.store, 'save').mockImplementationOnce(async (...args) => {
    await new Promise<void>((resolve) => {
      firstSaves = resolve;
    });
    return save(...args);
  });
  const first = services
    .update(viewer, post, { text: 'Late' }, K)
    .catch((error: { code: string }) => error.code);
  await waitFor(() => firstSaves !== undefined);
  await services.sql(
    "UPDATE idempotency SET started_at = now() - interval '31 seconds' WHERE user_id = $1",
    viewer.user.id,
  );
  // Another process: the first one's line does not hold it up.
  const second = await services.update(
    viewer,
    { id: String(post.databaseId) },
    { text: 'Late' },
    K,
  );
  expect(second).toMatchObject({ kind: 'updated', replayed: false, post: { version: 2 } });
  firstSaves!();
  expect(await first).toBe('IDEMPOTENCY_IN_FLIGHT');
  spy.mockRestore();
  expect((await services.storedPost(viewer, post.id)).version).toBe(2);
  expect(await services.update(viewer, post, { text: 'Late' }, K)).toMatchObject({
    replayed: true,
    post: { version: 2 },
  });
});

test('an update whose record belongs to another request is not saved', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const { save } = services.store;
  const spy = jest.spyOn(services.store, 'save').mockImplementationOnce(async (...args) => {
    await services.sql(
      "UPDATE idempotency SET token = 'another' WHERE user_id = $1",
      viewer.user.id,
    );
    return save(...args);
  });
  await expect(services.update(viewer, post, { text: 'One' }, K)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_IN_FLIGHT',
  });
  spy.mockRestore();
  expect(await services.storedPost(viewer, post.id)).toMatchObject({ version: 1, text: post.text });
});

test('a request that failed without an outcome can be retried immediately', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const spy = jest.spyOn(services.store, 'save').mockRejectedValueOnce(new Error('unavailable'));
  await expect(services.update(viewer, post, { text: 'One' }, K)).rejects.toThrow('unavailable');
  spy.mockRestore();
  expect(await services.update(viewer, post, { text: 'One' }, K)).toMatchObject({
    kind: 'updated',
    replayed: false,
  });
});

test('a request that failed with the database can be retried as soon as the database is available', async () => {
  const viewer = await services.aViewer();
  const idempotency = createIdempotencyStore(services.database);
  const runner = createChangeRunner({ store: services.store, idempotency });
  const outcome = { kind: 'done' } as const;
  const run = (plan: () => Promise<{ outcome: typeof outcome }>) =>
    runChange(runner, viewer, {
      operation: 'update',
      target: 'x',
      input: {},
      idempotencyKey: 'k',
      dryRun: false,
      plan,
      isRecorded: () => true,
      restore: (recorded) => recorded,
    });
  const failing = run(async () => {
    await setReadOnly(services.database.url, true);
    throw new Error('unavailable');
  });
  await expect(failing).rejects.toThrow('unavailable');
  await setReadOnly(services.database.url, false);
  const since = performance.now();
  expect(await run(async () => ({ outcome }))).toEqual({ kind: 'done', replayed: false });
  expect(performance.now() - since).toBeLessThan(20_000);
});
