import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CliDependencies } from '../../src/cli/cli-context.js';
import { EXAMPLES, listCommands, createProgram } from '../../src/cli/program.js';
import { cliPage } from '../../tools/docs/cli-page.js';
import { runCli } from '../../src/cli/run-command.js';
import { piped } from '../fixtures/operator.js';

/** Dependencies that make every command fail when it starts. */
const reached = () => Promise.reject(new Error('reached'));
const DEPENDENCIES: CliDependencies = {
  version: '9.9.9',
  withContext: reached,
  withMaintenanceContext: reached,
  databaseName: () => 'none',
  loadEnvFile() {},
  runDiagnostics: reached,
  start: reached,
};

async function run(line: string) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(line.split(' '), DEPENDENCIES, {
    out: (text) => out.push(text),
    err: (text) => text === 'Database: none' || err.push(text),
    input: piped(''),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const commands = listCommands(
  createProgram({
    ...DEPENDENCIES,
    printResult() {},
    reportProgress() {},
    markFailed() {},
    input: piped(''),
  }),
);
const paths = commands.map(({ path: commandPath }) => commandPath);

it('has a description for every command', () => {
  expect(
    commands
      .filter(({ command }) => command.description() === '')
      .map(({ path: commandPath }) => commandPath),
  ).toEqual([]);
});

it('has examples for every command, and for no other', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...paths].sort());
});

it.each(
  Object.entries(EXAMPLES).flatMap(([command, examples]) =>
    examples.map((example) => [example, command] as const),
  ),
)('parses the example: %s', async (example, command) => {
  expect(`${example} `).toContain(`${command} `);
  expect(await run(example)).toEqual({ code: 1, out: '', err: 'error: reached' });
});

it('shows help with examples for every command', async () => {
  for (const command of paths) {
    const { code, out, err } = await run(`${command} --help`);
    expect([code, err]).toEqual([0, '']);
    expect(out.replace(/\s+/g, ' ')).toContain(`Examples: posts-gateway ${EXAMPLES[command]![0]}`);
  }
  const { out } = await run('--help');
  expect(out).toMatch(
    /Exit codes:\n {2}0 {2}The command succeeded\.\n {2}1 {2}.+\n {2}2 {2}The arguments are invalid/,
  );
});

it.each(['keys rotate', 'keys', 'doctor'])('shows the same for `help %s`', async (words) => {
  expect(await run(`help ${words}`)).toEqual(await run(`${words} --help`));
});

it.each(['nope', 'keys nope', 'rotate'])(
  'reports an unknown command in `help %s`',
  async (words) => {
    expect(await run(`help ${words}`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining(`unknown command '${words.split(' ').at(-1)}'`),
    });
  },
);

it.each([
  ['kyes list', "unknown command 'kyes'\n(Did you mean keys?)"],
  ['keys rotat key_1', "unknown command 'rotat'\n(Did you mean rotate?)"],
  ['keys list --usr ada', "unknown option '--usr'\n(Did you mean --user?)"],
  ['restore x --repalce', "unknown option '--repalce'\n(Did you mean --replace?)"],
])('suggests a correction for `%s`', async (line, message) => {
  expect(await run(line)).toEqual({
    code: 2,
    out: '',
    err: `error: ${message}\nRun with --help for usage.`,
  });
});

it('prints its version', async () => {
  for (const flag of ['--version', '-V'])
    expect(await run(flag)).toEqual({ code: 0, out: '9.9.9', err: '' });
});

it('matches docs/cli.md, which `npm run schema` generates', () => {
  expect(readFileSync(path.resolve(__dirname, '../../docs/cli.md'), 'utf8')).toBe(cliPage());
});
