/** Receives log messages, one line each. */
export interface ServerLog {
  info(message: string): void;
  warn(message: string): void;
}
