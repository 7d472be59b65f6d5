import type { Command } from 'commander';
import { CliError, UsageError } from '../cli-error.js';
import type { Cli } from '../cli-context.js';
import { formatMinute, formatTable } from '../text-table.js';

const UP_TO_DATE_STATUSES = ['applied', 'edited', 'unknown'];

interface MigrateOptions {
  readonly status?: boolean;
  readonly rolledBack?: string;
}

/** Adds `migrate`. */
export function addMigrateCommand(
  program: Command,
  { withMaintenanceContext, printResult, markFailed }: Cli,
): void {
  program
    .command('migrate')
    .description('apply pending database migrations, as every process does when it starts')
    .option(
      '--status',
      'list the migrations without changing anything. The exit code is 1 if any migration is pending, failed or incompatible',
    )
    .option(
      '--rolled-back <migration>',
      'mark a failed migration as rolled back, then migrate. Fix the cause of the failure first',
    )
    .action(({ status = false, rolledBack }: MigrateOptions) =>
      withMaintenanceContext(
        async ({ migrations }) => {
          if (status && rolledBack !== undefined)
            throw new UsageError('Pass either --status or --rolled-back: --status changes nothing');
          if (rolledBack !== undefined && !(await migrations.markRolledBack(rolledBack)))
            throw new CliError(
              `There is no failed migration ${JSON.stringify(rolledBack)}: list them with \`migrate --status\``,
            );
          const applied = status ? [] : await migrations.apply();
          const states = await migrations.states();
          const list = formatTable(
            ['migration', 'status', 'applied at'],
            states.map((migration) => [
              migration.name,
              migration.status,
              formatMinute(migration.appliedAt),
            ]),
          );
          if (status) printResult(states, list);
          else
            printResult(
              { applied },
              applied.length === 0
                ? 'No migrations are pending.'
                : `Applied ${applied.join(', ')}.`,
            );
          if (states.some(({ status: state }) => !UP_TO_DATE_STATUSES.includes(state)))
            markFailed();
        },
        { mayCreate: !status && rolledBack === undefined, readsOnly: status },
      ),
    );
}
