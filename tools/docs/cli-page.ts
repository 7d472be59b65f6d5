import type { Command } from 'commander';
import type { Cli } from '../../src/cli/cli-context.js';
import { listCommands, createProgram, examplesOf, EXIT_CODES } from '../../src/cli/program.js';

/** The page only describes the commands, so none of them runs. */
const notAvailable = (): never => {
  throw new Error('Commands cannot run while the CLI reference is generated');
};
const CLI_WITHOUT_ACTIONS: Cli = {
  withContext: notAvailable,
  withMaintenanceContext: notAvailable,
  databaseName: notAvailable,
  loadEnvFile: notAvailable,
  runDiagnostics: notAvailable,
  start: notAvailable,
  printResult: notAvailable,
  reportProgress: notAvailable,
  markFailed: notAvailable,
  version: '',
  input: { isTerminal: false, prompt: notAvailable, readAll: notAvailable },
};

/**
 * docs/cli.md: every command with its arguments, options and examples, read from the commands
 * themselves.
 */
export function cliPage(): string {
  const program = createProgram(CLI_WITHOUT_ACTIONS);
  const commands = listCommands(program);
  return (
    [
      '# Command line',
      'Use these commands to administer Posts Gateway. You can safely run them while the gateway is running. To print the description of a command, add `--help`. `npm run schema` generates this page from `src/cli`.',
      '```sh\nnpx posts-gateway <command>      # in a clone, after npm ci (rebuilds if the source code has changed)\nnpm run cli -- <command>         # the same\nposts-gateway <command>          # in the container\n```',
      'Commands use the same environment variables as the gateway. `DATABASE_URL` or `DATA_DIR` selects the database. `REDIS_URL` selects the Redis server that commands use to notify running gateways of changes. `backup` and all commands that change data first print the name of their database on standard error. Times are in UTC.',
      'You can add these options before or after a command:',
      '| option | effect |\n| --- | --- |\n| `--env-file <file>` | Reads a file such as `.env` and sets the variables that are not yet set in the environment. |\n| `--json` | Prints the result as one line of JSON on standard output. Errors and progress go to standard error. |',
      `| exit code | description |\n| --- | --- |\n${EXIT_CODES.map(({ code, description }) => `| ${code} | ${description} |`).join('\n')}`,
      commands.map(({ path }) => `[${path}](#${path.replace(/ /g, '-')})`).join(' · '),
      ...commands.map(({ path, command }) => sectionOf(path, command)),
    ].join('\n\n') + '\n'
  );
}

function sectionOf(path: string, command: Command): string {
  const help = command.createHelp();
  const terms = [
    ...help
      .visibleArguments(command)
      .map(
        (argument) => [help.argumentTerm(argument), help.argumentDescription(argument)] as const,
      ),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map(
        (option) =>
          [
            `${help.optionTerm(option)}${option.mandatory ? ' (required)' : ''}`,
            help.optionDescription(option),
          ] as const,
      ),
  ];
  return [
    `## ${path}`,
    sentence(help.commandDescription(command)),
    ...(terms.length > 0
      ? [
          `| argument or option | description |\n| --- | --- |\n${terms.map(([term, description]) => `| \`${term}\` | ${cellOf(description)} |`).join('\n')}`,
        ]
      : []),
    `\`\`\`sh\n${examplesOf(path)
      .map((example) => `npx posts-gateway ${example}`)
      .join('\n')}\n\`\`\``,
  ].join('\n\n');
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;

const cellOf = (description: string): string =>
  sentence(description.replace(' (default: false)', ''))
    .replaceAll('|', '\\|')
    .replace(/</g, '&lt;');
