import type { Command } from 'commander';
import type { Cli } from '../cli.js';

/** The same as `npm start` and `npm run worker`, in this process; both say what they do by themselves. */
export function addStartCommands(program: Command, { start }: Cli): void {
  program
    .command('serve')
    .description('be a gateway, as `npm start` is, until Ctrl-C or SIGTERM')
    .action(() => start('gateway'));
  program
    .command('worker')
    .description('do jobs, as `npm run worker` does, until Ctrl-C or SIGTERM')
    .action(() => start('worker'));
}
