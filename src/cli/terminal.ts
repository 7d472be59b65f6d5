import type { TerminalInput } from './terminal-input.js';

/** Where output goes, each call one line, and where answers come from. */
export interface Terminal {
  readonly input: TerminalInput;
  out(line: string): void;
  err(line: string): void;
  /** Shows a text in place of the last one; only where lines can be overwritten. */
  status?(text: string): void;
}
