import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { InvalidArgumentError, type Command } from 'commander';
import { isWhole, type ImportProgress } from '../../domain/imports/import-report.js';
import { importPosts } from '../../services/imports/import-posts.js';
import { CliError, userNamed, type Cli } from '../cli.js';
import { IMPORT_SOURCES, type ImportSource } from './import-sources.js';
import { reportText } from './import-text.js';
import { untilInterrupted } from '../operations/interruption.js';

/** In smaller pieces, an export of 500 MB takes a third more memory. */
const READ_BYTES = 1024 * 1024;
/**
 * How far the heap may grow before it is cleared. Left alone, V8 lets garbage grow to several times what is in use: an
 * export of 500 MB then takes 420 MB of memory, with this 230.
 */
const HEAP_GROWTH = '--heap-growing-percent=40';

interface ImportOptions {
  workspace: string;
  account: string;
  member?: string;
  media?: string;
}

export function addImportCommands(program: Command, cli: Cli): void {
  const command = program.command('import').description('posts from elsewhere');
  for (const source of IMPORT_SOURCES) addImport(command, source, cli);
}

function addImport(
  parent: Command,
  source: ImportSource,
  { open, say, progress, fail }: Cli,
): void {
  const { network, description, file: what, takesMediaAddress, skipReasons } = source;
  const command = parent
    .command(network)
    .description(`${description}; importing it again changes nothing`)
    .argument('<file>', what)
    .requiredOption('--workspace <id>', 'where to')
    .requiredOption('--account <id>', `the ${network} account that the posts are of`)
    .option('--member <id or e-mail>', 'who becomes their creator; the owner without it');
  if (takesMediaAddress)
    command.option(
      '--media <address>',
      'where the archive’s media are on the web, such as https://files.mastodon.social; the account’s own server without it',
      webAddress,
    );
  command.action((file: string, options: ImportOptions) =>
    open(async ({ admin, imports, clock }) => {
      const totalBytes = await sizeOf(file);
      setFlagsFromString(HEAP_GROWTH);
      const memberId =
        options.member === undefined ? undefined : (await userNamed(admin, options.member)).id;
      const start = performance.now();
      const records = source.read(() => createReadStream(file, { highWaterMark: READ_BYTES }), {
        now: clock.now(),
        mediaAddress: options.media,
      });
      const report = await untilInterrupted((signal) =>
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
          (now) => progress(now.done, countsText(now)),
        ),
      );
      const seconds = (performance.now() - start) / 1000;
      say({ ...report, seconds }, reportText(report, seconds, skipReasons));
      if (!isWhole(report)) fail();
    }),
  );
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https:\/\/[^?#]+$/.test(text))
    throw new InvalidArgumentError('An https address is allowed.');
  return text;
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CliError(`${JSON.stringify(file)} cannot be read: ${code}`);
  });
  if (!found.isFile()) throw new CliError(`${JSON.stringify(file)} is no file`);
  return found.size;
}

const countsText = ({ taken, alreadyThere, skipped, failed }: ImportProgress): string =>
  `${taken} taken, ${alreadyThere} already there, ${skipped} skipped, ${failed} failed`;
