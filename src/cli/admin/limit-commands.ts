import { Argument, type Command } from 'commander';
import { UsageError } from '../cli-error.js';
import { requireUser } from './find-records.js';
import type { Cli } from '../cli-context.js';
import { readCount } from './option-readers.js';

/** Adds `limits set`. */
export function addLimitCommands(program: Command, { withContext, printResult }: Cli): void {
  program
    .command('limits')
    .description('manage rate limits: requests per 2-minute window')
    .command('set')
    .description('set the rate limit of a user')
    .argument('<id or email>', 'ID or email address of the user')
    .addArgument(new Argument('[requests]', 'requests per 2-minute window').argParser(readCount))
    .option('--default', 'restore the default limit (RATE_LIMIT_REQUESTS)')
    .action(
      async (idOrEmail: string, requests: number | undefined, options: { default?: boolean }) => {
        if ((options.default ?? false) === (requests !== undefined))
          throw new UsageError('Pass either a number of requests or --default');
        await withContext(async ({ admin }) => {
          const { id, name } = await requireUser(admin, idOrEmail);
          await admin.updateUser(id, { rateLimitOverride: requests ?? null });
          printResult(
            { id, rateLimitOverride: requests ?? null },
            requests === undefined
              ? `${name} (${id}) has the default rate limit.`
              : `${name} (${id}) has a rate limit of ${requests} requests per 2-minute window.`,
          );
        });
      },
    );
}
