import type { Command } from 'commander';
import { CliError, MisuseError, type Cli } from '../cli.js';
import { minuteOf, table } from '../table.js';

const WANTED = ['applied', 'edited'];

interface MigrateOptions {
  readonly status?: boolean;
  readonly rolledBack?: string;
}

export function addMigrateCommand(program: Command, { openAsIs, say, fail }: Cli): void {
  program
    .command('migrate')
    .description('bring the database’s tables to this release, as every start does')
    .option(
      '--status',
      'show how they stand, change nothing; exit code 1 where something is to be done',
    )
    .option(
      '--rolled-back <migration>',
      'first take one that failed as undone, once you have mended the database',
    )
    .action(({ status = false, rolledBack }: MigrateOptions) =>
      openAsIs(
        async ({ migrations }) => {
          if (status && rolledBack !== undefined)
            throw new MisuseError(
              '--status changes nothing, and --rolled-back does: give one of them',
            );
          if (rolledBack !== undefined && !(await migrations.markRolledBack(rolledBack)))
            throw new CliError(
              `no migration ${JSON.stringify(rolledBack)} has failed; migrate --status lists them`,
            );
          const applied = status ? [] : await migrations.apply();
          const states = await migrations.states();
          const list = table(
            ['migration', 'stands', 'applied at'],
            states.map(({ name, standing, appliedAt }) => [name, standing, minuteOf(appliedAt)]),
          );
          if (status) say(states, list);
          else
            say(
              { applied },
              applied.length === 0 ? 'Nothing was to be done.' : `Applied ${applied.join(', ')}.`,
            );
          if (states.some(({ standing }) => !WANTED.includes(standing))) fail();
        },
        { mayMake: !status && rolledBack === undefined },
      ),
    );
}
