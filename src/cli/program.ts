import { Command, type OutputConfiguration } from 'commander';
import type { Cli } from './cli-context.js';
import { addAccountCommands } from './commands/accounts.js';
import { addCalendarFeedCommands } from './commands/calendar-feeds.js';
import { addMigrateCommand, addBackupCommands } from './commands/database.js';
import { addDemoCommands } from './commands/demo.js';
import { addEventCommands } from './commands/events.js';
import { addImportCommands } from './commands/import.js';
import { addJobCommands } from './commands/jobs.js';
import { addKeyCommands } from './commands/keys.js';
import { addMemberCommands } from './commands/members.js';
import { addStartCommands, addDoctorCommand } from './commands/processes.js';
import { addPostCommands } from './commands/posts.js';
import { addPublishingCommands } from './commands/publishing.js';
import { addLimitCommands, addUserCommands } from './commands/users.js';
import { addWebhookCommands } from './commands/webhooks.js';
import { addWorkspaceCommands } from './commands/workspaces.js';

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
  addUserCommands,
  addWorkspaceCommands,
  addMemberCommands,
  addAccountCommands,
  addKeyCommands,
  addLimitCommands,
  addWebhookCommands,
  addCalendarFeedCommands,
  addJobCommands,
  addPublishingCommands,
  addPostCommands,
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

/**
 * Example invocations by command, shown in the help and in docs/cli.md. A test parses each of them.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve'],
  worker: ['worker'],
  migrate: [
    'migrate',
    'migrate --status',
    '--json migrate --status',
    'migrate --rolled-back 20261122120000_first_release',
  ],
  doctor: ['doctor', '--json doctor'],
  backup: ['backup', 'backup /var/backups/posts.backup'],
  restore: ['restore posts.backup', 'restore posts.backup --replace'],
  'users create': [
    'users create --name Ada --email ada@example.com',
    'users create --name Emil --email emil@example.com --plan professional --rate-limit 500',
  ],
  'users update': [
    'users update ada@example.com --plan business',
    'users update usr_4zJ8vNc1QpT7wXyA --no-rate-limit',
  ],
  'users list': ['users list', '--json users list'],
  'users delete': [
    'users delete ada@example.com',
    'users delete ada@example.com --posts --confirm usr_4zJ8vNc1QpT7wXyA',
  ],
  'workspaces create': [
    'workspaces create --name Shop --owner ada@example.com --time-zone Europe/Berlin',
    'workspaces create --name Press --owner ada@example.com --requires-approval',
  ],
  'workspaces update': ['workspaces update wks_4zJ8vNc1QpT7wXyA --no-requires-approval'],
  'workspaces lock': ['workspaces lock wks_4zJ8vNc1QpT7wXyA'],
  'workspaces unlock': ['workspaces unlock wks_4zJ8vNc1QpT7wXyA'],
  'workspaces list': ['workspaces list'],
  'workspaces delete': [
    'workspaces delete wks_4zJ8vNc1QpT7wXyA',
    'workspaces delete wks_4zJ8vNc1QpT7wXyA --confirm wks_4zJ8vNc1QpT7wXyA',
  ],
  'members add': [
    'members add --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com --role editor --post-actions',
  ],
  'members update': [
    'members update --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com --role admin',
  ],
  'members remove': ['members remove --workspace wks_4zJ8vNc1QpT7wXyA --user emil@example.com'],
  'members list': ['members list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'accounts connect': [
    'accounts connect mastodon --workspace wks_4zJ8vNc1QpT7wXyA',
    'accounts connect wordpress --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA --stdin',
  ],
  'accounts list': ['accounts list', 'accounts list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'accounts create': [
    'accounts create --workspace wks_4zJ8vNc1QpT7wXyA --network wordpress --name Blog --social-id blog.example',
    'accounts create --workspace wks_4zJ8vNc1QpT7wXyA --network mastodon --name Trial --social-id 1 --sandbox',
  ],
  'accounts disconnect': ['accounts disconnect acc_4zJ8vNc1QpT7wXyA'],
  'accounts check': ['accounts check acc_4zJ8vNc1QpT7wXyA'],
  'accounts try': [
    'accounts try acc_4zJ8vNc1QpT7wXyA',
    'accounts try acc_4zJ8vNc1QpT7wXyA --type photo --media https://media.example/beans.jpg --option boardId=1',
  ],
  'accounts reseal': ['accounts reseal'],
  'keys create': [
    'keys create --user ada@example.com --name tools --scope posts workspaces accounts media',
    'keys create --user ada@example.com --name backup --scope posts:read --expires 2030-12-31T23:59:59Z',
  ],
  'keys list': ['keys list', 'keys list --user ada@example.com'],
  'keys rotate': [
    'keys rotate key_4zJ8vNc1QpT7wXyA',
    'keys rotate key_4zJ8vNc1QpT7wXyA --grace 7d',
    'keys rotate key_4zJ8vNc1QpT7wXyA --grace 0',
  ],
  'keys revoke': ['keys revoke key_4zJ8vNc1QpT7wXyA'],
  'limits set': ['limits set ada@example.com 500', 'limits set ada@example.com --default'],
  'calendar-feeds create': [
    'calendar-feeds create --workspace wks_4zJ8vNc1QpT7wXyA --user ada@example.com --state scheduled published',
  ],
  'calendar-feeds list': [
    'calendar-feeds list --workspace wks_4zJ8vNc1QpT7wXyA --user ada@example.com',
  ],
  'calendar-feeds revoke': [
    'calendar-feeds revoke cal_8sHj3kLp6nQw2xZv --workspace wks_4zJ8vNc1QpT7wXyA --user ada@example.com',
  ],
  'webhooks list': ['webhooks list --workspace wks_4zJ8vNc1QpT7wXyA'],
  'webhooks create': [
    'webhooks create --workspace wks_4zJ8vNc1QpT7wXyA --url https://hooks.example.com/posts --types post.published post.failed',
  ],
  'webhooks update': [
    'webhooks update whk_4zJ8vNc1QpT7wXyA --status active',
    'webhooks update whk_4zJ8vNc1QpT7wXyA --types post.published',
  ],
  'webhooks delete': ['webhooks delete whk_4zJ8vNc1QpT7wXyA'],
  'webhooks rotate': ['webhooks rotate whk_4zJ8vNc1QpT7wXyA --grace-hours 48'],
  'webhooks test': ['webhooks test whk_4zJ8vNc1QpT7wXyA'],
  'webhooks deliveries': ['webhooks deliveries whk_4zJ8vNc1QpT7wXyA'],
  'webhooks redeliver': [
    'webhooks redeliver whk_4zJ8vNc1QpT7wXyA dlv_4zJ8vNc1QpT7wXyA',
    'webhooks redeliver whk_4zJ8vNc1QpT7wXyA --since 2026-11-22T03:00:00Z',
  ],
  'jobs list': ['jobs list', 'jobs list --status working --limit 20'],
  'jobs retry': ['jobs retry job_4zJ8vNc1QpT7wXyA', 'jobs retry --all'],
  'publishing status': ['publishing status', '--json publishing status'],
  'publishing pause': ['publishing pause', 'publishing pause --backup-from 2026-11-22T03:00:00Z'],
  'publishing resume': ['publishing resume'],
  'posts numbers': [
    'posts numbers --workspace wks_4zJ8vNc1QpT7wXyA',
    'posts numbers --workspace wks_4zJ8vNc1QpT7wXyA --limit 100',
  ],
  'events tail': [
    'events tail --workspace wks_4zJ8vNc1QpT7wXyA',
    '--json events tail --workspace wks_4zJ8vNc1QpT7wXyA --type post.published post.failed',
  ],
  'import wordpress': [
    'import wordpress export.xml --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA',
  ],
  'import mastodon': [
    'import mastodon outbox.json --workspace wks_4zJ8vNc1QpT7wXyA --account acc_4zJ8vNc1QpT7wXyA --media https://files.mastodon.social',
  ],
  'demo reset': ['demo reset', 'demo reset --confirm'],
};
