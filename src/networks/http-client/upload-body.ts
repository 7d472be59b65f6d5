import { randomBytes } from 'node:crypto';
import type { FileContent, FileStream } from '../../services/networks/network-ports.js';

/** The body of a request that is sent as a stream: files of any size take little memory. */
export interface UploadBody {
  /** Bytes in total. */
  readonly length: number;
  readonly type: string;
  chunks(): AsyncIterable<Uint8Array>;
}

const CHUNK_BYTES = 65_536;

const sum = (lengths: readonly number[]): number => lengths.reduce((a, b) => a + b, 0);

/** A file that is in memory, as a stream. */
export const bytesStream = ({ type, bytes }: FileContent): FileStream => ({
  type,
  size: bytes.length,
  async open({ first, last } = { first: 0, last: bytes.length - 1 }) {
    return (async function* chunks() {
      for (let start = first; start <= last; start += CHUNK_BYTES)
        yield bytes.subarray(start, Math.min(start + CHUNK_BYTES, last + 1));
    })();
  },
});

/** A file as the whole body of a request. */
export const fileBody = ({ type, size, open }: FileStream): UploadBody => ({
  length: size,
  type,
  async *chunks() {
    yield* await open();
  },
});

const isFile = (value: unknown): value is FileStream =>
  typeof value === 'object' &&
  value !== null &&
  'open' in value &&
  typeof value.open === 'function';

async function* inBase64(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk]);
    const length = all.length - (all.length % 3);
    yield Buffer.from(all.toString('base64', 0, length));
    rest = all.subarray(length);
  }
  yield Buffer.from(rest.toString('base64'));
}

/**
 * JSON in which each file, wherever it stands, becomes a text in Base64. Files are read while the
 * body is sent.
 */
export function jsonBody(json: unknown): UploadBody {
  const files: FileStream[] = [];
  const place = randomBytes(16).toString('hex');
  const text = JSON.stringify(json, (_key, value: unknown) => {
    if (!isFile(value)) return value;
    files.push(value);
    return place;
  });
  const parts = text.split(place).map((part) => Buffer.from(part));
  return {
    length:
      sum(parts.map(({ length }) => length)) +
      sum(files.map(({ size }) => 4 * Math.ceil(size / 3))),
    type: 'application/json',
    async *chunks() {
      for (const [index, part] of parts.entries()) {
        yield part;
        const file = files[index];
        if (file) yield* inBase64(await file.open());
      }
    },
  };
}

/** A file in a form. */
export interface FormFile extends FileStream {
  /** The name of the field. */
  readonly field: string;
  /** The name of the file, which readers may see. */
  readonly name: string;
}

const escapeName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** A form with texts and files, as `multipart/form-data`. */
export function formBody(
  fields: Readonly<Record<string, string>>,
  files: readonly FormFile[],
): UploadBody {
  const boundary = `posts-gateway-${randomBytes(16).toString('hex')}`;
  const head = (field: string, more: string): Buffer =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(field)}"${more}\r\n\r\n`,
    );
  const texts = Object.entries(fields).map(([field, value]) =>
    Buffer.concat([head(field, ''), Buffer.from(`${value}\r\n`)]),
  );
  const heads = files.map(({ field, name, type }) =>
    head(field, `; filename="${escapeName(name)}"\r\nContent-Type: ${type}`),
  );
  const lineEnd = Buffer.from('\r\n');
  const tail = Buffer.from(`--${boundary}--\r\n`);
  return {
    length:
      sum([...texts, ...heads, tail].map(({ length }) => length)) +
      sum(files.map(({ size }) => size + lineEnd.length)),
    type: `multipart/form-data; boundary=${boundary}`,
    async *chunks() {
      yield* texts;
      for (const [index, file] of files.entries()) {
        yield heads[index]!;
        yield* await file.open();
        yield lineEnd;
      }
      yield tail;
    },
  };
}
