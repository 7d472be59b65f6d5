import { Argument, type Command } from 'commander';
import { MisuseError, userNamed, type Cli } from '../cli.js';
import { readLimit } from './record-commands.js';

export function addLimitCommands(program: Command, { open, say }: Cli): void {
  program
    .command('limits')
    .description('requests in each window of 2 minutes')
    .command('set')
    .description('give a user an own limit')
    .argument('<id or e-mail>', 'whose')
    .addArgument(new Argument('[requests]', 'how many').argParser(readLimit))
    .option('--default', 'the default limit again (RATE_LIMIT_REQUESTS)')
    .action(async (who: string, requests: number | undefined, options: { default?: boolean }) => {
      if ((options.default ?? false) === (requests !== undefined))
        throw new MisuseError('Give a number of requests, or --default');
      await open(async ({ admin }) => {
        const { id, name } = await userNamed(admin, who);
        await admin.updateUser(id, { rateLimitOverride: requests ?? null });
        say(
          { id, rateLimitOverride: requests ?? null },
          requests === undefined
            ? `${name} (${id}) has the default limit.`
            : `${name} (${id}) has ${requests} requests in each window.`,
        );
      });
    });
}
