/** Where the cellar tells what it does: one line a call. pino and the console fit. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
