/** Change of one field in a revision. */
interface Difference<T> {
  readonly from: T;
  readonly to: T;
}
interface Label {
  readonly name: string;
}
/** A revision, as the checks read it from the database. */
export interface Revision {
  readonly post: string;
  readonly version: number;
  readonly changes: {
    readonly text?: Difference<string>;
    readonly labels?: Difference<readonly Label[]>;
    readonly scheduledAt?: Difference<string>;
    readonly recurring?: Difference<{ readonly endDate: string } | null>;
  };
}
/** A stored post, as the checks read it from the database. */
export interface PostRow {
  readonly id: string;
  readonly version: number;
  readonly isDeleted: boolean;
  readonly date: Date;
  readonly text: string;
  readonly labels: string[];
  readonly series: string | null;
}

export const POSTS_SQL = `SELECT p.doc_id AS id, p.version, p.deleted_at IS NOT NULL AS "isDeleted", p.scheduled_at AS date, b.text, s.doc_id AS series,
    ARRAY(SELECT l.name FROM post_label x JOIN label l ON l.id = x.label_id WHERE x.post_id = p.id ORDER BY l.name) AS labels
  FROM post p JOIN post_body b ON b.post_id = p.id LEFT JOIN post s ON s.id = p.parent_id WHERE p.workspace_id = $1`;
export const REVISIONS_SQL =
  'SELECT p.doc_id AS post, r.version, r.changes FROM revision r JOIN post p ON p.id = r.post_id WHERE p.workspace_id = $1 ORDER BY p.id, r.version';

export const labelNames = (labels: readonly Label[]): string[] =>
  labels.map(({ name }) => name).sort();
export const groupBy = <T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
};
/** Labels that a change with this mark sets. */
export const labelsOf = (mark: string): string[] => [mark, `${mark} too`];
export const markOf = ({ changes }: Revision): string =>
  changes.text?.to ?? changes.labels?.to[0]?.name ?? '';
