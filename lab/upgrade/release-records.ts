import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type pg from 'pg';
import type { KeyInWorkspace } from '../../test/faults/gateway-client.js';
import { MANNERS } from '../../test/publishing/load-accounts.js';
import { CLOCK_AHEAD_SECONDS } from '../../test/publishing/load.js';
import type { LoadAccount } from '../../test/publishing/post-record.js';

/** The users and accounts of a database, created with the commands of the previous release. */
export interface ReleaseRecords {
  readonly owner: KeyInWorkspace;
  /** An editor, whose posts need approval. */
  readonly member: KeyInWorkspace;
  readonly accounts: readonly LoadAccount[];
}

/** Creates the records with the commands of the release that was built in this folder. */
export async function createReleaseRecords(
  folder: string,
  settings: Readonly<Record<string, string>>,
  pool: pg.Pool,
): Promise<ReleaseRecords> {
  function command(...words: string[]): { id: string; value: string } {
    const { PATH = '' } = process.env;
    const program = path.join(folder, 'dist', 'cli.js');
    const { stdout, stderr } = spawnSync(process.execPath, [program, '--json', ...words], {
      cwd: folder,
      env: { PATH, ...settings },
      encoding: 'utf8',
    });
    if (!stdout) throw new Error(`${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout) as { id: string; value: string };
  }
  const aUser = (name: string): string => {
    const email = `${name}@example.com`;
    return command('users', 'create', '--name', name, '--email', email, '--rate-limit', '1000000')
      .id;
  };
  const aKey = (user: string): string =>
    command('keys', 'create', '--user', user, '--name', 'test', '--scope', 'posts', 'accounts')
      .value;
  const [ada, emil] = [aUser('ada'), aUser('emil')];
  const named = ['workspaces', 'create', '--name', 'Shop', '--owner', ada, '--requires-approval'];
  const workspace = { id: command(...named).id };
  const inWorkspace = ['--workspace', workspace.id];
  const member = ['--user', emil, '--role', 'editor', '--post-actions'];
  command('members', 'add', ...inWorkspace, ...member);
  const accounts = MANNERS.map(({ guarantee }, index) => {
    const account = ['--network', 'threads', '--name', `Account ${index}`];
    const onSandbox = ['--social-id', String(index), '--sandbox'];
    return {
      ...command('accounts', 'create', ...inWorkspace, ...account, ...onSandbox),
      guarantee,
    };
  });
  for (const [index, { guarantee, lagSeconds }] of MANNERS.entries())
    await pool.query(
      'INSERT INTO sandbox_account (account_id, guarantee, list_lag_seconds) VALUES ($1, $2::delivery_guarantee, $3)',
      [accounts[index]!.id, guarantee, lagSeconds],
    );
  await pool.query('INSERT INTO sandbox_clock (workspace_id, ahead_seconds) VALUES ($1, $2)', [
    workspace.id,
    CLOCK_AHEAD_SECONDS,
  ]);
  return {
    owner: { apiKey: aKey(ada), workspace },
    member: { apiKey: aKey(emil), workspace },
    accounts,
  };
}
