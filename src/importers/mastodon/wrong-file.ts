/** What may be given in place of an outbox, by how it begins. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^<[^]*<rss[\s>]|^<rss[\s>]/, 'the file is a WordPress export: `import wordpress` takes it'],
  [/^</, 'the file is not JSON but XML or HTML'],
  [/^PK/, 'the file is a zip archive: unpack it and import the outbox.json in it'],
  [/^\u001f/, 'the file is a compressed archive: unpack it and import the outbox.json in it'],
  [
    /^\[/,
    'the file is no outbox: it is a list, and an outbox is an object with the list “orderedItems”',
  ],
];

/** Why a file that begins like this is no outbox. */
export const wrongBeginning = (text: string): string =>
  BEGINNINGS.find(([pattern]) => pattern.test(text))?.[1] ??
  `the file is not JSON: it begins with ${JSON.stringify(text.slice(0, 20))}`;

export const WITHOUT_ITEMS =
  'the file is no outbox: it has no list “orderedItems”; what a server gives at the address of an outbox only names pages, the archive’s outbox.json has all of it';

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
/** Collections of an archive that hold others' posts, by their ids. */
const OTHER_COLLECTIONS: ReadonlySet<unknown> = new Set(['likes.json', 'bookmarks.json']);

function wrongType(type: unknown): string | null {
  if (COLLECTION_TYPES.has(type)) return null;
  const shown = JSON.stringify(type);
  return ACTOR_TYPES.has(type)
    ? `the file is an account (its type is ${shown}), as actor.json is: import the outbox.json beside it`
    : `the file is no outbox: its type is ${shown} and not "OrderedCollection"`;
}

const wrongId = (id: unknown): string | null =>
  OTHER_COLLECTIONS.has(id)
    ? `the file is ${String(id)}, which lists others’ posts: import the outbox.json beside it`
    : null;

const MEMBERS: Readonly<Record<string, (value: unknown) => string | null>> = {
  type: wrongType,
  id: wrongId,
};

/** Why a file is no outbox that has this member; null where nothing speaks against it. */
export const wrongMember = (key: string, value: unknown): string | null =>
  (Object.hasOwn(MEMBERS, key) ? MEMBERS[key]?.(value) : null) ?? null;
