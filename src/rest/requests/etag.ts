import { createHash } from 'node:crypto';

/** A version that no post has: what an If-Match that can match nothing stands for, so that it is a conflict (D26). */
export const NO_VERSION = -1;

const TAG = /^\s*(W\/)?("[\x21\x23-\x7e\x80-\uffff]*")\s*$/;

/** A detail's strong tag (D26): the version, and a hash of the body, which the viewer and `analytics` change too. */
export function etagOf(version: number, body: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return `"${version}-${hash}"`;
}

/** Whether If-None-Match names this tag, or any; it compares weakly (RFC 9110, 13.1.2). Malformed tags match nothing. */
export function isNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || tagsOf(header).some(({ tag }) => tag === etag);
}

/**
 * The versions that If-Match expects (D26): null where any will do. It compares strongly, so weak tags match nothing,
 * nor does what is not a tag of ours.
 */
export function expectedVersions(header: string | undefined): readonly number[] | null {
  if (header === undefined || header.trim() === '*') return null;
  return tagsOf(header).flatMap(({ isWeak, tag }) => {
    const version = /^"([1-9][0-9]{0,9})-[\w-]+"$/.exec(tag)?.[1];
    return isWeak || version === undefined ? [] : [Number(version)];
  });
}

/** A tag may have a comma inside its quotes. */
function tagsOf(header: string): { isWeak: boolean; tag: string }[] {
  return (header.match(/(?:"[^"]*"|[^",])+/g) ?? []).flatMap((one) => {
    const [, weak, tag] = TAG.exec(one) ?? [];
    return tag === undefined ? [] : [{ isWeak: weak !== undefined, tag }];
  });
}
