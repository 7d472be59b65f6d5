import type { TerminalInput } from './terminal-input.js';

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
