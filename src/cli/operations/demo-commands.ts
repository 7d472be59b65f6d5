import path from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { Cli } from '../cli.js';

/** Adds `demo reset`. */
export function addDemoCommands(program: Command, { withContext, printResult }: Cli): void {
  program
    .command('demo')
    .description('manage the demo data of the embedded database')
    .command('reset')
    .description(
      'restore the initial demo data; the IDs of its workspaces and its API keys stay the same',
    )
    .action(() =>
      withContext(async ({ demo, dataDir }) => {
        if (!demo)
          throw new CliError(
            'The demo exists in the embedded database only: unset DATABASE_URL to use it',
          );
        const demoFile = await demo.reset();
        if (!demoFile)
          throw new CliError(`There is no demo in ${dataDir} yet: create it with \`npm start\``);
        const { workspaceId, otherWorkspaceId } = demoFile;
        const file = path.join(dataDir, 'demo.json');
        printResult(
          { workspaceId, otherWorkspaceId, file },
          `Demo data reset: workspaces ${workspaceId} and ${otherWorkspaceId}, keys in ${file}`,
        );
      }),
    );
}
