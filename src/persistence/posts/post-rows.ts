import type { NetworkSync, Post, PostAnalytics } from '../../domain/posts/post.js';
import type { PostView } from '../../domain/posts/post-query.js';
import { cellOfNumber } from '../../domain/posts/states.js';

/** A row as PostgreSQL gives it: JSON parts have their times as texts, empty aggregates are null. */
export type PostRow = Omit<PostView, 'cell'> & { cell: number };

type Revive = (row: Record<string, unknown>) => void;
const reviveDate = (holder: unknown, key: string): void => {
  const record = holder as Record<string, unknown> | null;
  if (record && typeof record[key] === 'string') record[key] = new Date(record[key]);
};
const emptyList =
  (key: keyof Post): Revive =>
  (row) => {
    if (row[key] === null) row[key] = [];
  };

/** What each property of a row still needs; every other one is as the domain has it. */
const REVIVE: Partial<Record<keyof Post, Revive>> = {
  cell: (row) => {
    row.cell = cellOfNumber.get(row.cell as number);
  },
  media: emptyList('media'),
  analytics: (row) => reviveDate(row.analytics as PostAnalytics | null, 'updatedAt'),
  networkSync: (row) => reviveDate(row.networkSync as NetworkSync | null, 'attemptedAt'),
};
const REVIVALS = Object.entries(REVIVE) as [keyof Post, Revive][];

/** A row as a post, as far as it was selected. Changes the row in place: it is nobody else's. */
export function toPostView(row: PostRow): PostView {
  const record = row as unknown as Record<string, unknown>;
  for (const [field, revive] of REVIVALS) if (record[field] !== undefined) revive(record);
  return row as unknown as PostView;
}
