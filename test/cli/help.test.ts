import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Means } from '../../src/cli/cli.js';
import { EXAMPLES } from '../../src/cli/examples.js';
import { commandsOf, createProgram } from '../../src/cli/program.js';
import { cliReference } from '../../tools/docs/cli-page.js';
import { runCli } from '../../src/cli/run.js';
import { piped } from '../fixtures/operator.js';

/** Means that end every command as soon as it begins. */
const reached = () => Promise.reject(new Error('reached'));
const MEANS: Means = {
  version: '9.9.9',
  open: reached,
  openAsIs: reached,
  checkUp: reached,
  start: reached,
};

async function typed(line: string) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(line.split(' '), MEANS, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    input: piped(''),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const commands = commandsOf(
  createProgram({ ...MEANS, say() {}, progress() {}, fail() {}, input: piped('') }),
);
const paths = commands.map((one) => one.path);

it('says of every command what it does', () => {
  expect(
    commands.filter(({ command }) => command.description() === '').map((one) => one.path),
  ).toEqual([]);
});

it('has examples for every command, and for nothing else', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual([...paths].sort());
});

it.each(
  Object.entries(EXAMPLES).flatMap(([of, examples]) =>
    examples.map((example) => [example, of] as const),
  ),
)('reads its example: %s', async (example, of) => {
  expect(`${example} `).toContain(`${of} `);
  expect(await typed(example)).toEqual({ code: 1, out: '', err: 'error: reached' });
});

it('tells of each command how it is used, with the examples', async () => {
  for (const of of paths) {
    const { code, out, err } = await typed(`${of} --help`);
    expect([code, err]).toEqual([0, '']);
    expect(out.replace(/\s+/g, ' ')).toContain(`Examples: posts-gateway ${EXAMPLES[of]![0]}`);
  }
  const { out } = await typed('--help');
  expect(out).toMatch(
    /Exit codes:\n {2}0 {2}It is done\.\n {2}1 {2}.+\n {2}2 {2}It was called wrongly/,
  );
});

it.each(['keys rotate', 'keys', 'doctor'])('tells the same to help before %s', async (words) => {
  expect(await typed(`help ${words}`)).toEqual(await typed(`${words} --help`));
});

it.each(['nope', 'keys nope', 'rotate'])('knows no help of %s', async (words) => {
  expect(await typed(`help ${words}`)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(`unknown command '${words.split(' ').at(-1)}'`),
  });
});

it.each([
  ['kyes list', "unknown command 'kyes'\n(Did you mean keys?)"],
  ['keys rotat key_1', "unknown command 'rotat'\n(Did you mean rotate?)"],
  ['keys list --usr ada', "unknown option '--usr'\n(Did you mean --user?)"],
  ['restore x --repalce', "unknown option '--repalce'\n(Did you mean --replace?)"],
])('asks of %s what was meant', async (line, complaint) => {
  expect(await typed(line)).toEqual({
    code: 2,
    out: '',
    err: `error: ${complaint}\n--help tells how it is used.`,
  });
});

it('tells its version', async () => {
  for (const flag of ['--version', '-V'])
    expect(await typed(flag)).toEqual({ code: 0, out: '9.9.9', err: '' });
});

it('is described in docs/cli.md, as `npm run schema` writes it', () => {
  expect(readFileSync(path.resolve(__dirname, '../../docs/cli.md'), 'utf8')).toBe(cliReference());
});
