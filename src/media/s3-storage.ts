import { createReadStream } from 'node:fs';
import type { Dispatcher } from 'undici';
import type { Clock } from '../services/clock.js';
import type { FileStorage } from '../services/media/file-storage.js';
import { EMPTY_SHA256, signedHeaders, type S3Credentials } from './s3-signature.js';

/** A bucket of an S3 service. */
export interface S3Bucket extends S3Credentials {
  /** URL of the service, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
}

/** A bucket rejected a request, or did not respond. */
export class S3Error extends Error {
  /** Presented like a disk that cannot be written. */
  readonly code = 'EIO';
}

/** A service that sends nothing for this long is unavailable. */
const IDLE_MS = 30_000;

interface Sent {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sha256?: string;
  readonly body?: Dispatcher.DispatchOptions['body'];
}

/** The code of an error response, for the log: `AccessDenied`. */
const errorCodeOf = (body: string): string => /<Code>(\w{1,100})<\/Code>/.exec(body)?.[1] ?? '';

/** Keeps files in a bucket. Requests name the bucket in the path, which every service supports. */
export function createS3Storage(
  { endpoint, bucket, ...credentials }: S3Bucket,
  clock: Clock,
): FileStorage {
  async function send({ method, key, headers = {}, sha256 = EMPTY_SHA256, body = null }: Sent) {
    const { request } = await import('undici'); // with the first file: it must not delay startup
    const url = new URL(`${endpoint}/${bucket}/${key}`);
    return request(url, {
      method,
      headers: signedHeaders({ method, url, headers, sha256 }, credentials, clock.now()),
      body,
      headersTimeout: IDLE_MS,
      bodyTimeout: IDLE_MS,
    }).catch((error: unknown) => {
      throw new S3Error(`The bucket ${bucket} did not respond to ${method}.`, { cause: error });
    });
  }

  async function fail(
    { statusCode, body }: Dispatcher.ResponseData,
    method: string,
  ): Promise<never> {
    const code = errorCodeOf(await body.text());
    throw new S3Error(`The bucket ${bucket} responded to ${method} with ${statusCode} ${code}.`);
  }

  return {
    async store(key, { path, bytes, sha256 }, contentType) {
      const response = await send({
        method: 'PUT',
        key,
        headers: { 'content-length': String(bytes), 'content-type': contentType },
        sha256,
        body: createReadStream(path),
      });
      if (response.statusCode !== 200) return fail(response, 'PUT');
      await response.body.dump();
    },
    async open(key, range) {
      const headers: Record<string, string> = range
        ? { range: `bytes=${range.first}-${range.last}` }
        : {};
      const response = await send({ method: 'GET', key, headers });
      if (response.statusCode === 200 || response.statusCode === 206) return response.body;
      if (response.statusCode !== 404) return fail(response, 'GET');
      await response.body.dump();
      return null;
    },
    async delete(key) {
      const response = await send({ method: 'DELETE', key });
      if (![200, 204, 404].includes(response.statusCode)) return fail(response, 'DELETE');
      await response.body.dump();
    },
  };
}
