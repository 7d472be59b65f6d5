import { anOperator } from '../../fixtures/operator.js';
import { recordsIn, type KeyedViewer } from '../../fixtures/records.js';
import { withDatabase } from '../../setup/database.js';

let owner: KeyedViewer;
const { cli } = anOperator(() => ({ DATABASE_URL: db.url }));
const db = withDatabase();
beforeAll(async () => {
  const records = recordsIn(db);
  owner = await records.aViewer();
  await records.aPost({ by: owner, storedState: 'draft_private_undated' });
});
const tail = async (...options: string[]): Promise<any[]> => {
  const result = await cli(
    '--json',
    'events',
    'tail',
    '--workspace',
    owner.workspace.id,
    ...options,
  );
  expect([result.code, result.err]).toEqual([0, '']);
  return result.out.split('\n').map((line) => JSON.parse(line) as unknown);
};

it('prints events after a cursor, including those of private drafts', async () => {
  const tailing = tail('--limit', '1');
  // The tail starts with the present: events until it has read its first one.
  let isDone = false;
  const done = tailing.finally(() => (isDone = true));
  while (!isDone) {
    await recordsIn(db).aPost({ by: owner, storedState: 'draft_private_undated' });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [first] = await done;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
    type: 'post.created',
    userId: owner.user.id,
    after: 'draft_private_undated',
    visibleTo: owner.user.id,
  });
  await recordsIn(db).aPost({ by: owner, storedState: 'draft_undated' });
  const all = await tail('--after', first.cursor, '--type', 'post.created', '--limit', '1');
  expect(all).toHaveLength(1);
  expect(all[0].cursor).not.toBe(first.cursor);
});

it('refuses an unknown workspace, and a modified cursor', async () => {
  expect(await cli('events', 'tail', '--workspace', 'wks_unknown')).toMatchObject({
    code: 1,
    err: 'error: Workspace "wks_unknown" does not exist',
  });
  expect(
    await cli('events', 'tail', '--workspace', owner.workspace.id, '--after', 'x'),
  ).toMatchObject({
    code: 1,
    err: 'error: after must be an unmodified cursor of this workspace.',
  });
});
