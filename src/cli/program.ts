import { Command, type OutputConfiguration } from 'commander';
import { addBackupCommands } from './operations/backup-commands.js';
import { addChangeCommands } from './admin/change-commands.js';
import type { Cli } from './cli.js';
import { addDemoCommands } from './operations/demo-commands.js';
import { addDoctorCommand } from './operations/doctor-command.js';
import { EXAMPLES } from './examples.js';
import { addImportCommands } from './imports/import-commands.js';
import { addJobCommands } from './operations/job-commands.js';
import { addKeyCommands } from './admin/key-commands.js';
import { addLimitCommands } from './admin/limit-commands.js';
import { addListCommands } from './admin/list-commands.js';
import { addMigrateCommand } from './operations/migrate-command.js';
import { addRecordCommands } from './admin/record-commands.js';
import { addRemovalCommands } from './admin/removal-commands.js';
import { addStartCommands } from './operations/start-commands.js';

/** What the number means that a command ends with. */
export const EXIT_CODES = [
  { code: 0, meaning: 'It is done.' },
  {
    code: 1,
    meaning:
      'It was refused or failed, in whole or in part: what is said tells why and what was left.',
  },
  { code: 2, meaning: 'It was called wrongly; nothing was done.' },
] as const;
export const [OK, FAILED, MISUSED] = EXIT_CODES.map(({ code }) => code) as [0, 1, 2];

/** In the order in which help shows them. */
const COMMANDS = [
  addStartCommands,
  addMigrateCommand,
  addDoctorCommand,
  addBackupCommands,
  addRecordCommands,
  addChangeCommands,
  addListCommands,
  addRemovalCommands,
  addKeyCommands,
  addLimitCommands,
  addJobCommands,
  addImportCommands,
  addDemoCommands,
];
const ENDINGS = `\nExit codes:\n${EXIT_CODES.map(({ code, meaning }) => `  ${code}  ${meaning}`).join('\n')}\n\nEach command has --help with examples. The settings are the gateway’s own environment variables.`;

/** All commands; `output` is where help and complaints go. */
export function createProgram(cli: Cli, output: OutputConfiguration = {}): Command {
  const program = new Command('posts-gateway')
    .description('What an operator does. The gateway may run meanwhile.')
    .version(cli.version)
    .option('--json', 'tell results as JSON, one line')
    .helpOption('-h, --help', 'tell how it is used')
    .helpCommand('help [command...]', 'the same')
    .configureOutput(output)
    .showSuggestionAfterError()
    .showHelpAfterError('--help tells how it is used.')
    .exitOverride();
  for (const add of COMMANDS) add(program, cli);
  inherit(program);
  program.addHelpText('after', ENDINGS);
  for (const { path, command } of commandsOf(program))
    command.addHelpText('after', examplesText(path));
  return program;
}

// Commander copies settings to subcommands that it makes itself only.
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inherit(child);
  }
}

interface Place {
  readonly path: string;
  readonly command: Command;
}

/** Every command that does something, with its words. */
export const commandsOf = ({ commands }: Command, before = ''): Place[] =>
  commands.flatMap((command) => {
    const path = `${before}${command.name()}`;
    return command.commands.length > 0 ? commandsOf(command, `${path} `) : [{ path, command }];
  });

/** What `help keys rotate` comes to, since Commander's own help takes one word; without a command of that name, a complaint. */
export function helpFor(program: Command, words: readonly string[]): string[] {
  const found = words.reduce<Command | undefined>(
    (command, word) => command?.commands.find((one) => one.name() === word),
    program,
  );
  return found ? [...words, '--help'] : [...words];
}

/** How a command is typed, for instance. */
export const examplesOf = (path: string): readonly string[] => EXAMPLES[path] ?? [];

const examplesText = (path: string): string =>
  `\nExamples:\n${examplesOf(path)
    .map((one) => `  posts-gateway ${one}`)
    .join('\n')}`;
