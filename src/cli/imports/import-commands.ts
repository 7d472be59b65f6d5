import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { InvalidArgumentError, type Command } from 'commander';
import { parseUrl } from '../../domain/input/urls.js';
import { isComplete, type ImportProgress } from '../../domain/imports/import-report.js';
import { importPosts } from '../../services/imports/import-posts.js';
import { CliError } from '../cli-error.js';
import { requireUser } from '../admin/find-records.js';
import type { Cli } from '../cli-context.js';
import { IMPORT_SOURCES, type ImportSource } from './import-sources.js';
import { formatImportReport } from './import-report-text.js';
import { abortOnSignal } from '../operations/abort-on-signal.js';

/** With smaller chunks, importing a 500 MB export takes a third more memory. */
const READ_CHUNK_BYTES = 1024 * 1024;
/**
 * Collects garbage earlier. By default V8 lets the heap grow to several times the live data:
 * importing a 500 MB export takes 420 MB of memory by default and 230 MB with this flag.
 */
const HEAP_GROWTH_FLAG = '--heap-growing-percent=40';

interface ImportOptions {
  workspace: string;
  account: string;
  member?: string;
  media?: string;
}

/** Adds an import command for each source. */
export function addImportCommands(program: Command, cli: Cli): void {
  const command = program.command('import').description('import posts from other software');
  for (const source of IMPORT_SOURCES) addImport(command, source, cli);
}

function addImport(
  parent: Command,
  source: ImportSource,
  { withContext, printResult, reportProgress, markFailed }: Cli,
): void {
  const { network, description, file: fileDescription, acceptsMediaUrl, skipReasons } = source;
  const command = parent
    .command(network)
    .description(`${description}. If you import the same file again, nothing changes`)
    .argument('<file>', fileDescription)
    .requiredOption('--workspace <id>', 'workspace to import into')
    .requiredOption('--account <id>', 'account to import into')
    .option(
      '--member <id or email>',
      'creator of the posts (by default, the owner of the workspace)',
    );
  if (acceptsMediaUrl)
    command.option(
      '--media <address>',
      'base URL of the archive’s media (by default, the account’s own server), such as https://files.mastodon.social',
      readHttpsUrl,
    );
  command.action((file: string, options: ImportOptions) =>
    withContext(async ({ admin, imports, clock }) => {
      const totalBytes = await readFileSize(file);
      setFlagsFromString(HEAP_GROWTH_FLAG);
      const memberId =
        options.member === undefined ? undefined : (await requireUser(admin, options.member)).id;
      const start = performance.now();
      const records = source.read(
        () => createReadStream(file, { highWaterMark: READ_CHUNK_BYTES }),
        {
          now: clock.now(),
          mediaUrl: options.media,
        },
      );
      const report = await abortOnSignal((signal) =>
        importPosts(
          imports,
          {
            workspaceId: options.workspace,
            network,
            accountId: options.account,
            memberId,
            totalBytes,
            signal,
          },
          records,
          (progress) => reportProgress(progress.done, formatCounts(progress)),
        ),
      );
      const seconds = (performance.now() - start) / 1000;
      printResult({ ...report, seconds }, formatImportReport(report, seconds, skipReasons));
      if (!isComplete(report)) markFailed();
    }),
  );
}

function readHttpsUrl(text: string): string {
  if (parseUrl(text) === null || !/^https:\/\/[^?#]+$/.test(text))
    throw new InvalidArgumentError('Must be an https URL without a query or fragment.');
  return text;
}

async function readFileSize(file: string): Promise<number> {
  const stats = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CliError(`Cannot read ${JSON.stringify(file)}: ${code}`);
  });
  if (!stats.isFile()) throw new CliError(`${JSON.stringify(file)} is not a file`);
  return stats.size;
}

const formatCounts = ({ imported, alreadyImported, skipped, failed }: ImportProgress): string =>
  `${imported} imported, ${alreadyImported} already imported, ${skipped} skipped, ${failed} failed`;
