import type { NetworkSync, Post, PostAnalytics } from '../../domain/posts/post.js';
import type { PublicationRecord } from '../../domain/publishing/publication-record.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { storedStateByNumber } from '../../domain/posts/states.js';

/** A row as PostgreSQL returns it: times inside JSON are strings, empty aggregates are null. */
export type PostRow = Omit<PostView, 'storedState' | 'occurrenceState'> & {
  storedState: number;
  occurrenceState?: number | null;
};

type FieldReader = (row: Record<string, unknown>) => void;
const readDate = (container: unknown, key: string): void => {
  const record = container as Record<string, unknown> | null;
  if (record && typeof record[key] === 'string') record[key] = new Date(record[key]);
};
const emptyList =
  (key: keyof Post): FieldReader =>
  (row) => {
    if (row[key] === null) row[key] = [];
  };

/** Converts the properties that differ between row and domain. */
const FIELD_READERS: Partial<Record<keyof Post, FieldReader>> = {
  storedState: (row) => {
    row.storedState = storedStateByNumber.get(row.storedState as number);
  },
  occurrenceState: (row) => {
    row.occurrenceState = storedStateByNumber.get(row.occurrenceState as number) ?? null;
  },
  media: emptyList('media'),
  analytics: (row) => readDate(row.analytics as PostAnalytics | null, 'updatedAt'),
  publicationRecord: (row) =>
    readDate(row.publicationRecord as PublicationRecord | null, 'publishedAt'),
  review: (row) => readDate(row.review as Post['review'], 'at'),
  networkSync: (row) => readDate(row.networkSync as NetworkSync | null, 'attemptedAt'),
};
const FIELD_READER_ENTRIES = Object.entries(FIELD_READERS) as [keyof Post, FieldReader][];

/** Converts the selected properties of a row. Changes the row in place: it is not shared. */
export function toPostView(row: PostRow): PostView {
  const record = row as unknown as Record<string, unknown>;
  for (const [field, read] of FIELD_READER_ENTRIES) if (record[field] !== undefined) read(record);
  return row as unknown as PostView;
}
