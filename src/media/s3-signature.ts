import { createHash, createHmac } from 'node:crypto';

/** The key of an S3 account. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** What is signed of a request. */
export interface S3Request {
  readonly method: string;
  /** Without a query. */
  readonly url: URL;
  /** Lower-case names. `host`, the date and the hash of the content are added. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly sha256: string;
}

/** SHA-256 of a text, in hex. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
/** The hash of an empty body. */
export const EMPTY_SHA256 = sha256Of('');

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** The headers of a request, signed with AWS Signature Version 4. */
export function signedHeaders(
  { method, url, headers, sha256 }: S3Request,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  now: Date,
): Record<string, string> {
  const timestamp = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = timestamp.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': timestamp,
  };
  const names = Object.keys(all).sort();
  const signed = names.join(';');
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map((name) => `${name}:${all[name]!.trim()}`),
    '',
    signed,
    sha256,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope, sha256Of(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString('hex');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  };
}
