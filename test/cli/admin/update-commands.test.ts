import { createKeyStore } from '../../../src/persistence/access/key-store.js';
import { keyHash } from '../../../src/services/access/key-hash.js';
import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';
import { adminRecords } from './admin-records.js';

const db = withDatabase();

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const { createUser, createWorkspace, addMember, createKey } = adminRecords(json);

/** A workspace with an owner and an editor, and what the editor's key grants. */
async function aMember() {
  const owner = await createUser('Mia');
  const workspace = await createWorkspace('Mill', owner.id);
  const user = await createUser('Max');
  await addMember(workspace.id, user.id, '--role editor');
  const { value } = await createKey(user.id, 'x', '--scope posts');
  return {
    owner,
    workspace,
    user,
    membership: ['--workspace', workspace.id, '--user', user.id],
    readGrant: async () =>
      (await createKeyStore(db).findGrant(keyHash(value), workspace.id, new Date()))!,
  };
}

it('users update changes the plan and rate limit', async () => {
  const { user, readGrant } = await aMember();
  expect(
    await json('users', 'update', user.id, '--plan', 'professional', '--rate-limit', '7'),
  ).toEqual({ id: user.id, plan: 'professional', rateLimitOverride: 7 });
  expect((await readGrant()).caller).toMatchObject({ plan: 'professional', rateLimitOverride: 7 });
  await json('users', 'update', user.id, '--no-rate-limit');
  expect((await readGrant()).caller).toMatchObject({
    plan: 'professional',
    rateLimitOverride: null,
  });
});

it('limits set changes the rate limit only', async () => {
  const { user, readGrant } = await aMember();
  expect(await cli('limits', 'set', user.id, '500')).toEqual({
    code: 0,
    out: `Max (${user.id}) has a rate limit of 500 requests per 2-minute window.`,
    err: '',
  });
  expect((await readGrant()).caller.rateLimitOverride).toBe(500);
  for (const invalid of [[], ['7', '--default']])
    expect(await cli('limits', 'set', user.id, ...invalid)).toEqual({
      code: 2,
      out: '',
      err: 'error: Pass either a number of requests or --default',
    });
  expect(await cli('limits', 'set', user.id, '0')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Must be an integer from 1 to 999999999.'),
  });
  expect((await readGrant()).caller.rateLimitOverride).toBe(500);
  expect(await json('limits', 'set', user.id, '--default')).toEqual({
    id: user.id,
    rateLimitOverride: null,
  });
  expect((await readGrant()).caller.rateLimitOverride).toBeNull();
});

it('workspaces update changes the settings of a workspace', async () => {
  const { workspace, readGrant } = await aMember();
  const update = (...options: string[]) => json('workspaces', 'update', workspace.id, ...options);
  await update('--requires-approval', '--time-zone', 'asia/tokyo');
  expect((await readGrant()).viewer!.workspace).toMatchObject({
    requiresApproval: true,
    timeZone: 'Asia/Tokyo',
    name: 'Mill',
  });
  await update('--no-requires-approval', '--name', 'Mine');
  expect((await readGrant()).viewer!.workspace).toMatchObject({
    requiresApproval: false,
    timeZone: 'Asia/Tokyo',
    name: 'Mine',
  });
});

it('members update and members remove change and end a membership', async () => {
  const { membership, readGrant } = await aMember();
  await json('members', 'update', ...membership, '--post-actions');
  expect((await readGrant()).viewer).toMatchObject({ role: 'editor', postActions: true });
  await json('members', 'update', ...membership, '--role', 'admin');
  expect((await readGrant()).viewer).toMatchObject({ role: 'admin', postActions: true });
  const removed = { removed: true, privateDrafts: 0 };
  expect(await json('members', 'remove', ...membership)).toMatchObject(removed);
  expect((await readGrant()).viewer).toBeNull();
  expect(await cli('members', 'remove', ...membership)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Max is not a member of wks_/),
  });
});

it('reject changes to the owner, and commands without a change', async () => {
  const { owner, workspace, membership } = await aMember();
  for (const command of [['update', '--role', 'viewer'], ['remove']]) {
    expect(
      await cli('members', ...command, '--workspace', workspace.id, '--user', owner.id),
    ).toMatchObject({
      code: 1,
      err: expect.stringMatching(/the owner of a workspace cannot be changed or removed/),
    });
  }
  for (const command of [
    ['users', 'update', owner.id],
    ['workspaces', 'update', workspace.id],
    ['members', 'update', ...membership],
  ]) {
    expect(await cli(...command)).toEqual({
      code: 2,
      out: '',
      err: 'error: Nothing to change: pass at least one option',
    });
  }
  expect(
    await db.prisma.membership.count({
      where: { workspaceId: workspace.id, userId: owner.id, role: 'owner' },
    }),
  ).toBe(1);
});
