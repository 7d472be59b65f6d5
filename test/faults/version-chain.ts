import { labelNames, type PostRow, type Revision } from './stored-posts.js';

/** Text of a new test post. */
const FIRST_TEXT = 'first';

/**
 * Text and date of version 1: as the first change of each found them. Children of a series whose
 * rule is changed start with the text that the series had then.
 */
const firstVersionOf = (
  { date, text, series }: PostRow,
  revisions: readonly Revision[],
  ruleSeries: ReadonlySet<string>,
): { text: string; date: string } => ({
  date:
    revisions.find(({ changes }) => changes.scheduledAt)?.changes.scheduledAt?.from ??
    date.toISOString(),
  text: ruleSeries.has(series ?? '')
    ? (revisions.find(({ changes }) => changes.text)?.changes.text?.from ?? text)
    : FIRST_TEXT,
});

/**
 * Versions must have no gaps, each must start from the previous one, and the last must match the
 * stored post. Adds the text of each version to `texts`.
 */
export function versionChainViolations(
  row: PostRow,
  revisions: readonly Revision[],
  ruleSeries: ReadonlySet<string>,
  texts: Map<number, string>,
): string[] {
  const violations: string[] = [];
  let { text, date } = firstVersionOf(row, revisions, ruleSeries);
  let labels: string[] = [];
  texts.set(1, text);
  revisions.forEach(({ version, changes }, index) => {
    if (version !== index + 2)
      violations.push(`post ${row.id} has version ${version} at position ${index + 2}`);
    if (changes.text && changes.text.from !== text)
      violations.push(
        `version ${version} of post ${row.id} starts from the text ${changes.text.from}; the previous version has ${text}`,
      );
    if (changes.labels && labelNames(changes.labels.from).join() !== labels.join())
      violations.push(
        `version ${version} of post ${row.id} starts from the labels ${labelNames(changes.labels.from).join()}; the previous version has ${labels.join()}`,
      );
    if (changes.scheduledAt && changes.scheduledAt.from !== date)
      violations.push(
        `version ${version} of post ${row.id} starts from the date ${changes.scheduledAt.from}; the previous version has ${date}`,
      );
    text = changes.text?.to ?? text;
    date = changes.scheduledAt?.to ?? date;
    labels = changes.labels ? labelNames(changes.labels.to) : labels;
    texts.set(version, text);
  });
  const [saved, expected] = [
    [row.version, row.text, row.date.toISOString(), row.labels],
    [revisions.length + 1, text, date, labels],
  ].map((state) => JSON.stringify(state));
  return saved === expected
    ? violations
    : [...violations, `post ${row.id} is ${saved}; its revisions give ${expected}`];
}
