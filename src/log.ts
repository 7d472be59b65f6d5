import { pino, type Logger } from 'pino';
import type { LogLevel } from './config.js';

/** What a key looks like: wherever one strays into a line, its value stays out of the log (Authentication). */
const KEYS = /spk_live_[0-9A-Za-z]+/g;

/** The process' log: one JSON object a line, on standard error, so that standard output is for people. */
export function createLog(level: LogLevel): Logger {
  const destination = { write: (line: string) => void process.stderr.write(line.replace(KEYS, 'spk_live_[redacted]')) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: ['headers.authorization', 'headers.cookie'] }, destination);
}
