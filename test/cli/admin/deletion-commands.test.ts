import { createKeyStore } from '../../../src/persistence/access/key-store.js';
import { keyHash } from '../../../src/services/access/key-hash.js';
import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';
import { adminRecords } from './admin-records.js';

const db = withDatabase();

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const { createUser, createWorkspace, addMember, createKey } = adminRecords(json);

it('workspaces delete reports what it would delete, and deletes it if --confirm repeats the id', async () => {
  const user = await createUser('Nora');
  const workspace = await createWorkspace('Nora’s', user.id);
  const contents = { id: workspace.id, name: 'Nora’s', posts: 0, accounts: 0, members: 1 };
  expect(await cli('workspaces', 'delete', workspace.id)).toEqual({
    code: 1,
    err: '',
    out: `Nora’s. Posts: 0. Accounts: 0. Members who lose access: 1.\nNothing was deleted. To delete it permanently, add --confirm ${workspace.id}`,
  });
  expect(await cli('workspaces', 'delete', workspace.id, '--confirm', 'yes')).toEqual({
    code: 1,
    out: '',
    err: `error: --confirm is "yes", but the ID is ${workspace.id}: nothing was deleted`,
  });
  expect(await cli('users', 'delete', user.id, '--confirm', user.id)).toEqual({
    code: 1,
    out: '',
    err: `error: Nora owns ${workspace.id}: run \`workspaces delete\` first`,
  });
  expect(await db.prisma.workspace.count({ where: { id: workspace.id } })).toBe(1);
  expect(await json('workspaces', 'delete', workspace.id, '--confirm', workspace.id)).toEqual({
    deleted: true,
    ...contents,
  });
  expect(await db.prisma.workspace.count({ where: { id: workspace.id } })).toBe(0);
});

it('users delete deletes a user and revokes their keys immediately', async () => {
  const workspace = await createWorkspace('Nils’s', (await createUser('Nils')).id);
  const user = await createUser('Nele', 'nele@example.com');
  await addMember(workspace.id, user.id, '--role editor');
  const key = await createKey(user.id, 'x', '--scope posts');
  const grant = () => createKeyStore(db).findGrant(keyHash(key.value), null, new Date());
  const summary =
    'Nele (nele@example.com). Keys: 1. Memberships: 1. Private drafts: 0. Other posts, which stay: 0.';
  expect(await cli('users', 'delete', 'nele@example.com')).toEqual({
    code: 1,
    err: '',
    out: `${summary}\nNothing was deleted. To delete it permanently, add --confirm ${user.id}`,
  });
  expect(await grant()).not.toBeNull();
  expect(await cli('users', 'delete', 'nele@example.com', '--confirm', user.id)).toEqual({
    code: 0,
    err: '',
    out: `Deleted ${user.id}: ${summary}`,
  });
  expect(await grant()).toBeNull();
  expect(await db.prisma.user.count({ where: { id: user.id } })).toBe(0);
});
