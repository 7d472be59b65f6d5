import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { isWhole, type ImportProgress, type ImportReport } from '../domain/import-report.js';
import { readWordpressExport } from '../importers/wordpress/wordpress-wxr.js';
import { importPosts } from '../services/import-posts.js';
import { CliError, userNamed, type Cli } from './cli.js';
import { reportText } from './import-text.js';

const READ_BYTES = 1024 * 1024;
/**
 * How far the heap may grow before it is cleared. Left alone, V8 lets garbage grow to several times what is in use: an
 * export of 500 MB then takes 420 MB of memory, with this 230.
 */
const HEAP_GROWTH = '--heap-growing-percent=40';

export function addImportCommands(program: Command, { open, say, progress, fail }: Cli): void {
  program.command('import').description('posts from elsewhere')
    .command('wordpress').description('every post of a WordPress export; importing it again changes nothing')
    .argument('<file>', 'the export, as the blog’s “Tools → Export” gives it')
    .requiredOption('--workspace <id>', 'where to').requiredOption('--account <id>', 'the WordPress account that the posts are of')
    .option('--member <id or e-mail>', 'who becomes their creator; the owner without it')
    .action((file: string, options: { workspace: string; account: string; member?: string }) => open(async ({ admin, imports, clock }) => {
      const totalBytes = await sizeOf(file);
      setFlagsFromString(HEAP_GROWTH);
      const memberId = options.member === undefined ? undefined : (await userNamed(admin, options.member)).id;
      const start = performance.now();
      const records = readWordpressExport(() => createReadStream(file, { highWaterMark: READ_BYTES }), { now: clock.now() });
      const report = await untilInterrupted((signal) => importPosts(
        imports, { workspaceId: options.workspace, accountId: options.account, memberId, totalBytes, signal }, records, (now) => progress(progressText(now)),
      ));
      const seconds = (performance.now() - start) / 1000;
      say({ ...report, seconds }, reportText(report, seconds));
      if (!isWhole(report)) fail();
    }));
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(({ code }: NodeJS.ErrnoException) => { throw new CliError(`${JSON.stringify(file)} cannot be read: ${code}`); });
  if (!found.isFile()) throw new CliError(`${JSON.stringify(file)} is no file`);
  return found.size;
}

/** The first Ctrl-C lets the item at hand come in whole; another one ends the process. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<ImportReport>): Promise<ImportReport> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  signals.forEach((signal) => process.once(signal, stop));
  try {
    return await work(controller.signal);
  } finally {
    signals.forEach((signal) => process.removeListener(signal, stop));
  }
}

const BAR_WIDTH = 24;

function progressText({ done, taken, alreadyThere, skipped, failed }: ImportProgress): string {
  const filled = Math.round(done * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return `${bar} ${String(Math.floor(done * 100)).padStart(3)} %  ${taken} taken, ${alreadyThere} already there, ${skipped} skipped, ${failed} failed`;
}
