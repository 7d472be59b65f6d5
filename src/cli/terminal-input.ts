import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Where a command gets what was not said on its command line. */
export interface TerminalInput {
  /** Whether somebody is there to be asked. */
  readonly isTerminal: boolean;
  /** Asks for one line; a hidden answer is not shown while it is typed. @throws Error where it was broken off */
  ask(question: string, isHidden: boolean): Promise<string>;
  /** All that standard input gives. */
  all(): Promise<string>;
}

/** Questions go to the error stream, so that standard output holds results alone. */
export const createTerminalInput = (
  stdin: Readable & { isTTY?: boolean },
  stderr: Writable,
): TerminalInput => ({
  isTerminal: stdin.isTTY === true,
  all: () => text(stdin),
  ask: (question, isHidden) =>
    new Promise((resolve, reject) => {
      let isTold = false;
      // What readline echoes while the answer is typed is kept back; the question before it is not.
      const output = new Writable({
        write(chunk: Buffer, _encoding, done) {
          if (!isHidden || !isTold) stderr.write(chunk);
          done();
        },
      });
      const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
      lines.once('close', () => reject(new Error('Broken off.'))); // Ctrl-C or Ctrl-D; after an answer it says nothing
      lines.once('SIGINT', () => lines.close());
      lines.question(question, (answer) => {
        if (isHidden) stderr.write('\n');
        resolve(answer);
        lines.close();
      });
      isTold = true;
    }),
});
