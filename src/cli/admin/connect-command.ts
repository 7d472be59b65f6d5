import { Argument, type Command } from 'commander';
import {
  CONNECTED_NETWORKS,
  credentialFieldsOf,
  type Network,
} from '../../domain/networks/networks.js';
import { connectAccount } from '../../services/accounts/connect-account.js';
import { assertWorkspaceExists } from './find-records.js';
import { CliError } from '../cli-error.js';
import type { Cli } from '../cli-context.js';
import { readCredentials } from './credential-fields.js';
import { readName } from './option-readers.js';

interface ConnectOptions {
  workspace: string;
  account?: string;
  name?: string;
  stdin?: boolean;
}

/**
 * Adds `accounts connect`, which prompts for credentials, verifies them with the network and stores
 * them sealed.
 */
export function addConnectCommand(
  accounts: Command,
  { withContext, printResult, input }: Cli,
): void {
  accounts
    .command('connect')
    .description(
      'connect an account so that the gateway can publish and edit its posts on the network, or renew the credentials of an account that needs reauthorization. The command prompts for the credentials, verifies them with the network, and stores them encrypted',
    )
    .addArgument(new Argument('<network>', 'network of the account').choices(CONNECTED_NETWORKS))
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .option(
      '--account <id>',
      'account to connect (by default, the account that the network reports, which the command creates if needed)',
    )
    .option('--name <name>', 'display name (by default, the name on the network)', readName)
    .option(
      '--stdin',
      'read the credentials from a JSON object on standard input. Alternatively, set the environment variables that start with CONNECT_',
    )
    .action((network: Network, { workspace, account, name, stdin = false }: ConnectOptions) =>
      withContext(async (context) => {
        await assertWorkspaceExists(context.admin, workspace);
        await context.credentials.assertReady();
        const { settings, ...connectContext } = context.connectContext();
        const credentials = await readCredentials(network, credentialFieldsOf(network), {
          settings,
          input,
          fromStdin: stdin,
        });
        const outcome = await connectAccount(
          { ...context, ...connectContext },
          { workspaceId: workspace, network, credentials, accountId: account, name },
        );
        if (outcome.kind === 'refused') throw new CliError(outcome.reason);
        const {
          account: { id, name: accountName, socialId },
          isNew,
          restored,
        } = outcome;
        const note =
          restored > 0
            ? ` Restored ${restored} ${restored === 1 ? 'post' : 'posts'} that waited for reauthorization.`
            : '';
        printResult(
          { id, name: accountName, socialId, isNew, restored },
          `${isNew ? 'New account' : 'Account'} ${accountName} (${socialId}) is connected: ${id}.${note}`,
        );
      }),
    );
}
