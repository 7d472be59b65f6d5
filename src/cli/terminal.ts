import type { TerminalInput } from './terminal-input.js';

/** Output, one line per call, and input of a command. */
export interface Terminal {
  readonly input: TerminalInput;
  out(line: string): void;
  err(line: string): void;
  /** Replaces the current status line. Only present if the terminal can overwrite lines. */
  status?(text: string): void;
}
