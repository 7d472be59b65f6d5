import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/errors.js';

/**
 * Contains no two adjacent runs of whitespace: they would backtrack quadratically on a header that
 * is only whitespace.
 */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?(?:\s*;)?$/i;
const BYTES_PER_MB = 1_048_576;
/** Nesting limit, far above that of valid input. Prevents stack overflows in recursive readers. */
const MAX_DEPTH = 64;
const EMPTY = Buffer.alloc(0);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of a body, or the limit that it exceeds. */
type ReceivedBody = Buffer | { readonly exceededBytes: number };

type RequestWithBody = IncomingMessage & { receivedBody?: ReceivedBody };

/** Keeps what has arrived of the body of a request, for `readJsonBody`. */
export function keepBody(request: RequestWithBody, body: ReceivedBody): void {
  request.receivedBody = body;
}

/**
 * Reads the JSON of a body that was kept by `keepBody`.
 * @returns the value, or undefined if the body is empty
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_USER_INPUT
 */
export function readJsonBody(request: RequestWithBody): unknown {
  const { receivedBody: received = EMPTY } = request;
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'The body is encoded; send it as plain JSON.');
  if (type !== undefined && !JSON_TYPE.test(type.trim()))
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is not application/json in UTF-8.',
    );
  if ('exceededBytes' in received) throw tooLargeError(received.exceededBytes);
  if (received.length === 0) return undefined;
  if (type === undefined)
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is missing; it must be application/json.',
    );
  const body = parseJson(decode(received));
  if (isDeeperThan(body, MAX_DEPTH))
    throw new GatewayError('BAD_USER_INPUT', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  return body;
}

const tooLargeError = (maxBytes: number): GatewayError =>
  new GatewayError(
    'PAYLOAD_TOO_LARGE',
    `The request body is too large. The maximum is ${maxBytes / BYTES_PER_MB} MB.`,
  );

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
