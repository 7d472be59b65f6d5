import { InvalidArgumentError, type Command } from 'commander';
import { UsageError, CliError } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { formatTable, formatMinute, abortOnSignal, toOneLine } from '../terminal.js';

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

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;
const NUMBER_FORMAT = new Intl.NumberFormat('en');

/**
 * Adds `backup` and `restore`. Gateways can keep running; during a restore, their requests wait or
 * get 503.
 */
export function addBackupCommands(program: Command, cli: Cli): void {
  addBackup(program, cli);
  addRestore(program, cli);
}

function addBackup(program: Command, { withMaintenanceContext, printResult }: Cli): void {
  program
    .command('backup')
    .description(
      'write a consistent snapshot of the embedded database to a file, even while gateways are running. For the database at DATABASE_URL, use pg_dump instead',
    )
    .argument(
      '[file]',
      'backup file (by default, a new file in the current directory)',
      readFileName,
    )
    .action((file: string = defaultFileName(new Date())) =>
      withMaintenanceContext(
        async ({ backUp, keyFile }) => {
          const report = await abortOnSignal((signal) => backUp(file, signal));
          printResult(
            { ...report, keyFile },
            [
              `${report.file}: ${NUMBER_FORMAT.format(report.rows)} rows, ${formatSize(report.bytes)}.`,
              ...((report.tables['account_credential'] ?? 0) > 0
                ? [
                    `The backup contains encrypted account credentials. Store ${keyFile} separately: without it, they cannot be decrypted.`,
                  ]
                : []),
            ].join('\n'),
          );
        },
        { embeddedOnly: true },
      ),
    );
}

function addRestore(program: Command, { withMaintenanceContext, printResult }: Cli): void {
  program
    .command('restore')
    .description(
      'restore a backup into an empty database (the embedded database or the one at DATABASE_URL), in one transaction. The restore pauses publication. To resume publication, run `publishing resume`',
    )
    .argument('<file>', 'file written by `backup`')
    .option('--replace', 'delete all existing rows of the database first')
    .action((file: string, { replace = false }: { replace?: boolean }) =>
      withMaintenanceContext(
        async ({ restore }) => {
          const report = await abortOnSignal((signal) => restore(file, replace, signal));
          printResult(
            report,
            [
              `Restored ${NUMBER_FORMAT.format(report.rows)} rows of the backup from ${toOneLine(report.createdAt)}.`,
              'Publication is paused. To publish posts again, stop the database that was replaced, then run `publishing resume`.',
            ].join('\n'),
          );
        },
        { mayCreate: true },
      ),
    );
}

function readFileName(text: string): string {
  if (text === '-')
    throw new InvalidArgumentError(
      'Must be a file name: backups cannot be written to standard output.',
    );
  return text;
}

const formatSize = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

const defaultFileName = (time: Date): string =>
  `posts-gateway-${time.toISOString().slice(0, 19).replace(/:/g, '-')}.backup`;
