import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { InvalidArgumentError, type Command } from 'commander';
import {
  isComplete,
  type ImportProgress,
  type ImportReport,
  type ItemCount,
} from '../../domain/imports/import-report.js';
import type { ImportRecord } from '../../domain/imports/imported-post.js';
import { parseUrl } from '../../domain/input/urls.js';
import type { Network } from '../../domain/networks/networks.js';
import { readMastodonOutbox } from '../../importers/mastodon/mastodon-outbox.js';
import { SKIP_REASONS as MASTODON_SKIPS } from '../../importers/mastodon/mastodon-post.js';
import {
  SKIP_REASONS as WORDPRESS_SKIPS,
  readWordpressExport,
} from '../../importers/wordpress/wordpress-export.js';
import { importPosts } from '../../services/imports/import-posts.js';
import { CliError } from '../arguments.js';
import type { Cli } from '../cli-context.js';
import { abortOnSignal, toOneLine } from '../terminal.js';
import { requireUser } from './records.js';

/** Options that the reader of the file receives. */
interface ReadOptions {
  readonly now: Date;
  /** Base URL of the archive's media, if passed with `--media`. */
  readonly mediaUrl: string | undefined;
}

/** A source of imports: its reader, and its texts in the help. */
interface ImportSource {
  readonly network: Network;
  readonly description: string;
  /** Description of the file argument. */
  readonly file: string;
  /** Whether the command has the option `--media`: the file contains only paths of its media. */
  readonly acceptsMediaUrl: boolean;
  readonly skipReasons: SkipReasons;
  /** @param open opens the file from its beginning; may be called more than once */
  read(open: () => AsyncIterable<Uint8Array>, options: ReadOptions): AsyncIterable<ImportRecord>;
}
/** Description of each reason to skip an item. */
type SkipReasons = Readonly<Record<string, { readonly description: string }>>;

/** The sources of imports, in the order of the help. */
const IMPORT_SOURCES: readonly ImportSource[] = [
  {
    network: 'wordpress',
    description: 'import every post of a WordPress export',
    file: 'export file of the blog (“Tools → Export”)',
    acceptsMediaUrl: false,
    skipReasons: WORDPRESS_SKIPS,
    read: (open, { now }) => readWordpressExport(open, { now }),
  },
  {
    network: 'mastodon',
    description: 'import every post of a Mastodon archive',
    file: 'the outbox.json file of the archive (“Import and export → Data export”)',
    acceptsMediaUrl: true,
    skipReasons: MASTODON_SKIPS,
    read: (open, { mediaUrl }) => readMastodonOutbox(open(), { mediaUrl }),
  },
];

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

type ReportLine = readonly [label: string, count: number, note?: string];
const MAX_FAILURES_SHOWN = 20;
const MAX_TITLES_SHOWN = 5;
const MAX_TITLE_CHARACTERS = 60;

/** Formats the result of an import as a table for the terminal. */
function formatImportReport(report: ImportReport, seconds: number, reasons: SkipReasons): string {
  const { failed, malformed, stopped, jobId } = report;
  const lines = reportLines(report, reasons);
  const width = Math.max(...lines.map(([label]) => label.length));
  const digits = Math.max(...lines.map(([, count]) => String(count).length));
  return [
    ...lines.map(([label, count, note = '']) =>
      `${label.padEnd(width)}  ${String(count).padStart(digits)}  ${note}`.trimEnd(),
    ),
    ...failed
      .slice(0, MAX_FAILURES_SHOWN)
      .map(
        ({ title, sourceId, message }) => `failed: ${formatTitle(title)} (${sourceId}): ${message}`,
      ),
    ...(malformed
      ? [
          `Cannot read the file past line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}. Everything before this position was imported.`,
        ]
      : []),
    ...(stopped
      ? ['Stopped before the end of the file. Run the command again to import the rest.']
      : []),
    `${seconds.toFixed(1)} s, ${jobId}`,
  ].join('\n');
}

function reportLines(report: ImportReport, reasons: SkipReasons): ReportLine[] {
  const { importedByState, skipped, truncated } = report;
  const skippedCount = Object.values(skipped).reduce((sum, { count }) => sum + count, 0);
  const lines: ReportLine[] = [
    ['imported', report.importedCount],
    ...Object.entries(importedByState)
      .sort()
      .map(([state, count]): ReportLine => [`  ${state}`, count]),
    ['already imported', report.alreadyImported],
    ['skipped', skippedCount],
    ...Object.entries(skipped)
      .sort()
      .map(([reason, items]): ReportLine => [
        `  ${reason}`,
        items.count,
        `${reasons[reason]?.description} ${formatTitles(items)}`,
      ]),
    ['failed', report.failedCount],
  ];
  if (truncated.count > 0)
    lines.push([
      'truncated',
      truncated.count,
      `The text, title or excerpt exceeds the maximum length. The content blocks of an article keep the full text. ${formatTitles(truncated)}`,
    ]);
  if (report.omittedFiles > 0)
    lines.push([
      'omitted files',
      report.omittedFiles,
      'The media library is too large to track completely: posts may lack these media.',
    ]);
  return lines;
}

const formatTitles = ({ titles, count }: ItemCount): string =>
  titles.slice(0, MAX_TITLES_SHOWN).map(formatTitle).join(', ') +
  (count > MAX_TITLES_SHOWN ? ', …' : '');

/** A title, shortened; a URL is shown whole, because its end identifies the item. */
const formatTitle = (title: string): string => {
  const line = toOneLine(title);
  return `“${WEB_URL.test(line) ? line : [...line].slice(0, MAX_TITLE_CHARACTERS).join('')}”`;
};
const WEB_URL = /^https?:\/\/\S+$/i;
