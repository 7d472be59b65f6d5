import { types } from 'node:util';
import { pino, type LevelWithSilent, type Logger } from 'pino';
import { toSourceStack } from './source-stack.js';

/**
 * Redacted wherever they appear in a line: our API keys, tokens of networks, passwords in URLs
 * (Authentication, D44).
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/spk(?:_|%5f)live(?:_|%5f)[0-9A-Za-z]+/gi, 'spk_live_[redacted]'],
  // of a link to connect accounts
  [/spl(?:_|%5f)[\w-]{20,}/gi, 'spl_[redacted]'],
  [/\bBearer(-API)? +[\w.~+/=-]+/gi, 'Bearer$1 [redacted]'],
  [/\bbot\d+:[\w-]{20,}/g, 'bot[redacted]'],
  [/:\/\/([^\s:@/"]*):[^\s@/"]+@/g, '://$1:[redacted]@'],
];

/**
 * Creates the log of the process: one JSON object per line, on standard error. Output of commands
 * goes to standard output.
 */
export function createLog(
  level: LevelWithSilent,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const destination = {
    write: (line: string) =>
      write(SECRETS.reduce((text, [secret, redacted]) => text.replace(secret, redacted), line)),
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => toLoggedError(error), reason: toReason },
    },
    destination,
  );
}

/** The logged form of an error. */
interface LoggedError {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  stack?: string;
  cause?: LoggedError;
}
/** Properties of errors of Node, PostgreSQL and Prisma. Each may be absent or of another type. */
type ErrorWithDetails = Error & { readonly code?: unknown; readonly constraint?: unknown };

const MAX_CAUSES = 4;

/**
 * Only these properties are logged: others hold requests with their headers, rows that violated a
 * constraint, or response bodies of networks. The stack is logged without the message that it
 * repeats.
 */
function toLoggedError(error: unknown, causes = MAX_CAUSES): LoggedError | string {
  if (!types.isNativeError(error)) return typeof error;
  const { name, message, stack = '', cause, code, constraint } = error as ErrorWithDetails;
  return {
    type: error.constructor.name || name,
    message: withoutValues(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    stack: toSourceStack(
      stack
        .split('\n')
        .filter((line) => /^\s+at /.test(line))
        .join('\n'),
    ),
    ...(types.isNativeError(cause) &&
      causes > 0 && { cause: toLoggedError(cause, causes - 1) as LoggedError }),
  };
}

/** What an operator does about an error of the system, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  EMFILE: 'raise the limit of open files of this process (ulimit -n, LimitNOFILE)',
  ENFILE: 'raise the limit of open files of this machine (fs.file-max)',
  ENOSPC: 'the disk of this process is full',
  53100: 'the disk of the database is full',
};

/** An error as one line, for failures that are frequent in an outage: the message of its cause. */
function toReason(error: unknown): string {
  if (!types.isNativeError(error)) return typeof error;
  const { cause, code, message } = error as ErrorWithDetails;
  if (types.isNativeError(cause)) return toReason(cause);
  const text = withoutValues(message).replace(/\s*\n\s*/g, ' ');
  const reason = text || (typeof code === 'string' ? code : error.constructor.name);
  const advice = typeof code === 'string' ? ADVICE[code] : undefined;
  return advice === undefined ? reason : `${reason}: ${advice}`;
}

/** Prisma repeats the whole call before the last paragraph of a message. */
const CALL = /^\s*Invalid `[^]*\n\n/;
/**
 * Text in quotes after a colon, or that is not a plain name, is a value: PostgreSQL and JSON.parse
 * repeat values.
 */
const VALUE = /(?<=: )"[^]*"|"(?![\w.-]{1,63}")[^]*"/g;

const withoutValues = (message: string): string =>
  message.replace(CALL, '').replace(VALUE, '"[redacted]"');
