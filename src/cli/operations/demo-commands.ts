import path from 'node:path';
import type { Command } from 'commander';
import { CliError, type Cli } from '../cli.js';

export function addDemoCommands(program: Command, { open, say }: Cli): void {
  program
    .command('demo')
    .description('the demo of the embedded database')
    .command('reset')
    .description('make the demo as it was at first; its keys and workspaces stay')
    .action(() =>
      open(async ({ demo, dataDir }) => {
        if (!demo)
          throw new CliError(
            'The demo exists on the embedded database only, and DATABASE_URL names another',
          );
        const made = await demo.reset();
        if (!made) throw new CliError(`There is no demo in ${dataDir} yet: \`npm start\` makes it`);
        const { workspaceId, otherWorkspaceId } = made;
        const file = path.join(dataDir, 'demo.json');
        say(
          { workspaceId, otherWorkspaceId, file },
          `The demo is as it was at first: workspaces ${workspaceId} and ${otherWorkspaceId}, keys in ${file}`,
        );
      }),
    );
}
