import { createHash } from 'node:crypto';
import { TEXT } from '../bodies/json-schema.js';
import type { HeaderDefinition, ResponseHeader } from '../route.js';

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
