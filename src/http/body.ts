import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';

/**
 * Contains no two adjacent runs of whitespace: they would backtrack quadratically on a header that
 * is only whitespace.
 */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?(?:\s*;)?$/i;
const BYTES_PER_MB = 1_048_576;
/** Nesting limit, far above that of valid input. Prevents stack overflows in recursive readers. */
const MAX_DEPTH = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a JSON body of at most `maxBytes`. After an error, `lingerOnClose` discards the rest of the
 * body.
 * @returns the value, or undefined if the body is empty
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_USER_INPUT
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number = REQUEST_LIMITS.bodyBytes,
): Promise<unknown> {
  const {
    'content-type': type,
    'content-encoding': encoding = 'identity',
    'content-length': length = '0',
  } = request.headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body is encoded; send it as plain JSON.');
  if (type !== undefined && !JSON_TYPE.test(type.trim()))
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is not application/json in UTF-8.',
    );
  if (Number(length) > maxBytes) throw tooLargeError(maxBytes);
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) return undefined;
  if (type === undefined)
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is missing; it must be application/json.',
    );
  const body = parseJson(decode(bytes));
  if (isDeeperThan(body, MAX_DEPTH))
    throw new GatewayError('BAD_USER_INPUT', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return body;
}

const tooLargeError = (maxBytes: number): GatewayError =>
  new GatewayError(
    'PAYLOAD_TOO_LARGE',
    `The request body is too large. The maximum is ${maxBytes / BYTES_PER_MB} MB.`,
  );

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onAborted).off('close', onAborted);
      outcome();
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      request.pause();
      settle(() => reject(tooLargeError(maxBytes)));
    };
    const onEnd = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const onAborted = (): void =>
      settle(() =>
        reject(new GatewayError('BAD_USER_INPUT', 'The body ended before it was complete.')),
      );
    request.on('data', onData).on('end', onEnd).on('error', onAborted).on('close', onAborted);
  });
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  }
}

/** The messages of JSON.parse quote the input, so only the position is taken from them. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /in JSON( at position \d+)/.exec(String(error))?.[1] ?? '';
    throw new GatewayError('BAD_USER_INPUT', `The body is not valid JSON${position}.`);
  }
}

const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)));
