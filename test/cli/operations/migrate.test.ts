import { readdirSync } from 'node:fs';
import { anOperator } from '../../fixtures/operator.js';
import { emptyDatabase, testDatabase } from '../../setup/database.js';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';

it('migrate --status lists pending migrations, and migrate applies them', async () => {
  const empty = await emptyDatabase();
  try {
    const { cli, json } = anOperator(() => ({ DATABASE_URL: empty.url }));
    const before = await cli('migrate', '--status');
    const [header, ...lines] = before.out.split('\n');
    expect([before.code, header]).toEqual([
      1,
      expect.stringMatching(/^migration +status +applied at$/),
    ]);
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).toMatch(/^\d{14}_\w+ +pending +–$/);

    const { applied } = await json('migrate');
    expect(applied).toContain('20261122120000_first_release');
    expect(applied).toHaveLength(lines.length);
    expect(await json('migrate', '--status')).toEqual(
      applied.map((name: string) => ({
        name,
        status: 'applied',
        appliedAt: expect.stringMatching(/^2.+Z$/),
      })),
    );
    expect(await cli('migrate')).toEqual({ code: 0, out: 'No migrations are pending.', err: '' });
  } finally {
    await empty.drop();
  }
});

it('migrate --status reports failed, edited and unknown migrations', async () => {
  const db = await testDatabase();
  const { cli } = anOperator(() => ({ DATABASE_URL: db.url }));
  const readStatus = async () => {
    const { code, out } = await cli('migrate', '--status', '--json');
    const states = JSON.parse(out) as { name: string; status: string }[];
    const others = states.filter(({ status }) => status !== 'applied');
    return [code, Object.fromEntries(others.map(({ name, status }) => [name.slice(15), status]))];
  };
  try {
    await db.pool.query(
      "UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%first_release'",
    );
    expect(await readStatus()).toEqual([0, { first_release: 'edited' }]);
    await db.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('1', '', '29990101000000_later', now())",
    );
    expect(await readStatus()).toEqual([0, { first_release: 'edited', later: 'unknown' }]);
    await db.pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('2', '', '29990102000000_major_9', now())",
    );
    expect(await readStatus()).toEqual([
      1,
      { first_release: 'edited', later: 'unknown', major_9: 'incompatible' },
    ]);
    await db.pool.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%first_release'",
    );
    expect(await readStatus()).toEqual([
      1,
      { first_release: 'failed', later: 'unknown', major_9: 'incompatible' },
    ]);
  } finally {
    await db.drop();
  }
});

it('migrate rejects --status with --rolled-back, and a migration that has not failed', async () => {
  const db = await testDatabase();
  const { cli } = anOperator(() => ({ DATABASE_URL: db.url }));
  try {
    expect(await cli('migrate', '--status', '--rolled-back', 'x')).toEqual({
      code: 2,
      out: '',
      err: 'error: Pass either --status or --rolled-back: --status changes nothing',
    });
    expect(await cli('migrate', '--rolled-back', 'x')).toEqual({
      code: 1,
      out: '',
      err: 'error: There is no failed migration "x": list them with `migrate --status`',
    });
  } finally {
    await db.drop();
  }
});

it.each([['doctor'], ['migrate', '--status'], ['backup']])(
  '%s %s does not create a missing embedded database',
  async (...command) => {
    const folder = temporaryFolder();
    try {
      const { code, out, err } = await anOperator(() => ({ DATA_DIR: folder })).cli(...command);
      expect([code, `${out}${err}`]).toEqual([
        1,
        expect.stringContaining(
          `There is no database in ${folder} yet. Run \`npm start\` to create one, or set DATA_DIR or DATABASE_URL to an existing one`,
        ),
      ]);
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      removeFolder(folder);
    }
  },
);
