import { createHash } from 'node:crypto';
import type { Problem } from '../domain/errors.js';
import { REQUEST_LIMITS } from '../domain/input/request-limits.js';
import { POSITION_HEADER } from '../http/authentication/authenticator.js';
import type { JsonResponse } from '../http/responses.js';
import { TEXT, type JsonSchema } from '../http/json-schema.js';

/** The headers that route handlers read, as Node parses them. */
export interface RawHeaders {
  readonly 'if-match'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
  readonly 'idempotency-key'?: string | string[] | undefined;
  readonly origin?: string | undefined;
  readonly cookie?: string | undefined;
}

/** A header, as the OpenAPI document describes it. */
export interface HeaderDefinition {
  readonly name: string;
  readonly description: string;
  /** An example value. */
  readonly example: string | number;
  /** A string by default. */
  readonly schema?: JsonSchema;
}

/** A response header. */
export interface ResponseHeader extends HeaderDefinition {
  /** Whether every response of the operation has the header. */
  readonly isAlwaysSent?: true;
}

const { idempotencyKey: MAX_IDEMPOTENCY_KEY } = REQUEST_LIMITS;

/** Request header of updates and deletions. */
export const IDEMPOTENCY_KEY: HeaderDefinition = {
  name: 'Idempotency-Key',
  description: `1 to ${MAX_IDEMPOTENCY_KEY} characters, kept for 24 hours. A repeated request with the same key and input gets the first response and changes nothing.`,
  example: 'spring-campaign-7',
  schema: { ...TEXT, minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
};
/** Request header of reads that have to see a change of another user. */
export const AFTER_POSITION: HeaderDefinition = {
  name: POSITION_HEADER,
  description:
    'Position of a change, from the response to it. The response contains the change, also if another user made it.',
  example: '16/B374D848',
};
const TRUE = { example: 'true', schema: { ...TEXT, const: 'true' } };
/** Response header of updates and deletions. */
export const REPLAYED: ResponseHeader = {
  name: 'Idempotency-Replayed',
  description:
    '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
  ...TRUE,
};
/** Response header of dry runs. */
export const DRY_RUN: ResponseHeader = {
  name: 'X-Dry-Run',
  description: '`true` if nothing was changed because the request had `dry_run=true`.',
  ...TRUE,
};

/** Reads `Idempotency-Key`. `key` is missing if it was not sent or is invalid. */
export function readIdempotencyKey(headers: RawHeaders): {
  key?: string;
  problems: readonly Problem[];
} {
  const key = headers['idempotency-key'];
  if (key === undefined) return { problems: [] };
  if (typeof key === 'string' && key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY)
    return { key, problems: [] };
  return {
    problems: [
      { path: [IDEMPOTENCY_KEY.name], message: `must have 1 to ${MAX_IDEMPOTENCY_KEY} characters` },
    ],
  };
}

/** The response to a change, with the headers that mark dry runs and replayed responses. */
export const withChangeHeaders = (
  response: JsonResponse,
  { dryRun, replayed }: { dryRun: boolean; replayed: boolean },
): JsonResponse => ({
  ...response,
  headers: {
    ...response.headers,
    ...(dryRun && { [DRY_RUN.name]: 'true' }),
    ...(replayed && { [REPLAYED.name]: 'true' }),
  },
});

/** ETag of a response. */
export const ETAG: ResponseHeader = {
  name: 'ETag',
  description:
    'Strong ETag: a hash of the body. Of a post, also its version. Not sent with a dry run.',
  example: '"3-Q0dJm1yV8cT4nR7bX2wLzA"',
  schema: { ...TEXT, pattern: '^"(\\d+-)?[\\w-]+"$' },
};

/** If-None-Match of a request. */
export const IF_NONE_MATCH: HeaderDefinition = {
  name: 'If-None-Match',
  description:
    'ETags of the responses that the client has cached. If one of them is current, the response is 304.',
  example: '"2-kP5sG9hF3aD6uN1eY8iOtB"',
};

/**
 * A version that no post has. Used for an If-Match header that matches nothing, so that the update
 * is rejected as a conflict (D26).
 */
export const NO_VERSION = -1;

const ENTITY_TAG = /^\s*(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")\s*$/;

/**
 * Strong ETag of a detail (D26): the version, and a hash of the body, which also depends on the
 * viewer and `analytics`.
 */
export const etagOf = (version: number, body: unknown): string => `"${version}-${hashOf(body)}"`;

/** Strong ETag of a body without a version. */
export const bodyEtagOf = (body: unknown): string => `"${hashOf(body)}"`;

const hashOf = (body: unknown): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);

/** The body with its ETag, or 304 if the client has it. */
export const presentWithEtag = (
  body: unknown,
  etag: string,
  { 'if-none-match': known }: RawHeaders,
): JsonResponse =>
  matchesIfNoneMatch(known, etag)
    ? { status: 304, headers: { ETag: etag } }
    : { status: 200, headers: { ETag: etag }, body };

/**
 * Whether If-None-Match contains this ETag or `*`. Comparison is weak (RFC 9110, 13.1.2). Malformed
 * ETags match nothing.
 */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || readTags(header).some(({ tag }) => tag === etag);
}

/**
 * The versions in If-Match (D26); null if any version is accepted. Comparison is strong: weak ETags
 * match nothing, nor do ETags that the gateway cannot have sent.
 */
export function readIfMatch(header: string | undefined): readonly number[] | null {
  if (header === undefined || header.trim() === '*') return null;
  return readTags(header).flatMap(({ isWeak, tag }) => {
    const version = /^"([1-9][0-9]{0,9})-[\w-]+"$/.exec(tag)?.[1];
    return isWeak || version === undefined ? [] : [Number(version)];
  });
}

/** Splits a list of ETags. The quoted part of an ETag can contain commas. */
function readTags(header: string): { isWeak: boolean; tag: string }[] {
  return (header.match(/(?:"[^"]*"|[^",])+/g) ?? []).flatMap((text) => {
    const [, weak, tag] = ENTITY_TAG.exec(text) ?? [];
    return tag === undefined ? [] : [{ isWeak: weak !== undefined, tag }];
  });
}
