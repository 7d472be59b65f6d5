/** Receives log messages, one line each. pino and the console implement it. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}
