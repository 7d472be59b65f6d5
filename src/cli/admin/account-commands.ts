import type { Command } from 'commander';
import type { AccountRecord } from '../../persistence/credentials/account-store.js';
import { assertWorkspaceExists } from './find-records.js';
import { CliError } from '../cli-error.js';
import type { Cli } from '../cli-context.js';
import { formatTable } from '../text-table.js';

/** Commands for existing accounts and their stored credentials. */
export function addAccountCommands(accounts: Command, cli: Cli): void {
  addListAccounts(accounts, cli);
  addDisconnectAccount(accounts, cli);
  addResealCredentials(accounts, cli);
}

function addListAccounts(accounts: Command, { withContext, printResult }: Cli): void {
  accounts
    .command('list')
    .description('list accounts and their status')
    .option('--workspace <id>', 'list only the accounts of this workspace')
    .action(({ workspace }: { workspace?: string }) =>
      withContext(
        async (context) => {
          if (workspace !== undefined) await assertWorkspaceExists(context.admin, workspace);
          const records = await context.accounts.accounts(workspace);
          printResult(
            records,
            records.length === 0 ? 'There are no accounts.' : formatAccounts(records),
          );
        },
        { readsOnly: true },
      ),
    );
}

function addDisconnectAccount(accounts: Command, { withContext, printResult }: Cli): void {
  accounts
    .command('disconnect')
    .description('delete the stored credentials of an account. The account and its posts remain')
    .argument('<id>', 'ID of the account (acc_…)')
    .action((id: string) =>
      withContext(async (context) => {
        if (!(await context.accounts.find({ id })))
          throw new CliError(`Account ${JSON.stringify(id)} does not exist`);
        const isDeleted = await context.credentials.delete(id);
        printResult(
          { id, disconnected: isDeleted },
          isDeleted ? `${id} is disconnected.` : `${id} was not connected.`,
        );
      }),
    );
}

function addResealCredentials(
  accounts: Command,
  { withContext, printResult, markFailed }: Cli,
): void {
  accounts
    .command('reseal')
    .description(
      'encrypt all credentials with the first key of CREDENTIALS_KEY. Afterward, you can remove the other keys',
    )
    .action(() =>
      withContext(async ({ credentials }) => {
        const outcome = await credentials.reseal();
        printResult(
          outcome,
          [
            `${outcome.resealed} re-encrypted, ${outcome.upToDate} already encrypted with this key, ${outcome.failed.length} could not be decrypted.`,
            ...outcome.failed,
          ].join('\n'),
        );
        if (outcome.failed.length > 0) markFailed();
      }),
    );
}

const formatAccounts = (records: readonly AccountRecord[]): string =>
  formatTable(
    ['id', 'workspace', 'network', 'type', 'status', 'name'],
    records.map((account) => [
      account.id,
      account.workspaceId,
      account.network,
      account.type,
      accountStatus(account),
      account.name,
    ]),
  );

function accountStatus({ sandbox, connectedAt, needsReauth }: AccountRecord): string {
  if (sandbox) return 'sandbox';
  if (needsReauth) return 'needs reauthorization';
  return connectedAt ? 'connected' : 'not connected';
}
