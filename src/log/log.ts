import { types } from 'node:util';
import { pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';

/** What must not stand in a line, wherever it strayed in from: our keys, networks' tokens, passwords in addresses (Authentication, D44). */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/spk(?:_|%5f)live(?:_|%5f)[0-9A-Za-z]+/gi, 'spk_live_[redacted]'],
  [/\bBearer(-API)? +[\w.~+/=-]+/gi, 'Bearer$1 [redacted]'],
  [/\bbot\d+:[\w-]{20,}/g, 'bot[redacted]'],
  [/:\/\/([^\s:@/"]*):[^\s@/"]+@/g, '://$1:[redacted]@'],
];

/** The process' log: one JSON object a line, on standard error, so that standard output is for people. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const destination = {
    write: (line: string) =>
      write(SECRETS.reduce((told, [secret, stand]) => told.replace(secret, stand), line)),
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => toldError(error) },
    },
    destination,
  );
}

/** What is told of an error. */
interface ToldError {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  stack?: string;
  cause?: ToldError;
}
/** What errors of Node, of PostgreSQL and of Prisma carry; any of it may be absent or something else. */
type AnyError = Error & { readonly code?: unknown; readonly constraint?: unknown };

const MOST_CAUSES = 4;

/**
 * Named properties only: others hold requests with their headers, rows that a constraint refused, bodies that a network
 * sent. Frames without the message that stacks repeat.
 */
function toldError(error: unknown, causes = MOST_CAUSES): ToldError | string {
  if (!types.isNativeError(error)) return typeof error;
  const { name, message, stack = '', cause, code, constraint } = error as AnyError;
  return {
    type: error.constructor.name || name,
    message: withoutValues(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(types.isNativeError(cause) &&
      causes > 0 && { cause: toldError(cause, causes - 1) as ToldError }),
  };
}

/** Before its last paragraph Prisma repeats the whole call. */
const CALL = /^\s*Invalid `[^]*\n\n/;
/** What stands in quotes after a colon, or is no plain name, is a value: PostgreSQL and JSON.parse repeat them. */
const VALUE = /(?<=: )"[^]*"|"(?![\w.-]{1,63}")[^]*"/g;

const withoutValues = (message: string): string =>
  message.replace(CALL, '').replace(VALUE, '"[redacted]"');
