import type { Command } from 'commander';
import type { Cli } from '../../src/cli/cli.js';
import { commandsOf, createProgram, examplesOf, EXIT_CODES } from '../../src/cli/program.js';

/** What is described, not run, reaches nothing. */
const unreached = (): never => {
  throw new Error('A command that is described does nothing');
};
const NOWHERE: Cli = {
  open: unreached,
  openAsIs: unreached,
  checkUp: unreached,
  start: unreached,
  say: unreached,
  progress: unreached,
  fail: unreached,
  version: '',
  input: { isTerminal: false, ask: unreached, all: unreached },
};

/** The page docs/cli.md: every command with its arguments, options and examples, as the commands themselves have them. */
export function cliReference(): string {
  const program = createProgram(NOWHERE);
  const places = commandsOf(program);
  return (
    [
      '# The command line',
      'What an operator does, beside a gateway that may run meanwhile. Made by `npm run schema` from `src/cli`; each command says the same with `--help`.',
      '```sh\nnpx posts-gateway <command>      # in a clone, after npm ci; builds first where something has changed\nnpm run cli -- <command>         # the same\nnode dist/cli.js <command>       # what is built, as in the container\n```',
      'The commands read the same environment variables as the gateway: `DATABASE_URL` or `DATA_DIR` say which database, `REDIS_URL` who has to hear of changes. `--json`, before or after the command, tells the result as one line of JSON on standard output; errors and progress are on standard error. Times are UTC.',
      `| exit code | meaning |\n| --- | --- |\n${EXIT_CODES.map(({ code, meaning }) => `| ${code} | ${meaning} |`).join('\n')}`,
      places.map(({ path }) => `[${path}](#${path.replace(/ /g, '-')})`).join(' · '),
      ...places.map(({ path, command }) => sectionOf(path, command)),
    ].join('\n\n') + '\n'
  );
}

function sectionOf(path: string, command: Command): string {
  const help = command.createHelp();
  const terms = [
    ...help
      .visibleArguments(command)
      .map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const),
    ...help
      .visibleOptions(command)
      .filter(({ long }) => long !== '--help')
      .map(
        (one) =>
          [
            `${help.optionTerm(one)}${one.mandatory ? ' (required)' : ''}`,
            help.optionDescription(one),
          ] as const,
      ),
  ];
  return [
    `## ${path}`,
    sentence(help.commandDescription(command)),
    ...(terms.length > 0
      ? [
          `| | |\n| --- | --- |\n${terms.map(([term, meaning]) => `| \`${term}\` | ${meaning.replaceAll('|', '\\|').replace(/</g, '&lt;')} |`).join('\n')}`,
        ]
      : []),
    `\`\`\`sh\n${examplesOf(path)
      .map((one) => `npx posts-gateway ${one}`)
      .join('\n')}\n\`\`\``,
  ].join('\n\n');
}

const sentence = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}.`;
