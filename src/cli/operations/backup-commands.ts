import { InvalidArgumentError, type Command } from 'commander';
import type { Cli } from '../cli.js';
import { untilInterrupted } from './interruption.js';
import { onOneLine } from '../table.js';

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;
const ROWS = new Intl.NumberFormat('en');

/** Neither needs the gateway to stop; while a restore runs, requests wait for it or are answered 503. */
export function addBackupCommands(program: Command, { openAsIs, say, progress }: Cli): void {
  program
    .command('backup')
    .description('write every row to a file, as all were at one moment; gateways may go on')
    .argument('[file]', 'where to; one of its own in this folder without it', readFileName)
    .action((file: string = nameAt(new Date())) =>
      openAsIs(async ({ backUp, keyFile }) => {
        const report = await untilInterrupted((signal) =>
          backUp(file, { signal, progress: (done) => progress(done, file) }),
        );
        say(
          { ...report, keyFile },
          [
            `${report.file}: ${ROWS.format(report.rows)} rows, ${sizeText(report.bytes)}.`,
            ...((report.tables['account_credential'] ?? 0) > 0
              ? [
                  `Accounts’ credentials are in it as they are sealed: keep ${keyFile ?? 'CREDENTIALS_KEY'} elsewhere, they open with it alone.`,
                ]
              : []),
          ].join('\n'),
        );
      }),
    );

  program
    .command('restore')
    .description('put a backup’s rows into an empty database, all or none')
    .argument('<file>', 'what `backup` has written')
    .option('--replace', 'remove what the database has')
    .action((file: string, { replace = false }: { replace?: boolean }) =>
      openAsIs(
        async ({ restore }) => {
          const report = await untilInterrupted((signal) =>
            restore(file, replace, { signal, progress: (done) => progress(done, file) }),
          );
          say(
            report,
            `${ROWS.format(report.rows)} rows are as they were on ${onOneLine(report.createdAt)}.`,
          );
        },
        { mayMake: true },
      ),
    );
}

function readFileName(text: string): string {
  if (text === '-')
    throw new InvalidArgumentError(
      'The name of a file is allowed; standard output is not written to.',
    );
  return text;
}

const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / KILOBYTE)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

const nameAt = (time: Date): string =>
  `posts-gateway-${time.toISOString().slice(0, 19).replace(/:/g, '-')}.backup`;
