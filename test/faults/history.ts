import type { Database } from '../../src/persistence/database.js';
import type { Change, Journal } from './journal.js';
import type { Stage } from './stage.js';

interface Difference<T> {
  readonly from: T;
  readonly to: T;
}
interface Label {
  readonly name: string;
}
interface Revision {
  readonly post: string;
  readonly version: number;
  readonly changes: {
    readonly text?: Difference<string>;
    readonly labels?: Difference<readonly Label[]>;
    readonly scheduledAt?: Difference<string>;
    readonly recurring?: Difference<{ readonly endDate: string } | null>;
  };
}
interface Row {
  readonly id: string;
  readonly version: number;
  readonly isDeleted: boolean;
  readonly date: Date;
  readonly text: string;
  readonly labels: string[];
  readonly series: string | null;
}

const ROWS = `SELECT p.doc_id AS id, p.version, p.deleted_at IS NOT NULL AS "isDeleted", p.scheduled_at AS date, b.text, s.doc_id AS series,
    ARRAY(SELECT l.name FROM post_label x JOIN label l ON l.id = x.label_id WHERE x.post_id = p.id ORDER BY l.name) AS labels
  FROM post p JOIN post_body b ON b.post_id = p.id LEFT JOIN post s ON s.id = p.parent_id WHERE p.workspace_id = $1`;
const REVISIONS =
  'SELECT p.doc_id AS post, r.version, r.changes FROM revision r JOIN post p ON p.id = r.post_id WHERE p.workspace_id = $1 ORDER BY p.id, r.version';

const FIRST = 'first';
const namesIn = (labels: readonly Label[]): string[] => labels.map(({ name }) => name).sort();
const groupBy = <T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
};
/** The labels that a change of them brings. */
export const labelsOf = (mark: string): string[] => [mark, `${mark} too`];
const markOf = ({ changes }: Revision): string =>
  changes.text?.to ?? changes.labels?.to[0]?.name ?? '';

/** With the text and the date that its first change found it; that it was made with the first text, unless its series said something else by then. */
const begunAs = (
  { date, text, series }: Row,
  revisions: readonly Revision[],
  ruled: ReadonlySet<string>,
): { text: string; date: string } => ({
  date:
    revisions.find(({ changes }) => changes.scheduledAt)?.changes.scheduledAt?.from ??
    date.toISOString(),
  text: ruled.has(series ?? '')
    ? (revisions.find(({ changes }) => changes.text)?.changes.text?.from ?? text)
    : FIRST,
});

/** One version after another, each beginning where the one before ended, down to the row as it is. */
function brokenChain(
  row: Row,
  revisions: readonly Revision[],
  ruled: ReadonlySet<string>,
  texts: Map<number, string>,
): string[] {
  const broken: string[] = [];
  let { text, date } = begunAs(row, revisions, ruled);
  let labels: string[] = [];
  texts.set(1, text);
  revisions.forEach(({ version, changes }, place) => {
    if (version !== place + 2)
      broken.push(`post ${row.id} has version ${version} in the place of ${place + 2}`);
    if (changes.text && changes.text.from !== text)
      broken.push(
        `version ${version} of post ${row.id} was made on ${changes.text.from}, and it was ${text}`,
      );
    if (changes.labels && namesIn(changes.labels.from).join() !== labels.join())
      broken.push(
        `version ${version} of post ${row.id} was made on the labels ${namesIn(changes.labels.from).join()}, and they were ${labels.join()}`,
      );
    if (changes.scheduledAt && changes.scheduledAt.from !== date)
      broken.push(
        `version ${version} of post ${row.id} was made on the date ${changes.scheduledAt.from}, and it was ${date}`,
      );
    text = changes.text?.to ?? text;
    date = changes.scheduledAt?.to ?? date;
    labels = changes.labels ? namesIn(changes.labels.to) : labels;
    texts.set(version, text);
  });
  const [saved, expected] = [
    [row.version, row.text, row.date.toISOString(), row.labels],
    [revisions.length + 1, text, date, labels],
  ].map((one) => JSON.stringify(one));
  return saved === expected
    ? broken
    : [...broken, `post ${row.id} is ${saved}, by its history ${expected}`];
}

/** Where the mark of a change has to be, if it is anywhere: of a series in all its children too. Where its rule changes, children come and go: those that are left are held to the rule (rows.ts). */
const placesOf = (
  { kind, posts }: Change,
  children: ReadonlyMap<string, readonly Row[]>,
): string[] =>
  (kind === 'series'
    ? [...posts, ...(children.get(posts[0]!) ?? []).map(({ id }) => id)]
    : [...posts]
  ).sort();

/** `rules`: the versions of its post that changed its rule. */
function brokenChange(
  change: Change,
  found: readonly Revision[],
  { places, rules }: { places: readonly string[]; rules: readonly Revision[] },
): string[] {
  const { kind, mark, posts, outcome, version, expectedVersion } = change;
  const where = found.map(({ post }) => post).sort();
  const isWhole = JSON.stringify(where) === JSON.stringify(places);
  const isAbsent = where.length === 0;
  const what = `${kind} ${mark} of ${posts[0]} was ${outcome}, and is in ${where.length} of ${places.length} places`;
  if (!{ done: isWhole, refused: isAbsent, unknown: isWhole || isAbsent }[outcome]) return [what];
  const made = found.find(({ post }) => post === posts[0]);
  if (!made) return [];
  if (outcome === 'done' && expectedVersion !== null && version !== expectedVersion + 1)
    return [
      `${kind} ${mark} of ${posts[0]} was asked for on version ${expectedVersion}, and acknowledged as version ${version}`,
    ];
  if (outcome === 'done' && made.version !== version)
    return [
      `${kind} ${mark} was acknowledged as version ${version} of ${posts[0]}, and is another`,
    ];
  return brokenParts(change, made, rules);
}

/** Beside the text, which holds the mark: what is there of a change is there whole, whether anybody was told of it or not. */
function brokenParts(
  { kind, mark, scheduledAt, endDate }: Change,
  { version, changes }: Revision,
  rules: readonly Revision[],
): string[] {
  const parts: readonly (readonly [string, string | null, string | undefined])[] = [
    [
      'labels',
      kind === 'labels' ? labelsOf(mark).join() : null,
      changes.labels && namesIn(changes.labels.to).join(),
    ],
    ['date', scheduledAt && new Date(scheduledAt).toISOString(), changes.scheduledAt?.to],
    // A rule that stays as it is, is no change of its version.
    [
      'last day',
      endDate,
      rules
        .findLast((one) => one.version <= version)
        ?.changes.recurring?.to?.endDate.slice(0, endDate?.length),
    ],
  ];
  return parts
    .filter(([, wanted, saved]) => wanted !== null && saved !== wanted)
    .map(
      ([what, wanted, saved]) =>
        `${kind} ${mark} was to have the ${what} ${wanted}, and has ${saved}`,
    );
}

function brokenRemoval({ mark, posts, outcome }: Change, rows: ReadonlyMap<string, Row>): string[] {
  const gone = posts.filter((id) => rows.get(id)!.isDeleted).length;
  const isRight = {
    done: gone === posts.length,
    refused: gone === 0,
    unknown: gone === 0 || gone === posts.length,
  }[outcome];
  return isRight
    ? []
    : [`the deletion ${mark} was ${outcome}, and ${gone} of ${posts.length} posts are gone`];
}

/** Holds what was answered to the history of each post: nothing acknowledged is lost, nothing refused is there, nothing is done by half or twice. */
export async function brokenHistory(
  { pool }: Pick<Database, 'pool'>,
  journal: Journal,
  { viewer, own }: Stage,
): Promise<string[]> {
  const rows = (await pool.query<Row>(ROWS, [viewer.workspace.id])).rows;
  const revisions = (await pool.query<Revision>(REVISIONS, [viewer.workspace.id])).rows;
  const [byPost, byMark] = [groupBy(revisions, ({ post }) => post), groupBy(revisions, markOf)];
  const children = groupBy(
    rows.filter(({ series }) => series !== null),
    ({ series }) => series!,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts = new Map(rows.map(({ id }) => [id, new Map<number, string>()]));
  const ruled = new Set(own.map((one) => one.ruled));
  const isOfRule = ({ post }: Revision): boolean => ruled.has(byId.get(post)!.series ?? '');
  const rulesOf = ({ posts }: Change): Revision[] =>
    (byPost.get(posts[0]!) ?? []).filter(({ changes }) => changes.recurring !== undefined);
  const marks = new Set(journal.changes.map(({ mark }) => mark));

  return [
    ...rows.flatMap((row) => brokenChain(row, byPost.get(row.id) ?? [], ruled, texts.get(row.id)!)),
    ...journal.changes.flatMap((change) =>
      change.kind === 'delete'
        ? brokenRemoval(change, byId)
        : brokenChange(
            change,
            (byMark.get(change.mark) ?? []).filter((one) => !isOfRule(one)),
            { places: placesOf(change, children), rules: rulesOf(change) },
          ),
    ),
    ...[...byMark.keys()]
      .filter((mark) => mark !== '' && !marks.has(mark))
      .map((mark) => `nobody asked for ${mark}`),
    ...journal.readings.flatMap(({ post, version, text, atLeast }) => {
      if (version < atLeast)
        return [
          `version ${version} of ${post} was shown after version ${atLeast} had been acknowledged`,
        ];
      const saved = texts.get(post)!.get(version);
      return saved === text
        ? []
        : [`version ${version} of ${post} was shown as ${text}, and it was ${saved}`];
    }),
  ];
}
