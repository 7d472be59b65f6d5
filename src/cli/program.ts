import { Command, type OutputConfiguration } from 'commander';
import { addBackupCommands } from './operations/backup-commands.js';
import { addUpdateCommands } from './admin/update-commands.js';
import type { Cli } from './cli-context.js';
import { addDemoCommands } from './operations/demo-commands.js';
import { addDoctorCommand } from './operations/doctor-command.js';
import { addEventCommands } from './operations/event-commands.js';
import { EXAMPLES } from './examples.js';
import { addImportCommands } from './imports/import-commands.js';
import { addJobCommands } from './operations/job-commands.js';
import { addKeyCommands } from './admin/key-commands.js';
import { addLockCommands } from './admin/lock-commands.js';
import { addLimitCommands } from './admin/limit-commands.js';
import { addListCommands } from './admin/list-commands.js';
import { addPublishingCommands } from './operations/publishing-commands.js';
import { addMigrateCommand } from './operations/migrate-command.js';
import { addCreateCommands } from './admin/create-commands.js';
import { addDeletionCommands } from './admin/deletion-commands.js';
import { addWebhookCommands } from './admin/webhook-commands.js';
import { addStartCommands } from './operations/start-commands.js';

/** Exit codes of every command. */
export const EXIT_CODES = [
  { code: 0, description: 'The command succeeded.' },
  {
    code: 1,
    description:
      'The command was rejected or failed, in whole or in part. The output states the reason and what was not done.',
  },
  { code: 2, description: 'The arguments are invalid. Nothing was done.' },
] as const;
/** Exit codes by name. */
export const [OK, FAILED, USAGE_ERROR] = EXIT_CODES.map(({ code }) => code) as [0, 1, 2];

/** In the order of the help. */
const COMMANDS = [
  addStartCommands,
  addMigrateCommand,
  addDoctorCommand,
  addBackupCommands,
  addCreateCommands,
  addUpdateCommands,
  addLockCommands,
  addListCommands,
  addDeletionCommands,
  addKeyCommands,
  addLimitCommands,
  addWebhookCommands,
  addJobCommands,
  addPublishingCommands,
  addEventCommands,
  addImportCommands,
  addDemoCommands,
];
const HELP_FOOTER = `\nExit codes:\n${EXIT_CODES.map(({ code, description }) => `  ${code}  ${description}`).join('\n')}\n\nRun a command with --help for its options and examples. The commands read the same environment variables as the gateway.`;

/** Creates the program with all commands. `output` receives help and usage errors. */
export function createProgram(cli: Cli, output: OutputConfiguration = {}): Command {
  const program = new Command('posts-gateway')
    .description(
      'Administer Posts Gateway. You can safely run these commands while the gateway is running.',
    )
    .version(cli.version)
    .option('--json', 'print the result as one line of JSON')
    .option(
      '--env-file <file>',
      'read settings from a file such as .env. Variables that are already set take precedence',
    )
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command...]', 'show help for a command')
    .configureOutput(output)
    .showSuggestionAfterError()
    .showHelpAfterError('Run with --help for usage.')
    .exitOverride();
  program.hook('preAction', () => {
    const { envFile } = program.opts<{ envFile?: string }>();
    if (envFile !== undefined) cli.loadEnvFile(envFile);
  });
  for (const add of COMMANDS) add(program, cli);
  inheritSettings(program);
  program.addHelpText('after', HELP_FOOTER);
  for (const { path, command } of listCommands(program))
    command.addHelpText('after', examplesText(path));
  return program;
}

/** Commander copies settings only to subcommands that it creates itself. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}

interface CommandEntry {
  readonly path: string;
  readonly command: Command;
}

/** Lists all executable commands with their full path, such as `keys rotate`. */
export const listCommands = ({ commands }: Command, prefix = ''): CommandEntry[] =>
  commands.flatMap((command) => {
    const path = `${prefix}${command.name()}`;
    return command.commands.length > 0 ? listCommands(command, `${path} `) : [{ path, command }];
  });

/**
 * Converts `help keys rotate` to `keys rotate --help`, because the help command of Commander
 * accepts one word only. Returns the words of an unknown command unchanged, so that parsing them
 * reports the error.
 */
export function toHelpArguments(program: Command, words: readonly string[]): string[] {
  const target = words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((child) => child.name() === word),
    program,
  );
  return target ? [...words, '--help'] : [...words];
}

/** Example invocations of a command. */
export const examplesOf = (path: string): readonly string[] => EXAMPLES[path] ?? [];

const examplesText = (path: string): string =>
  `\nExamples:\n${examplesOf(path)
    .map((example) => `  posts-gateway ${example}`)
    .join('\n')}`;
