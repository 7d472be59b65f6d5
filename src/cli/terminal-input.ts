import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Source of input other than the command line. */
export interface TerminalInput {
  /** Whether standard input is interactive. */
  readonly isTerminal: boolean;
  /**
   * Reads one line. A hidden answer is not echoed.
   * @throws Error on Ctrl-C or Ctrl-D
   */
  prompt(question: string, isHidden: boolean): Promise<string>;
  /** Reads standard input to its end. */
  readAll(): Promise<string>;
}

/**
 * Creates the input of a process. Prompts go to standard error, so that standard output contains
 * results only.
 */
export const createTerminalInput = (
  stdin: Readable & { isTTY?: boolean },
  stderr: Writable,
): TerminalInput => ({
  isTerminal: stdin.isTTY === true,
  readAll: () => text(stdin),
  prompt: (question, isHidden) =>
    new Promise((resolve, reject) => {
      let isPrompted = false;
      // Suppresses what readline echoes while a hidden answer is typed, but not the question before
      // it.
      const output = new Writable({
        write(chunk: Buffer, _encoding, done) {
          if (!isHidden || !isPrompted) stderr.write(chunk);
          done();
        },
      });
      const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
      // on Ctrl-C or Ctrl-D; has no effect after an answer
      lines.once('close', () => reject(new Error('Input canceled.')));
      lines.once('SIGINT', () => lines.close());
      lines.question(question, (answer) => {
        if (isHidden) stderr.write('\n');
        resolve(answer);
        lines.close();
      });
      isPrompted = true;
    }),
});
