import type pg from 'pg';
import { byLabelName, type Post } from '../../domain/posts/post.js';
import { lanesOf } from '../pipelined-connections.js';
import type { PostRow } from './post-rows.js';
import {
  createReferenceRows,
  type References,
  type ReferenceRows,
  type Wanted,
} from './related-rows-cache.js';
import { run, type Statement } from '../sql.js';

/** A row with the ids of what it leads to, and the epoch in which its statement saw that; a list's row may say only the total. */
type ReferringRow = PostRow & { referenceEpoch?: string | undefined };

const NONE: readonly string[] = [];
const labelIdsOf = ({ labels }: ReferringRow): readonly string[] =>
  (labels as readonly string[] | null | undefined) ?? NONE;

/** A property of a post that is a record of its own, or several: the row has the ids of it. */
interface Reference {
  readonly field: keyof Post;
  readonly kind: keyof References;
  idsOf(row: ReferringRow): readonly string[];
  /** Puts what was found in the place of the ids. */
  complete(row: ReferringRow, found: References): void;
}

const REFERENCES: readonly Reference[] = [
  {
    field: 'account',
    kind: 'accounts',
    idsOf: ({ accountId }) => (accountId === null ? NONE : [accountId]),
    complete(row, { accounts }) {
      row.account = row.accountId === null ? null : accounts.get(row.accountId)!;
    },
  },
  {
    field: 'user',
    kind: 'users',
    idsOf: ({ creatorId }) => [creatorId],
    complete(row, { users }) {
      row.user = users.get(row.creatorId)!;
    },
  },
  {
    field: 'labels',
    kind: 'labels',
    idsOf: labelIdsOf,
    complete(row, { labels }) {
      row.labels = labelIdsOf(row)
        .flatMap((id) => labels.get(id) ?? [])
        .sort(byLabelName);
    },
  },
];

/** What a process remembers is shared by all who read posts of one database. */
const remembered = new WeakMap<pg.Pool, ReferenceRows>();

function referencesOf(pool: pg.Pool): ReferenceRows {
  const references = remembered.get(pool) ?? createReferenceRows(pool);
  remembered.set(pool, references);
  return references;
}

/** Runs a statement whose select list `selectParts` made: its rows have what was selected, accounts, people and labels too. */
export async function readPostRows<R extends PostRow>(
  pool: pg.Pool,
  { text, values, isLong }: Statement,
  fields: ReadonlySet<keyof Post>,
): Promise<R[]> {
  const rows = await run<R>(isLong ? pool : lanesOf(pool), text, values);
  await completeReferences(referencesOf(pool), rows, fields);
  return rows;
}

/** Puts accounts, people and labels in the place of their ids, as far as they were selected. Changes the rows in place: they are nobody else's. */
async function completeReferences(
  references: ReferenceRows,
  rows: readonly ReferringRow[],
  fields: ReadonlySet<keyof Post>,
): Promise<void> {
  const selected = REFERENCES.filter(({ field }) => fields.has(field));
  if (selected.length === 0) return;
  for (const [workspaceId, group] of byWorkspace(rows)) {
    const epoch = group[0]!.referenceEpoch!;
    const known = references.known(workspaceId, epoch);
    const isKnown =
      known !== undefined &&
      group.every((row) =>
        selected.every(({ kind, idsOf }) => idsOf(row).every((id) => known[kind].has(id))),
      );
    const found = isKnown
      ? known
      : await references.of(workspaceId, epoch, wantedOf(group, selected));
    for (const row of group) {
      row.referenceEpoch = undefined;
      for (const one of selected) one.complete(row, found);
    }
  }
}

const wantedOf = (rows: readonly ReferringRow[], selected: readonly Reference[]): Wanted => ({
  accounts: NONE,
  users: NONE,
  labels: NONE,
  ...Object.fromEntries(selected.map(({ kind, idsOf }) => [kind, rows.flatMap(idsOf)])),
});

function byWorkspace(rows: readonly ReferringRow[]): Map<string, ReferringRow[]> {
  const groups = new Map<string, ReferringRow[]>();
  for (const row of rows) {
    if (!row.id) continue;
    const group = groups.get(row.workspaceId);
    if (group) group.push(row);
    else groups.set(row.workspaceId, [row]);
  }
  return groups;
}
