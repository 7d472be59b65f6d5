import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const db = withDatabase();

it('pauses, shows and resumes publication', async () => {
  expect(await cli('publishing', 'status')).toEqual({
    code: 0,
    out: 'Posts are published.\nNo post is due.',
    err: '',
  });
  expect(await json('publishing', 'pause')).toEqual({
    pausedAt: expect.any(String),
    backupAt: null,
    duePosts: 0,
    oldestDueAt: null,
  });
  expect((await cli('publishing', 'status')).out).toMatch(
    /^Publication is paused since .+Z\. To continue, run `publishing resume`\.\nNo post is due\.$/,
  );
  expect(await json('publishing', 'resume')).toMatchObject({ resumed: true, pausedAt: null });
  expect((await cli('publishing', 'resume')).out).toBe(
    'Publication was not paused. Posts are published.\nNo post is due.',
  );
});

it('pauses after a restore by other means, with the time of the backup', async () => {
  const backupAt = '2026-11-22T03:00:00.000Z';
  await db.pool.query('DELETE FROM publishing_pause');
  expect(
    await json('publishing', 'pause', '--backup-from', '2026-11-22T04:00:00+01:00'),
  ).toMatchObject({ backupAt });
  expect((await cli('publishing', 'status')).out).toContain(`because a backup of ${backupAt}`);
  await json('publishing', 'resume');
});

it('refuses the time of a backup that is in the future', async () => {
  expect(await cli('publishing', 'pause', '--backup-from', '2999-01-01T00:00:00Z')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Must not be in the future.'),
  });
});
