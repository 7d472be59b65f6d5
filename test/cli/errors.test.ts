import { runCli } from '../../src/cli/run-command.js';
import { anOperator, cliDependencies, piped } from '../fixtures/operator.js';
import { withDatabase } from '../setup/database.js';

const db = withDatabase();

const { cli } = anOperator(() => ({ DATABASE_URL: db.url }));
const CREATE_KEY = ['keys', 'create', '--user', 'x', '--name', 'x', '--scope'];

it.each([
  [
    1,
    'User "nobody@example.com" does not exist',
    ['keys', 'create', '--user', 'nobody@example.com', '--name', 'x', '--scope', 'posts'],
  ],
  [1, 'Key "key_none" does not exist', ['keys', 'revoke', 'key_none']],
  [1, 'User "nobody@example.com" does not exist', ['limits', 'set', 'nobody@example.com', '5']],
  [1, 'Workspace "wks_none" does not exist', ['members', 'list', '--workspace', 'wks_none']],
  [
    1,
    'Workspace "wks_none" does not exist',
    ['members', 'add', '--workspace', 'wks_none', '--user', 'x', '--role', 'admin'],
  ],
  [1, 'The demo exists in the embedded database only: unset DATABASE_URL', ['demo', 'reset']],
  [
    1,
    'Workspace "wks_none" does not exist',
    ['workspaces', 'delete', 'wks_none', '--confirm', 'wks_none'],
  ],
  [1, 'Account "acc_none" does not exist', ['accounts', 'disconnect', 'acc_none']],
  [1, 'Workspace "wks_none" does not exist', ['accounts', 'list', '--workspace', 'wks_none']],
  [1, 'CREDENTIALS_KEY is not set', ['accounts', 'reseal']],
  [
    2,
    'Allowed choices are workspaces, accounts, posts, posts:read, posts:write, media',
    [...CREATE_KEY, 'everything'],
  ],
  [
    1,
    '--expires is in the past: pass a time in the future',
    [...CREATE_KEY, 'posts', '--expires', '2020-01-01T00:00:00Z'],
  ],
  [
    2,
    'Must be an ISO 8601 time with a time zone',
    [...CREATE_KEY, 'posts', '--expires', '2999-01-01T00:00:00'],
  ],
  [
    2,
    'Must be an ISO 8601 time with a time zone',
    [...CREATE_KEY, 'posts', '--expires', '2999-02-30T00:00:00Z'],
  ],
  [
    2,
    "required option '--name <name>' not specified",
    ['users', 'create', '--email', 'a@b.example'],
  ],
  [
    2,
    'Must be an IANA time zone',
    ['workspaces', 'create', '--name', 'x', '--owner', 'x', '--time-zone', 'Mars/Base'],
  ],
  [2, "unknown command 'dmeo'", ['dmeo']],
] as const)('exits with %i and reports: %s', async (code, message, args) => {
  const users = await db.prisma.user.count();
  expect(await cli(...args)).toEqual({ code, out: '', err: expect.stringContaining(message) });
  expect(await db.prisma.user.count()).toBe(users);
});

it('reports invalid settings and an unreachable database without the password', async () => {
  const errors: string[] = [];
  const terminal = {
    out: () => {},
    err: (line: string) => {
      errors.push(line);
    },
    input: piped(''),
  };
  const unreachable = { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/none' };
  expect(await runCli(['keys', 'list'], cliDependencies({ PORT: 'x' }), terminal)).toBe(1);
  expect(await runCli(['keys', 'list'], cliDependencies(unreachable), terminal)).toBe(1);
  expect(errors).toEqual([
    expect.stringContaining('Invalid PORT "x"'),
    'error: Cannot use the database postgresql://me@127.0.0.1:1/none (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1',
  ]);
});

it('--help exits with 0', async () => {
  expect(await cli('--help')).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringContaining('demo'),
  });
});
