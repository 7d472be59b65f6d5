import { PassThrough } from 'node:stream';
import { createTerminalInput } from '../../src/cli/terminal-input.js';

/** A terminal with somebody at it: what they see, and what they type. */
function aTerminal() {
  const [keys, screen] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  let seen = '';
  screen.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  return {
    input: createTerminalInput(keys, screen),
    type: (text: string) => keys.write(text),
    seen: () => seen,
  };
}

describe('a question', () => {
  it('is answered with one line; a hidden answer is never seen, however it is typed or mended', async () => {
    const { input, type, seen } = aTerminal();
    expect(input.isTerminal).toBe(true);
    const answer = input.ask('Your token\naccessToken (not shown): ', true);
    for (const key of 'zqj-7f1x') type(key);
    type('\u007f'); // backspace
    type('c0ffee\r');
    expect(await answer).toBe('zqj-7f1c0ffee');
    expect(seen()).toContain('accessToken (not shown): ');
    expect(seen()).not.toMatch(/z.?q.?j|c0ffee|7f1/);
    expect(seen()).toMatch(/\n$/);
  });

  it('that hides nothing shows what is typed', async () => {
    const { input, type, seen } = aTerminal();
    const answer = input.ask('instance: ', false);
    type('https://mastodon.example\r');
    expect(await answer).toBe('https://mastodon.example');
    expect(seen()).toContain('https://mastodon.example');
  });

  it('is followed by another one', async () => {
    const { input, type } = aTerminal();
    const first = input.ask('one: ', true);
    type('1\r');
    expect(await first).toBe('1');
    const second = input.ask('two: ', true);
    type('2\r');
    expect(await second).toBe('2');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('can be broken off with %s', async (_name, key) => {
    const { input, type } = aTerminal();
    const answer = input.ask('one: ', true);
    type(key);
    await expect(answer).rejects.toThrow('Broken off.');
  });
});

it('takes all that standard input gives, and knows when nobody is there', async () => {
  const stdin = new PassThrough();
  const input = createTerminalInput(stdin, new PassThrough());
  stdin.end('{"accessToken":"x"}');
  expect([input.isTerminal, await input.all()]).toEqual([false, '{"accessToken":"x"}']);
});
