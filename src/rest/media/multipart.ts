import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { GatewayError, type Problem } from '../../domain/errors.js';

/** A form as it was sent: its text fields, and the result of reading its file. */
export interface MultipartForm<T> {
  readonly fields: Readonly<Record<string, string>>;
  /** The name of the file, as the client sent it; null if it has none. */
  readonly fileName: string | null;
  readonly file: T;
}

interface FormRules {
  /** Name of the field that contains the file. */
  readonly fileField: string;
  /** Names of the text fields, which are optional. */
  readonly textFields: readonly string[];
}

/** Bounds of what is kept in memory. Any larger form was not meant for this route. */
const LIMITS = { fieldNameSize: 100, fieldSize: 100_000, headerPairs: 20 } as const;

const incomplete = (): GatewayError =>
  new GatewayError('BAD_USER_INPUT', 'The body ended before it was complete.');

/** @param maxParts further parts are not read */
const openParser = (request: IncomingMessage, maxParts: number): busboy.Busboy => {
  const type = request.headers['content-type'] ?? '';
  try {
    if (!/^multipart\/form-data\s*;/i.test(type)) throw new Error();
    const limits = { ...LIMITS, parts: maxParts };
    return busboy({ headers: request.headers, limits, defParamCharset: 'utf8' });
  } catch {
    throw new GatewayError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The Content-Type is not multipart/form-data with a boundary.',
    );
  }
};

/**
 * Reads a form with one file, which is passed on while it arrives. Nothing after the first unknown
 * field is read.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE; BAD_USER_INPUT with the problems of the form; or
 * what `readFile` throws
 */
export async function readMultipartForm<T>(
  request: IncomingMessage,
  { fileField, textFields }: FormRules,
  readFile: (content: Readable) => Promise<T>,
): Promise<MultipartForm<T>> {
  const names = [fileField, ...textFields];
  // One more than fields, so that a field that is sent twice is seen.
  const parser = openParser(request, names.length + 1);
  const problems: Problem[] = [];
  const fields: Record<string, string> = {};
  let fileName: string | null = null;
  let file: Promise<T> | undefined;

  const finished = new Promise<void>((resolve, reject) => {
    function refuseUnknown(name: string, isTruncated = false): void {
      const path = [isTruncated ? `${name}…` : name];
      const message = `unknown field; allowed: ${names.join(', ')}`;
      reject(new GatewayError('BAD_USER_INPUT', undefined, [{ path, message }]));
    }
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || !names.includes(name)) return refuseUnknown(name, nameTruncated);
      const problem =
        name === fileField
          ? 'must be a file'
          : Object.hasOwn(fields, name)
            ? 'is sent twice'
            : valueTruncated
              ? 'is too long'
              : null;
      if (problem === null) fields[name] = value;
      else problems.push({ path: [name], message: problem });
    });
    parser.on('file', (name, content, info) => {
      // It may fail before it is read: the reader then gets the error.
      content.on('error', () => undefined);
      if (name === fileField && !file) {
        fileName = info.filename ?? null;
        file = readFile(content);
        file.catch(reject);
        return;
      }
      content.resume();
      if (name !== fileField) return refuseUnknown(name);
      problems.push({ path: [name], message: 'is sent twice: send one file per request' });
    });
    parser.on('close', resolve);
    parser.on('error', () => reject(incomplete()));
    request.on('error', () => reject(incomplete()));
    request.on('aborted', () => parser.destroy(incomplete()));
  });
  request.pipe(parser);
  try {
    await finished;
    const read = await file;
    if (file === undefined && problems.every(({ path }) => path[0] !== fileField))
      problems.push({ path: [fileField], message: 'is required: the file to upload' });
    if (problems.length > 0) throw new GatewayError('BAD_USER_INPUT', undefined, problems);
    return { fields, fileName, file: read as T };
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    // Its file is closed with the parser: waits until nothing is left of it.
    await file?.catch(() => undefined);
    throw error;
  }
}
