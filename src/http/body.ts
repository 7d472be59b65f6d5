import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import { parseJson } from './json-text.js';

const { bodyBytes: MOST_BYTES } = REQUEST_LIMITS;

/** No two runs of white space beside each other: a header of nothing else would be read in the square of its length. */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?(?:\s*;)?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the JSON body of a POST, PUT or PATCH, for both doors. What a refused request still sends is left to `lingerOn`.
 * @returns the value, or undefined where the body is empty
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, BAD_USER_INPUT
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
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
  if (Number(length) > MOST_BYTES) throw new GatewayError('PAYLOAD_TOO_LARGE');
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  if (type === undefined)
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is missing; it must be application/json.',
    );
  return parseJson(decode(bytes));
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void): void => {
      request.off('data', take).off('end', end).off('error', gone).off('close', gone);
      outcome();
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= MOST_BYTES) return;
      request.pause();
      settle(() => reject(new GatewayError('PAYLOAD_TOO_LARGE')));
    };
    const end = (): void => settle(() => resolve(Buffer.concat(chunks)));
    const gone = (): void =>
      settle(() =>
        reject(new GatewayError('BAD_USER_INPUT', 'The body ended before it was complete.')),
      );
    request.on('data', take).on('end', end).on('error', gone).on('close', gone);
  });
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  }
}
