import { createInterface } from 'node:readline';
import { Writable, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Input and output of a command. */
export interface Terminal {
  readonly input: TerminalInput;
  /** Prints a line to standard output. */
  out(line: string): void;
  /** Prints a line to standard error. */
  err(line: string): void;
  /** Replaces the current status line. Only present if the terminal can overwrite lines. */
  status?(text: string): void;
}

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

const BAR_WIDTH = 24;
const BAR_INTERVAL_MS = 50;
const LINE_INTERVAL_MS = 3_000;

/**
 * Reports progress as a progress bar if the terminal can overwrite lines, else as a line every few
 * seconds.
 */
export function createProgressReporter(
  { err, status }: Terminal,
  isJson: () => boolean,
): (done: number, text: string) => void {
  let printedAt = status ? -Infinity : performance.now();
  return (done, text) => {
    if (isJson() || performance.now() - printedAt < (status ? BAR_INTERVAL_MS : LINE_INTERVAL_MS))
      return;
    printedAt = performance.now();
    (status ?? err)(formatBar(done, text));
  };
}

function formatBar(done: number, text: string): string {
  const filled = Math.round(done * BAR_WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${String(Math.floor(done * 100)).padStart(3)} %  ${text}`;
}

/** Characters that take two columns on a terminal. */
const DOUBLE_WIDTH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
/** Characters that take no column. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\u200d\ufe0f]/u;

const displayWidth = (text: string): number =>
  [...text].reduce(
    (sum, character) =>
      sum + (ZERO_WIDTH.test(character) ? 0 : DOUBLE_WIDTH.test(character) ? 2 : 1),
    0,
  );

/** Replaces whitespace and control characters, so that the text stays on one line of a terminal. */
export const toOneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

/** A cell of a table. */
export type Cell = string | number | null;

/** Formats rows as aligned columns. Numbers are right-aligned; a missing value is a dash. */
export function formatTable(
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const cells = [
    headers,
    ...rows.map((row) =>
      row.map((cell) => (cell === null || cell === '' ? '–' : toOneLine(String(cell)))),
    ),
  ];
  const widths = headers.map((_, column) =>
    Math.max(...cells.map((row) => displayWidth(row[column]!))),
  );
  const isNumeric = headers.map(
    (_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  const pad = (text: string, column: number): string => {
    const space = ' '.repeat(widths[column]! - displayWidth(text));
    return isNumeric[column] ? space + text : text + space;
  };
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

/** Formats a time in UTC, to the minute. */
export const formatMinute = (time: Date | null): string | null =>
  time && `${time.toISOString().slice(0, 16).replace('T', ' ')}Z`;

/**
 * Runs `work` with a signal that the first SIGINT or SIGTERM aborts. A second signal terminates the
 * process.
 */
export async function abortOnSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  signals.forEach((signal) => process.once(signal, abort));
  try {
    return await work(controller.signal);
  } finally {
    signals.forEach((signal) => process.removeListener(signal, abort));
  }
}
