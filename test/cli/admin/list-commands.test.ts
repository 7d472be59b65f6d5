import { anOperator } from '../../fixtures/operator.js';
import { withDatabase } from '../../setup/database.js';
import { adminRecords } from './admin-records.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const { createUser, createWorkspace, addMember } = adminRecords(json);
/** The cells of each line of a printed table, without the header. */
const rowsOf = (out: string): string[][] =>
  out
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));
const db = withDatabase();
const lena = forAllTests(() => createUser('Lena', 'lena@example.com', '--rate-limit 250'));
const workspace = forAllTests(() =>
  createWorkspace('Loft', lena.id, '--time-zone Asia/Tokyo --requires-approval'),
);
const lars = forAllTests(() => createUser('Lars', 'lars@example.com', '--plan free'));

beforeAll(async () => {
  await addMember(workspace.id, lars.id, '--role editor --post-actions');
});

it('users list prints users, oldest first', async () => {
  expect(rowsOf((await cli('users', 'list')).out)).toEqual([
    [lena.id, 'lena@example.com', 'business', '250', expect.stringMatching(/^2.+Z$/), 'Lena'],
    [lars.id, 'lars@example.com', 'free', '–', expect.stringMatching(/^2.+Z$/), 'Lars'],
  ]);
  expect(await json('users', 'list')).toContainEqual({
    id: lars.id,
    name: 'Lars',
    email: 'lars@example.com',
    plan: 'free',
    rateLimitOverride: null,
    createdAt: expect.any(String),
  });
});

it('workspaces list prints workspaces with owner, plan and number of members', async () => {
  expect(rowsOf((await cli('workspaces', 'list')).out)).toEqual([
    [workspace.id, 'Lena', 'business', '2', 'Asia/Tokyo', 'required', '–', 'Loft'],
  ]);
  expect(await json('workspaces', 'list')).toEqual([
    {
      id: workspace.id,
      name: 'Loft',
      timeZone: 'Asia/Tokyo',
      requiresApproval: true,
      locked: false,
      owner: { id: lena.id, name: 'Lena', plan: 'business' },
      members: 2,
      createdAt: expect.any(String),
    },
  ]);
});

it('members list prints the members of a workspace, by role', async () => {
  expect(rowsOf((await cli('members', 'list', '--workspace', workspace.id)).out)).toEqual([
    [lena.id, 'lena@example.com', 'owner', '–', 'Lena'],
    [lars.id, 'lars@example.com', 'editor', 'yes', 'Lars'],
  ]);
  expect(await json('members', 'list', '--workspace', workspace.id)).toContainEqual({
    userId: lars.id,
    name: 'Lars',
    email: 'lars@example.com',
    role: 'editor',
    postActions: true,
  });
});
