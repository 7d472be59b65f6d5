/** Descriptions of files that users pass by mistake, by the start of the file. */
const UNSUPPORTED_FILE_STARTS: readonly (readonly [RegExp, string])[] = [
  [/^<[^]*<rss[\s>]|^<rss[\s>]/, 'the file is a WordPress export: run `import wordpress` instead'],
  [/^</, 'the file is XML or HTML, not JSON'],
  [/^PK/, 'the file is a zip archive: unpack it and import the outbox.json that it contains'],
  [
    /^\u001f/,
    'the file is a compressed archive: unpack it and import the outbox.json that it contains',
  ],
  [
    /^\[/,
    'the file is not an outbox: it is a list, but an outbox is an object with the list “orderedItems”',
  ],
];

/** The reason why a file that starts with this text is not an outbox. */
export const describeFileStart = (text: string): string =>
  UNSUPPORTED_FILE_STARTS.find(([pattern]) => pattern.test(text))?.[1] ??
  `the file is not JSON: it starts with ${JSON.stringify(text.slice(0, 20))}`;

/** The reason why a collection without items is not an outbox. */
export const MISSING_ITEMS =
  'the file is not an outbox: it has no list “orderedItems”. Import the outbox.json of an archive; the outbox URL of a server only returns links to pages';

const COLLECTION_TYPES: ReadonlySet<unknown> = new Set([
  'OrderedCollection',
  'OrderedCollectionPage',
]);
const ACTOR_TYPES: ReadonlySet<unknown> = new Set([
  'Person',
  'Service',
  'Application',
  'Group',
  'Organization',
]);
/** IDs of the collections in an archive that contain posts of other accounts. */
const FOREIGN_COLLECTIONS: ReadonlySet<unknown> = new Set(['likes.json', 'bookmarks.json']);

function findTypeProblem(type: unknown): string | null {
  if (COLLECTION_TYPES.has(type)) return null;
  const typeText = JSON.stringify(type);
  return ACTOR_TYPES.has(type)
    ? `the file is an account (its type is ${typeText}), like actor.json: import the outbox.json next to it`
    : `the file is not an outbox: its type is ${typeText}, not "OrderedCollection"`;
}

const findIdProblem = (id: unknown): string | null =>
  FOREIGN_COLLECTIONS.has(id)
    ? `the file is ${String(id)}, which lists posts of other accounts: import the outbox.json next to it`
    : null;

const MEMBER_CHECKS: Readonly<Record<string, (value: unknown) => string | null>> = {
  type: findTypeProblem,
  id: findIdProblem,
};

/** The reason why a file with this member is not an outbox; null if the member is acceptable. */
export const findMemberProblem = (key: string, value: unknown): string | null =>
  (Object.hasOwn(MEMBER_CHECKS, key) ? MEMBER_CHECKS[key]?.(value) : null) ?? null;
