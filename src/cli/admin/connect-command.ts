import { Argument, type Command } from 'commander';
import { isEditable } from '../../domain/networks/live-fields.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { wordsOf } from '../../domain/vocabulary.js';
import { connectAccount } from '../../services/accounts/connect-account.js';
import { assertWorkspace, CliError, type Cli } from '../cli.js';
import { readCredentials } from './credential-fields.js';
import { readName } from './key-commands.js';

interface ConnectOptions {
  workspace: string;
  account?: string;
  name?: string;
  stdin?: boolean;
}

/** Connects an account: what the network needs is asked for, tried there, and kept sealed. */
export function addConnectCommand(accounts: Command, { open, say, input }: Cli): void {
  accounts
    .command('connect')
    .description(
      'let the gateway edit on a network: asks for what the network needs, tries it there, and keeps it sealed; again for an account that needs reauthorization',
    )
    .addArgument(
      new Argument('<network>', 'which network').choices(
        wordsOf<Network>(NETWORKS).filter(isEditable),
      ),
    )
    .requiredOption('--workspace <id>', 'where')
    .option(
      '--account <id>',
      'connect this account; without it the one that the network names, or a new one',
    )
    .option('--name <name>', 'as shown; by default the network’s own', readName)
    .option(
      '--stdin',
      'read what is asked for from standard input, as a JSON object; it may be set in the environment too',
    )
    .action((network: Network, { workspace, account, name, stdin = false }: ConnectOptions) =>
      open(async (session) => {
        await assertWorkspace(session.admin, workspace);
        await session.credentials.assertReady();
        const { settings, ...means } = session.connecting();
        const credentials = await readCredentials(
          network,
          means.networks[network]?.credentialFields ?? [],
          { settings, input, fromStdin: stdin },
        );
        const outcome = await connectAccount(
          { ...session, ...means },
          { workspaceId: workspace, network, credentials, accountId: account, name },
        );
        if (outcome.kind === 'refused') throw new CliError(outcome.reason);
        const {
          account: { id, name: shown, socialId },
          isNew,
          restored,
        } = outcome;
        const more = restored > 0 ? ` Posts that waited for this: ${restored}, planned again.` : '';
        say(
          { id, name: shown, socialId, isNew, restored },
          `${isNew ? 'Account' : 'Known account'} ${shown} (${socialId}) is connected: ${id}.${more}`,
        );
      }),
    );
}
