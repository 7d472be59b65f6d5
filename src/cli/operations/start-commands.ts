import type { Command } from 'commander';
import type { Cli } from '../cli.js';

/** Same as `npm start` and `npm run worker`, in this process. Both print their own messages. */
export function addStartCommands(program: Command, { start }: Cli): void {
  program
    .command('serve')
    .description('run a gateway, as `npm start` does, until Ctrl-C or SIGTERM')
    .action(() => start('gateway'));
  program
    .command('worker')
    .description('run a worker, as `npm run worker` does, until Ctrl-C or SIGTERM')
    .action(() => start('worker'));
}
