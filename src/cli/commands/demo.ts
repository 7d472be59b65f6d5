import path from 'node:path';
import type { Command } from 'commander';
import type { WorkspaceContents } from '../../persistence/admin/deletion-store.js';
import { CliError } from '../arguments.js';
import type { Cli } from '../cli-context.js';

/** Adds `demo reset`. */
export function addDemoCommands(
  program: Command,
  { withContext, printResult, markFailed }: Cli,
): void {
  program
    .command('demo')
    .description('manage the demo data of the embedded database')
    .command('reset')
    .description(
      'delete everything in the two demo workspaces and restore their initial data. The IDs of these workspaces, the demo keys and all other workspaces stay the same',
    )
    .option(
      '--confirm',
      'delete and restore the data. Without this option, the command only reports what it would delete',
      false,
    )
    .action(({ confirm }: { confirm: boolean }) =>
      withContext(async ({ demo, deletions, dataDir }) => {
        if (!demo)
          throw new CliError(
            'The demo exists in the embedded database only: unset DATABASE_URL to use it',
          );
        const demoFile = await demo.find();
        if (!demoFile)
          throw new CliError(`There is no demo in ${dataDir} yet: create it with \`npm start\``);
        const workspaces = (
          await Promise.all(
            [demoFile.workspaceId, demoFile.otherWorkspaceId].map(deletions.workspace),
          )
        ).filter((contents) => contents !== null);
        const summary = workspaces.map(formatContents).join('\n');
        if (!confirm) {
          printResult(
            { reset: false, workspaces },
            `${summary}\nNothing was deleted. To reset the demo, add --confirm`,
          );
          markFailed();
          return;
        }
        await demo.reset();
        const file = path.join(dataDir, 'demo.json');
        printResult(
          { reset: true, workspaces, file },
          `Deleted and restored:\n${summary}\nThe keys are in ${file}`,
        );
      }),
    );
}

const formatContents = ({ id, name, posts, accounts }: WorkspaceContents): string =>
  `${id} (${name}). Posts: ${posts}. Accounts: ${accounts}.`;
