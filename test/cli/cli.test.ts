import { runCli } from '../../src/cli/run.js';
import { createKeyStore } from '../../src/persistence/access/key-store.js';
import { keyHash } from '../../src/services/access/key-hash.js';
import { anOperator, openOn, piped } from '../fixtures/operator.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const { cli, json } = anOperator(() => ({ DATABASE_URL: db.url }));
const grant = (value: string, workspaceId: string | null = null) =>
  createKeyStore(db.pool).grant(keyHash(value), workspaceId, new Date());

describe('an operator', () => {
  it('makes a user, a workspace, members, an account and a key that works in it', async () => {
    const owner = await json(
      'users',
      'create',
      '--name',
      'Ada Ödön',
      '--email',
      'Ada@example.com',
      '--rate-limit',
      '500',
    );
    const workspace = await json(
      'workspaces',
      'create',
      '--name',
      'Atelier',
      '--owner',
      'ada@EXAMPLE.com',
      '--time-zone',
      'Asia/Tokyo',
      '--requires-approval',
    );
    const editor = await json(
      'users',
      'create',
      '--name',
      'Emil',
      '--email',
      'emil@example.com',
      '--plan',
      'free',
    );
    expect(
      await json(
        'members',
        'add',
        '--workspace',
        workspace.id,
        '--user',
        editor.id,
        '--role',
        'editor',
        '--post-actions',
      ),
    ).toEqual({ workspaceId: workspace.id, userId: editor.id, role: 'editor', postActions: true });
    const account = await json(
      'accounts',
      'create',
      '--workspace',
      workspace.id,
      '--network',
      'wordpress',
      '--name',
      'Blog',
      '--social-id',
      'https://blog.example.com',
    );
    expect(await db.prisma.account.findUnique({ where: { id: account.id } })).toMatchObject({
      workspaceId: workspace.id,
      type: 'blog',
      network: 'wordpress',
      sandbox: false,
    });
    const tried = await json(
      'accounts',
      'create',
      '--workspace',
      workspace.id,
      '--network',
      'mastodon',
      '--name',
      'Trial',
      '--social-id',
      '1',
      '--sandbox',
    );
    expect(await db.prisma.account.findUnique({ where: { id: tried.id } })).toMatchObject({
      network: 'mastodon',
      sandbox: true,
    });
    const key = await json(
      'keys',
      'create',
      '--user',
      'emil@example.com',
      '--name',
      'Backup',
      '--scope',
      'posts',
      'media',
      '--expires',
      '2999-01-01T00:00:00Z',
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
    const ownersKey = await json(
      'keys',
      'create',
      '--user',
      owner.id,
      '--name',
      'Mine',
      '--scope',
      'workspaces',
    );
    expect((await grant(ownersKey.value))!.caller.rateLimitOverride).toBe(500);
  });

  it('lists keys without their values, and ends one at once', async () => {
    await json('users', 'create', '--name', 'Kim', '--email', 'kim@example.com');
    const { id, value, prefix } = await json(
      'keys',
      'create',
      '--user',
      'kim@example.com',
      '--name',
      'Phone',
      '--scope',
      'posts:read',
    );
    const listed = await cli('keys', 'list', '--user', 'kim@example.com');
    expect(listed.out).toMatch(
      new RegExp(
        `^id +begins +user +stands +ends +scopes +name\\n${id}  ${prefix}…  usr_\\w+  valid   –     posts:read  Phone$`,
      ),
    );
    expect(listed.out).not.toContain(value);
    expect(await cli('keys', 'revoke', id)).toEqual({ code: 0, out: `${id} is revoked.`, err: '' });
    expect(await grant(value)).toBeNull();
    expect((await cli('keys', 'list')).out).toContain('revoked');
  });
});

describe('an operator rotates a key', () => {
  const HOUR = 3_600_000;
  const rotated = async (...how: string[]) => {
    const user = await json(
      'users',
      'create',
      '--name',
      'Rosa',
      '--email',
      `${Math.random()}@example.com`,
    );
    const old = await json(
      'keys',
      'create',
      '--user',
      user.id,
      '--name',
      'Site',
      '--scope',
      'posts',
      'media',
      '--expires',
      '2999-01-01T00:00:00Z',
    );
    const fresh = await json('keys', 'rotate', old.id, ...how);
    return {
      user,
      old,
      fresh,
      endsInHours: (new Date(fresh.replaces.expiresAt).getTime() - Date.now()) / HOUR,
    };
  };

  it.each([
    [[], 24],
    [['--grace', '7d'], 168],
    [['--grace', '30m'], 0.5],
  ])('with %j: the old one works on for %d hours', async (how, hours) => {
    const { user, old, fresh, endsInHours } = await rotated(...how);
    expect(endsInHours).toBeCloseTo(hours, 1);
    expect((await grant(old.value))!.caller.key).toMatchObject({
      id: old.id,
      expiresAt: new Date(fresh.replaces.expiresAt),
    });
    expect((await grant(fresh.value))!.caller).toMatchObject({
      user: { id: user.id },
      key: {
        id: fresh.id,
        name: 'Site',
        scopes: ['posts', 'media'],
        expiresAt: new Date('2999-01-01'),
      },
    });
    const later = (at: string) =>
      createKeyStore(db.pool).grant(
        keyHash(old.value),
        null,
        new Date(new Date(fresh.replaces.expiresAt).getTime() + Number(at)),
      );
    expect([(await later('-1')) === null, await later('0')]).toEqual([false, null]);
  });

  it('without grace: the old one ends at once', async () => {
    const { old, fresh } = await rotated('--grace', '0', '--expires', '2998-01-01T00:00:00Z');
    expect(await grant(old.value)).toBeNull();
    expect((await grant(fresh.value))!.caller.key.expiresAt).toEqual(new Date('2998-01-01'));
  });

  it('lets no key live longer, rotates none that has ended, and none twice, however many try at once', async () => {
    const soon = new Date(Date.now() + HOUR / 2).toISOString();
    const user = await json(
      'users',
      'create',
      '--name',
      'Rosa',
      '--email',
      'rosa.once@example.com',
    );
    const aKey = (): Promise<{ id: string }> =>
      json(
        'keys',
        'create',
        '--user',
        user.id,
        '--name',
        'Site',
        '--scope',
        'posts',
        '--expires',
        soon,
      );
    const short = await aKey();
    expect(await json('keys', 'rotate', short.id, '--grace', '7d')).toMatchObject({
      expiresAt: soon,
      replaces: { expiresAt: soon },
    });
    const twice = await aKey();
    const tries = await Promise.all([1, 2, 3].map(() => cli('--json', 'keys', 'rotate', twice.id)));
    const [made] = tries.filter(({ code }) => code === 0);
    const refusal = {
      code: 1,
      out: '',
      err: `error: ${twice.id} is replaced by ${JSON.parse(made!.out).id} already: rotate that one, if its value was lost, or make a new one by \`keys create\``,
    };
    expect(tries.filter((one) => one !== made)).toEqual([refusal, refusal]);
    expect(await cli('keys', 'rotate', twice.id)).toEqual(refusal);

    const old = await aKey();
    await json('keys', 'revoke', old.id);
    const before = await json('keys', 'list', '--user', user.id);
    for (const id of [old.id, 'key_none']) {
      expect(await cli('keys', 'rotate', id)).toEqual({
        code: 1,
        out: '',
        err: `error: There is no key "${id}" that still works: \`keys create\` makes one`,
      });
    }
    expect(await cli('keys', 'rotate', old.id, '--grace', '2 days')).toMatchObject({
      code: 2,
      err: expect.stringContaining('such as 24h; or 0.'),
    });
    expect(await cli('keys', 'rotate', old.id, '--grace', '366d')).toMatchObject({
      code: 2,
      out: '',
    });
    expect(await json('keys', 'list', '--user', user.id)).toEqual(before);
  });

  it('shows the new value, and until when the old one works', async () => {
    const { fresh } = await rotated();
    expect((await cli('keys', 'rotate', fresh.id)).out).toMatch(
      new RegExp(
        `^spk_live_\\w{36}\\nkey_\\w+, posts media\\. Keep it now: it is not shown again\\. It ends 2999-01-01T00:00:00\\.000Z\\. ${fresh.id} works until 2\\d{3}-.+Z\\.$`,
      ),
    );
  });
});

describe('an operator sees', () => {
  it('users, workspaces and members, with the ids that commands ask for', async () => {
    const lena = await json(
      'users',
      'create',
      '--name',
      'Lena',
      '--email',
      'lena@example.com',
      '--rate-limit',
      '250',
    );
    const workspace = await json(
      'workspaces',
      'create',
      '--name',
      'Loft',
      '--owner',
      lena.id,
      '--time-zone',
      'Asia/Tokyo',
      '--requires-approval',
    );
    const lars = await json(
      'users',
      'create',
      '--name',
      'Lars',
      '--email',
      'lars@example.com',
      '--plan',
      'free',
    );
    await json(
      'members',
      'add',
      '--workspace',
      workspace.id,
      '--user',
      lars.id,
      '--role',
      'editor',
      '--post-actions',
    );
    const cellsOf = (out: string, id: string) =>
      out
        .split('\n')
        .find((line) => line.startsWith(id))!
        .split(/ {2,}/);
    expect(cellsOf((await cli('users', 'list')).out, lena.id)).toEqual([
      lena.id,
      'lena@example.com',
      'business',
      '250',
      expect.stringMatching(/^2.+Z$/),
      'Lena',
    ]);
    expect(cellsOf((await cli('workspaces', 'list')).out, workspace.id)).toEqual([
      workspace.id,
      'Lena',
      'business',
      '2',
      'Asia/Tokyo',
      'required',
      'Loft',
    ]);
    const { out } = await cli('members', 'list', '--workspace', workspace.id);
    expect(
      out
        .split('\n')
        .slice(1)
        .map((line) => line.split(/ {2,}/)),
    ).toEqual([
      [lena.id, 'lena@example.com', 'owner', '–', 'Lena'],
      [lars.id, 'lars@example.com', 'editor', 'yes', 'Lars'],
    ]);
    expect(await json('users', 'list')).toContainEqual({
      id: lars.id,
      name: 'Lars',
      email: 'lars@example.com',
      plan: 'free',
      rateLimitOverride: null,
      createdAt: expect.any(String),
    });
    expect(await json('workspaces', 'list')).toContainEqual({
      id: workspace.id,
      name: 'Loft',
      timeZone: 'Asia/Tokyo',
      requiresApproval: true,
      owner: { id: lena.id, name: 'Lena', plan: 'business' },
      members: 2,
      createdAt: expect.any(String),
    });
    expect(await json('members', 'list', '--workspace', workspace.id)).toContainEqual({
      userId: lars.id,
      name: 'Lars',
      email: 'lars@example.com',
      role: 'editor',
      postActions: true,
    });
  });
});

describe('an operator changes', () => {
  const member = async () => {
    const owner = await json(
      'users',
      'create',
      '--name',
      'Mia',
      '--email',
      `${Math.random()}@example.com`,
    );
    const workspace = await json('workspaces', 'create', '--name', 'Mill', '--owner', owner.id);
    const user = await json(
      'users',
      'create',
      '--name',
      'Max',
      '--email',
      `${Math.random()}@example.com`,
    );
    const place = ['--workspace', workspace.id, '--user', user.id];
    await json('members', 'add', ...place, '--role', 'editor');
    const { value } = await json(
      'keys',
      'create',
      '--user',
      user.id,
      '--name',
      'x',
      '--scope',
      'posts',
    );
    return {
      owner,
      workspace,
      user,
      place,
      granted: async () => (await grant(value, workspace.id))!,
    };
  };

  it('plan and limit of a user', async () => {
    const { user, granted } = await member();
    expect(
      await json('users', 'update', user.id, '--plan', 'professional', '--rate-limit', '7'),
    ).toEqual({ id: user.id, plan: 'professional', rateLimitOverride: 7 });
    expect((await granted()).caller).toMatchObject({ plan: 'professional', rateLimitOverride: 7 });
    await json('users', 'update', user.id, '--no-rate-limit');
    expect((await granted()).caller).toMatchObject({
      plan: 'professional',
      rateLimitOverride: null,
    });
  });

  it('a limit by itself', async () => {
    const { user, granted } = await member();
    expect(await cli('limits', 'set', user.id, '500')).toEqual({
      code: 0,
      out: `Max (${user.id}) has 500 requests in each window.`,
      err: '',
    });
    expect((await granted()).caller.rateLimitOverride).toBe(500);
    for (const wrong of [[], ['7', '--default']])
      expect(await cli('limits', 'set', user.id, ...wrong)).toEqual({
        code: 2,
        out: '',
        err: 'error: Give a number of requests, or --default',
      });
    expect(await cli('limits', 'set', user.id, '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('A whole number from 1 to 999999999 is allowed.'),
    });
    expect((await granted()).caller.rateLimitOverride).toBe(500);
    expect(await json('limits', 'set', user.id, '--default')).toEqual({
      id: user.id,
      rateLimitOverride: null,
    });
    expect((await granted()).caller.rateLimitOverride).toBeNull();
  });

  it('settings of a workspace', async () => {
    const { workspace, granted } = await member();
    await json(
      'workspaces',
      'update',
      workspace.id,
      '--requires-approval',
      '--time-zone',
      'asia/tokyo',
    );
    expect((await granted()).viewer!.workspace).toMatchObject({
      requiresApproval: true,
      timeZone: 'Asia/Tokyo',
      name: 'Mill',
    });
    await json('workspaces', 'update', workspace.id, '--no-requires-approval', '--name', 'Mine');
    expect((await granted()).viewer!.workspace).toMatchObject({
      requiresApproval: false,
      timeZone: 'Asia/Tokyo',
      name: 'Mine',
    });
  });

  it('a membership, and ends it', async () => {
    const { place, granted } = await member();
    await json('members', 'update', ...place, '--post-actions');
    expect((await granted()).viewer).toMatchObject({ role: 'editor', postActions: true });
    await json('members', 'update', ...place, '--role', 'admin');
    expect((await granted()).viewer).toMatchObject({ role: 'admin', postActions: true });
    expect(await json('members', 'remove', ...place)).toMatchObject({ removed: true });
    expect((await granted()).viewer).toBeNull();
    expect(await cli('members', 'remove', ...place)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/Max is no member of wks_/),
    });
  });

  it('no owner, and nothing where nothing is said', async () => {
    const { owner, workspace, place } = await member();
    for (const command of [['update', '--role', 'viewer'], ['remove']]) {
      expect(
        await cli('members', ...command, '--workspace', workspace.id, '--user', owner.id),
      ).toMatchObject({ code: 1, err: expect.stringMatching(/an owner stays/) });
    }
    for (const command of [
      ['users', 'update', owner.id],
      ['workspaces', 'update', workspace.id],
      ['members', 'update', ...place],
    ]) {
      expect(await cli(...command)).toEqual({
        code: 2,
        out: '',
        err: 'error: There is nothing to change: give an option',
      });
    }
    expect(
      await db.prisma.membership.count({
        where: { workspaceId: workspace.id, userId: owner.id, role: 'owner' },
      }),
    ).toBe(1);
  });
});

describe('an operator removes', () => {
  const owner = async (name: string) => {
    const user = await json(
      'users',
      'create',
      '--name',
      name,
      '--email',
      `${Math.random()}@example.com`,
    );
    return {
      user,
      workspace: await json('workspaces', 'create', '--name', `${name}’s`, '--owner', user.id),
    };
  };

  it('a workspace, when its id is said again, and is told before what would go', async () => {
    const { user, workspace } = await owner('Nora');
    const what = { id: workspace.id, name: 'Nora’s', posts: 0, accounts: 0, members: 1 };
    const told = 'Nora’s. Posts: 0. Accounts: 0. Members who lose it: 1.';
    expect(await cli('workspaces', 'delete', workspace.id)).toEqual({
      code: 1,
      err: '',
      out: `${told}\nNothing was removed. To remove it for good: --confirm ${workspace.id}`,
    });
    const mistaken = await cli('workspaces', 'delete', workspace.id, '--confirm', 'yes');
    expect(mistaken).toEqual({
      code: 1,
      out: '',
      err: `error: --confirm names "yes", and this is ${workspace.id}: nothing was removed`,
    });
    expect(await cli('users', 'delete', user.id, '--confirm', user.id)).toEqual({
      code: 1,
      out: '',
      err: `error: Nora owns ${workspace.id}: \`workspaces delete\` first`,
    });
    expect(await db.prisma.workspace.count({ where: { id: workspace.id } })).toBe(1);
    expect(await json('workspaces', 'delete', workspace.id, '--confirm', workspace.id)).toEqual({
      removed: true,
      ...what,
    });
    expect(await db.prisma.workspace.count({ where: { id: workspace.id } })).toBe(0);
  });

  it('a user, whose keys end at once', async () => {
    const { workspace } = await owner('Nils');
    const user = await json('users', 'create', '--name', 'Nele', '--email', 'nele@example.com');
    await json(
      'members',
      'add',
      '--workspace',
      workspace.id,
      '--user',
      user.id,
      '--role',
      'editor',
    );
    const key = await json('keys', 'create', '--user', user.id, '--name', 'x', '--scope', 'posts');
    const told =
      'Nele (nele@example.com). Keys: 1. Memberships: 1. Private drafts: 0. Other posts, which stay: 0.';
    expect(await cli('users', 'delete', 'nele@example.com')).toEqual({
      code: 1,
      err: '',
      out: `${told}\nNothing was removed. To remove it for good: --confirm ${user.id}`,
    });
    expect(await grant(key.value)).not.toBeNull();
    expect(await cli('users', 'delete', 'nele@example.com', '--confirm', user.id)).toEqual({
      code: 0,
      err: '',
      out: `${user.id} is removed: ${told}`,
    });
    expect(await grant(key.value)).toBeNull();
    expect(await db.prisma.user.count({ where: { id: user.id } })).toBe(0);
  });
});

describe('a mistake', () => {
  it.each([
    [
      1,
      'There is no user "nobody@example.com"',
      ['keys', 'create', '--user', 'nobody@example.com', '--name', 'x', '--scope', 'posts'],
    ],
    [1, 'There is no key "key_none"', ['keys', 'revoke', 'key_none']],
    [1, 'There is no user "nobody@example.com"', ['limits', 'set', 'nobody@example.com', '5']],
    [1, 'There is no workspace "wks_none"', ['members', 'list', '--workspace', 'wks_none']],
    [
      1,
      'There is no workspace "wks_none"',
      ['members', 'add', '--workspace', 'wks_none', '--user', 'x', '--role', 'admin'],
    ],
    [1, 'DATABASE_URL names another', ['demo', 'reset']],
    [
      1,
      'There is no workspace "wks_none"',
      ['workspaces', 'delete', 'wks_none', '--confirm', 'wks_none'],
    ],
    [1, 'There is no account "acc_none"', ['accounts', 'disconnect', 'acc_none']],
    [1, 'There is no workspace "wks_none"', ['accounts', 'list', '--workspace', 'wks_none']],
    [1, 'CREDENTIALS_KEY is not set', ['accounts', 'reseal']],
    [
      2,
      'Allowed choices are workspaces, accounts, posts, posts:read, posts:write, media',
      ['keys', 'create', '--user', 'x', '--name', 'x', '--scope', 'everything'],
    ],
    [
      1,
      'The key would have expired already',
      [
        'keys',
        'create',
        '--user',
        'x',
        '--name',
        'x',
        '--scope',
        'posts',
        '--expires',
        '2020-01-01T00:00:00Z',
      ],
    ],
    [
      2,
      'A time with its zone is allowed',
      [
        'keys',
        'create',
        '--user',
        'x',
        '--name',
        'x',
        '--scope',
        'posts',
        '--expires',
        '2999-01-01T00:00:00',
      ],
    ],
    [
      2,
      'A time with its zone is allowed',
      [
        'keys',
        'create',
        '--user',
        'x',
        '--name',
        'x',
        '--scope',
        'posts',
        '--expires',
        '2999-02-30T00:00:00Z',
      ],
    ],
    [
      2,
      "required option '--name <name>' not specified",
      ['users', 'create', '--email', 'a@b.example'],
    ],
    [
      2,
      'An IANA name is allowed',
      ['workspaces', 'create', '--name', 'x', '--owner', 'x', '--time-zone', 'Mars/Base'],
    ],
    [2, "unknown command 'dmeo'", ['dmeo']],
  ] as const)('exits with %i and says: %s', async (code, message, args) => {
    const users = await db.prisma.user.count();
    const answer = await cli(...args);
    expect(answer).toEqual({ code, out: '', err: expect.stringContaining(message) });
    expect(await db.prisma.user.count()).toBe(users);
  });

  it('is one line where something exists already', async () => {
    const create = ['users', 'create', '--name', 'Twin', '--email', 'twin@example.com'];
    const { id } = await json(...create);
    expect(await cli(...create)).toEqual({
      code: 1,
      out: '',
      err: 'error: There is a user twin@example.com already',
    });
    const workspace = await json('workspaces', 'create', '--name', 'Twins', '--owner', id);
    expect(
      await cli('members', 'add', '--workspace', workspace.id, '--user', id, '--role', 'admin'),
    ).toEqual({ code: 1, out: '', err: 'error: this exists already' });
  });

  it('in the settings or the address of the database is told, without the password', async () => {
    const err: string[] = [];
    const terminal = {
      out: () => {},
      err: (line: string) => {
        err.push(line);
      },
      input: piped(''),
    };
    expect(await runCli(['keys', 'list'], openOn({ PORT: 'x' }), terminal)).toBe(1);
    expect(
      await runCli(
        ['keys', 'list'],
        openOn({ DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/none' }),
        terminal,
      ),
    ).toBe(1);
    expect(err).toEqual([
      expect.stringContaining('PORT is "x"'),
      'error: The database cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    ]);
  });

  it('is not to ask for help', async () => {
    expect(await cli('--help')).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('demo'),
    });
  });
});
