import { GatewayError } from '../domain/errors.js';
import { LIMITS } from './document/limits.js';

/** The answer to an operation is larger than `LIMITS.answerBytes`. */
export class AnswerTooLargeError extends GatewayError {
  constructor() {
    super(
      'QUERY_TOO_COMPLEX',
      `The answer is larger than ${LIMITS.answerBytes / 1_000_000} MB. Use a smaller \`first\`, or select fewer long fields and aliases. Changes that a mutation made are saved.`,
    );
  }
}

/**
 * Checks JSON that is being written. A character is at least a byte: enough to stop early.
 * @throws AnswerTooLargeError
 */
export function assertMayFit(text: string): void {
  if (text.length > LIMITS.answerBytes) throw new AnswerTooLargeError();
}

/** A character of a text is at most three bytes. */
const MAX_CHARACTER_BYTES = 3;

/** Checks written JSON. @throws AnswerTooLargeError */
export function assertFits(text: string): void {
  if (
    text.length * MAX_CHARACTER_BYTES > LIMITS.answerBytes &&
    Buffer.byteLength(text) > LIMITS.answerBytes
  )
    throw new AnswerTooLargeError();
}

/** Shorter texts count by their characters: to count their bytes takes longer than the rest. */
const LONG_TEXT = 256;
/** Of a number, a boolean, null, or the quotes, colon and comma of a member. */
const SMALL_BYTES = 4;

/**
 * Checks a result before it is written as JSON: a text that many aliases select is once in memory,
 * but many times in the JSON. Does not count the escapes of texts.
 * @throws AnswerTooLargeError
 */
export function assertResultFits(data: unknown): void {
  let bytes = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string')
      bytes += SMALL_BYTES + (value.length < LONG_TEXT ? value.length : Buffer.byteLength(value));
    else if (typeof value !== 'object' || value === null) bytes += SMALL_BYTES;
    else if (Array.isArray(value)) value.forEach(count);
    else
      for (const key in value) {
        bytes += key.length + SMALL_BYTES;
        count((value as Record<string, unknown>)[key]);
      }
    if (bytes > LIMITS.answerBytes) throw new AnswerTooLargeError();
  };
  count(data);
}
