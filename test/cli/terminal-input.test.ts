import { PassThrough } from 'node:stream';
import { createTerminalInput } from '../../src/cli/terminal.js';

/** A terminal: `type` sends keys, `screen` returns what was printed. */
function aTerminal() {
  const [stdin, stderr] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  let printed = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return {
    input: createTerminalInput(stdin, stderr),
    type: (text: string) => stdin.write(text),
    screen: () => printed,
  };
}

describe('prompt', () => {
  it('reads one line and never echoes a hidden answer, even if it is edited', async () => {
    const { input, type, screen } = aTerminal();
    expect(input.isTerminal).toBe(true);
    const answer = input.prompt('Your token\naccessToken (hidden): ', true);
    for (const key of 'zqj-7f1x') type(key);
    type('\u007f'); // backspace
    type('c0ffee\r');
    expect(await answer).toBe('zqj-7f1c0ffee');
    expect(screen()).toContain('accessToken (hidden): ');
    expect(screen()).not.toMatch(/z.?q.?j|c0ffee|7f1/);
    expect(screen()).toMatch(/\n$/);
  });

  it('echoes an answer that is not hidden', async () => {
    const { input, type, screen } = aTerminal();
    const answer = input.prompt('instance: ', false);
    type('https://mastodon.example\r');
    expect(await answer).toBe('https://mastodon.example');
    expect(screen()).toContain('https://mastodon.example');
  });

  it('can be called again', async () => {
    const { input, type } = aTerminal();
    const first = input.prompt('one: ', true);
    type('1\r');
    expect(await first).toBe('1');
    const second = input.prompt('two: ', true);
    type('2\r');
    expect(await second).toBe('2');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('rejects on %s', async (_name, key) => {
    const { input, type } = aTerminal();
    const answer = input.prompt('one: ', true);
    type(key);
    await expect(answer).rejects.toThrow('Input canceled.');
  });
});

it('readAll reads standard input to its end, and isTerminal is false for a pipe', async () => {
  const stdin = new PassThrough();
  const input = createTerminalInput(stdin, new PassThrough());
  stdin.end('{"accessToken":"x"}');
  expect([input.isTerminal, await input.readAll()]).toEqual([false, '{"accessToken":"x"}']);
});
