import { type Post } from '../../domain/posts/post.js';
import type { Reader } from '../database.js';
import { fromStored, MEDIA_FIELDS, type PostRow } from './post-rows.js';
import type { RelatedRows, RelatedRowsCache, RelatedIds } from './related-rows-cache.js';
import { byLabelName } from '../../domain/posts/post-content.js';
import type { Statement } from '../sql.js';

/**
 * A row with the IDs of its related records and the version in which its statement read them. A row
 * of a list may contain only the total.
 */
type RowWithRelatedIds = PostRow & { relatedVersion?: string | undefined };

const NONE: readonly string[] = [];
const labelIdsOf = ({ labels }: RowWithRelatedIds): readonly string[] =>
  (labels as readonly string[] | null | undefined) ?? NONE;

/** A property of a post that consists of related records, whose IDs are in the row. */
interface Relation {
  readonly field: keyof Post;
  readonly kind: keyof RelatedRows;
  idsOf(row: RowWithRelatedIds): readonly string[];
  /** Sets the property to the related records. */
  fill(row: RowWithRelatedIds, related: RelatedRows): void;
}

const RELATIONS: readonly Relation[] = [
  {
    field: 'account',
    kind: 'accounts',
    idsOf: ({ accountId }) => (accountId === null ? NONE : [accountId]),
    fill(row, { accounts }) {
      row.account = row.accountId === null ? null : accounts.get(row.accountId)!;
    },
  },
  {
    field: 'user',
    kind: 'users',
    idsOf: ({ creatorId }) => [creatorId],
    fill(row, { users }) {
      row.user = users.get(row.creatorId)!;
    },
  },
  {
    field: 'labels',
    kind: 'labels',
    idsOf: labelIdsOf,
    fill(row, { labels }) {
      row.labels = labelIdsOf(row)
        .flatMap((id) => labels.get(id) ?? [])
        .sort(byLabelName);
    },
  },
];

/**
 * Runs a statement with a select list of `toSelectList`. The rows contain all selected properties,
 * including accounts, users and labels.
 */
export async function readPostRows<R extends PostRow>(
  server: Reader,
  { text, values, isSlow }: Statement,
  fields: ReadonlySet<keyof Post>,
): Promise<R[]> {
  const rows = await (isSlow ? server.scan : server.read)<R>(text, values);
  await resolveRelations(server.relatedRows, rows, fields);
  setMediaUrls(server, rows, fields);
  return rows;
}

/** Sets the URLs at which clients reach files now, in place. */
function setMediaUrls(
  server: Reader,
  rows: readonly PostRow[],
  fields: ReadonlySet<keyof Post>,
): void {
  for (const field of MEDIA_FIELDS.filter((candidate) => fields.has(candidate)))
    for (const row of rows as readonly Record<string, unknown>[])
      row[field] = fromStored(field, row[field], server);
}

/** Adds the selected accounts, users and labels to the rows, in place: the rows are not shared. */
async function resolveRelations(
  cache: RelatedRowsCache,
  rows: readonly RowWithRelatedIds[],
  fields: ReadonlySet<keyof Post>,
): Promise<void> {
  const selected = RELATIONS.filter(({ field }) => fields.has(field));
  if (selected.length === 0) return;
  for (const [workspaceId, group] of byWorkspace(rows)) {
    const version = group[0]!.relatedVersion!;
    const cached = cache.cached(workspaceId, version);
    const isComplete =
      cached !== undefined &&
      group.every((row) =>
        selected.every(({ kind, idsOf }) => idsOf(row).every((id) => cached[kind].has(id))),
      );
    const related = isComplete
      ? cached
      : await cache.read(workspaceId, version, relatedIdsOf(group, selected));
    for (const row of group) {
      row.relatedVersion = undefined;
      for (const relation of selected) relation.fill(row, related);
    }
  }
}

const relatedIdsOf = (
  rows: readonly RowWithRelatedIds[],
  selected: readonly Relation[],
): RelatedIds => ({
  accounts: NONE,
  users: NONE,
  labels: NONE,
  ...Object.fromEntries(selected.map(({ kind, idsOf }) => [kind, rows.flatMap(idsOf)])),
});

function byWorkspace(rows: readonly RowWithRelatedIds[]): Map<string, RowWithRelatedIds[]> {
  const groups = new Map<string, RowWithRelatedIds[]>();
  for (const row of rows) {
    if (!row.id) continue;
    const group = groups.get(row.workspaceId);
    if (group) group.push(row);
    else groups.set(row.workspaceId, [row]);
  }
  return groups;
}
