import { InvalidArgumentError, type Command } from 'commander';
import type { Cli } from '../cli-context.js';
import { abortOnSignal } from './abort-on-signal.js';
import { toOneLine } from '../text-table.js';

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

function addBackup(
  program: Command,
  { withMaintenanceContext, printResult, reportProgress }: Cli,
): void {
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
          const report = await abortOnSignal((signal) =>
            backUp(file, { signal, onProgress: (done) => reportProgress(done, file) }),
          );
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

function addRestore(
  program: Command,
  { withMaintenanceContext, printResult, reportProgress }: Cli,
): void {
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
          const report = await abortOnSignal((signal) =>
            restore(file, replace, { signal, onProgress: (done) => reportProgress(done, file) }),
          );
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
