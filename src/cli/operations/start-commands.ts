import type { Command } from 'commander';
import type { Cli } from '../cli-context.js';

/** Adds `serve` and `worker`, which start a gateway or a worker in this process. */
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
