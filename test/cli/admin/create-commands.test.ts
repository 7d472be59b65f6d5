import { createKeyStore } from '../../../src/persistence/access/key-store.js';
import { keyHash } from '../../../src/services/access/key-hash.js';
import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';
import { adminRecords, words } from './admin-records.js';

const db = withDatabase();

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const { createUser, createWorkspace, addMember, createKey } = adminRecords(json);
const grant = (value: string, workspaceId: string | null = null) =>
  createKeyStore(db).findGrant(keyHash(value), workspaceId, new Date());

it('create a user, a workspace, a member, accounts and a key that works in the workspace', async () => {
  const owner = await createUser('Ada Ödön', 'Ada@example.com', '--rate-limit 500');
  const workspace = await createWorkspace(
    'Atelier',
    'ada@EXAMPLE.com',
    '--time-zone Asia/Tokyo --requires-approval',
  );
  const editor = await createUser('Emil', 'emil@example.com', '--plan free');
  expect(await addMember(workspace.id, editor.id, '--role editor --post-actions')).toEqual({
    workspaceId: workspace.id,
    userId: editor.id,
    role: 'editor',
    postActions: true,
  });

  const createAccount = (options: string) =>
    json('accounts', 'create', '--workspace', workspace.id, ...words(options));
  const blog = await createAccount(
    '--network wordpress --name Blog --social-id https://blog.example.com',
  );
  expect(await db.prisma.account.findUnique({ where: { id: blog.id } })).toMatchObject({
    workspaceId: workspace.id,
    type: 'blog',
    network: 'wordpress',
    sandbox: false,
  });
  const trial = await createAccount('--network mastodon --name Trial --social-id 1 --sandbox');
  expect(await db.prisma.account.findUnique({ where: { id: trial.id } })).toMatchObject({
    network: 'mastodon',
    sandbox: true,
  });

  const key = await createKey(
    'emil@example.com',
    'Backup',
    '--scope posts media --expires 2999-01-01T00:00:00Z',
  );
  expect(await grant(key.value, workspace.id)).toMatchObject({
    caller: {
      user: { id: editor.id },
      plan: 'free',
      key: { scopes: ['posts', 'media'], expiresAt: new Date('2999-01-01') },
    },
    viewer: {
      role: 'editor',
      postActions: true,
      workspace: { plan: 'business', timeZone: 'Asia/Tokyo', requiresApproval: true },
    },
  });
  const ownersKey = await createKey(owner.id, 'Mine', '--scope workspaces');
  expect((await grant(ownersKey.value))!.caller.rateLimitOverride).toBe(500);
});

it('reject an account type that the network does not have', async () => {
  const owner = await createUser('Tom', 'tom@example.com');
  const workspace = await createWorkspace('Types', owner.id);
  expect(
    await cli(
      ...words(
        `accounts create --workspace ${workspace.id} --network wordpress --type page --name Blog --social-id 1`,
      ),
    ),
  ).toEqual({ code: 1, out: '', err: 'error: wordpress has no account type page: use blog' });
  expect(await db.prisma.account.count({ where: { workspaceId: workspace.id } })).toBe(0);
});

it('report a user or member that already exists', async () => {
  const create = ['users', 'create', '--name', 'Tess', '--email', 'tess@example.com'];
  const { id } = await json(...create);
  expect(await cli(...create)).toEqual({
    code: 1,
    out: '',
    err: 'error: A user with the email address tess@example.com already exists',
  });
  const workspace = await createWorkspace('Duplicates', id);
  expect(
    await cli('members', 'add', '--workspace', workspace.id, '--user', id, '--role', 'admin'),
  ).toEqual({ code: 1, out: '', err: 'error: the record already exists' });
});
