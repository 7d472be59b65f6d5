import type { Command } from 'commander';
import type { AccountRecord } from '../../services/accounts/account-records.js';
import { assertWorkspace, CliError, type Cli } from '../cli.js';
import { table } from '../table.js';

/** What an operator does with accounts that are there, and with what their networks ask for. */
export function addAccountCommands(accounts: Command, { open, say, fail }: Cli): void {
  accounts
    .command('list')
    .description('accounts and how they stand')
    .option('--workspace <id>', 'of this workspace only')
    .action(({ workspace }: { workspace?: string }) =>
      open(async (session) => {
        if (workspace !== undefined) await assertWorkspace(session.admin, workspace);
        const all = await session.accounts.accounts(workspace);
        say(all, all.length === 0 ? 'There are no accounts.' : listOf(all));
      }),
    );

  accounts
    .command('disconnect')
    .description('forget what the network asked for; the account and its posts stay')
    .argument('<id>', 'acc_…')
    .action((id: string) =>
      open(async ({ accounts: records, credentials }) => {
        if (!(await records.find({ id })))
          throw new CliError(`There is no account ${JSON.stringify(id)}`);
        const forgotten = await credentials.forget(id);
        say({ id, forgotten }, forgotten ? `${id} is disconnected.` : `${id} was not connected.`);
      }),
    );

  accounts
    .command('reseal')
    .description(
      'seal all credentials with the first key of CREDENTIALS_KEY; afterwards the others can go',
    )
    .action(() =>
      open(async ({ credentials }) => {
        const { resealed, current, refused } = await credentials.reseal();
        say(
          { resealed, current, refused },
          [
            `${resealed} resealed, ${current} already with this key, ${refused.length} not opened.`,
            ...refused,
          ].join('\n'),
        );
        if (refused.length > 0) fail();
      }),
    );
}

const listOf = (all: readonly AccountRecord[]): string =>
  table(
    ['id', 'workspace', 'network', 'type', 'stands', 'name'],
    all.map((account) => [
      account.id,
      account.workspaceId,
      account.network,
      account.type,
      standingOf(account),
      account.name,
    ]),
  );

function standingOf({ sandbox, connectedAt, needsReauth }: AccountRecord): string {
  if (sandbox) return 'sandbox';
  if (needsReauth) return 'needs reauthorization';
  return connectedAt ? 'connected' : 'not connected';
}
