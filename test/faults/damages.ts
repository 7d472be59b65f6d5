import type { Change, RequestHistory } from './request-history.js';

const LAST_CHANGE =
  "SELECT r.post_id FROM revision r WHERE r.changes ? 'text' ORDER BY r.at DESC LIMIT 1";
const LAST_LABELS =
  "SELECT post_id, version FROM revision WHERE changes ? 'labels' ORDER BY post_id, version DESC LIMIT 1";
/** The last of several: the first change of a date defines the initial date. */
const SECOND_DATE =
  "SELECT post_id, max(version) FROM revision WHERE changes ? 'scheduledAt' GROUP BY post_id HAVING count(*) > 1 ORDER BY post_id LIMIT 1";
/** Series whose rule was changed after their creation. */
const RULE_SERIES = "SELECT post_id FROM revision WHERE version > 2 AND changes ? 'recurring'";
const CHILD_OF_RULE_SERIES = `SELECT min(id) FROM post WHERE parent_id IN (${RULE_SERIES}) AND deleted_at IS NULL`;

/** Damage to the database: what it is, the SQL, and the violation that must be reported. */
export const DATA_DAMAGES: readonly (readonly [name: string, sql: string, violation: RegExp])[] = [
  [
    'a lost change',
    `DELETE FROM revision r WHERE r.post_id = (${LAST_CHANGE}) AND r.version = (SELECT p.version FROM post p WHERE p.id = r.post_id)`,
    /^post \S+ is \[(\d+),.*; its revisions give \[(?!\1,)/,
  ],
  [
    'a wrong text',
    `UPDATE post_body SET text = 'first' WHERE post_id = (${LAST_CHANGE})`,
    /is \[\d+,"first",.*; its revisions give \[\d+,"mark \d+"/,
  ],
  [
    'a child missing from a change of its series',
    `WITH child AS (SELECT min(p.id) AS id FROM post p JOIN revision r ON r.post_id = p.id WHERE p.parent_id NOT IN (${RULE_SERIES})),
          removed AS (DELETE FROM revision WHERE post_id = (SELECT id FROM child))
     UPDATE post_body SET text = 'first' WHERE post_id = (SELECT id FROM child)`,
    /^series mark \d+ of \S+ was \w+, and is in (\d+) of (?!\1 )\d+ posts/,
  ],
  [
    'a wrong date',
    "UPDATE post SET scheduled_at = scheduled_at + interval '1 hour' WHERE id = (SELECT post_id FROM revision WHERE changes ? 'scheduledAt' ORDER BY at DESC LIMIT 1)",
    /^post \S+ is \[\d+,"[^"]*","([^"]+)",.*; its revisions give \[\d+,"[^"]*","(?!\1)/,
  ],
  [
    'a version that starts from a wrong date',
    `UPDATE revision SET changes = jsonb_set(changes, '{scheduledAt,from}', '"2026-01-01T00:00:00.000Z"') WHERE (post_id, version) = (${SECOND_DATE})`,
    /starts from the date 2026-01-01T00:00:00.000Z; the previous version has/,
  ],
  [
    'lost labels',
    `UPDATE revision SET changes = jsonb_set(changes, '{labels,to}', (changes #> '{labels,to}') - 1) WHERE (post_id, version) = (${LAST_LABELS})`,
    /^labels mark \d+ should set the labels to mark \d+,mark \d+ too, but set mark \d+$/,
  ],
  [
    'a wrong last day of a series',
    "UPDATE revision SET changes = jsonb_set(changes, '{recurring,to,endDate}', '\"2026-01-01T00:00:00Z\"') WHERE version > 2 AND changes ? 'recurring'",
    /^rule mark \d+ should set the last day to \S+, but set 2026-01-01$/,
  ],
  [
    'a missing child of a series',
    `UPDATE post SET deleted_at = now() WHERE id = (${CHILD_OF_RULE_SERIES})`,
    /^the series \S+ has the children .*; its rule gives/,
  ],
  [
    'a missing version',
    `UPDATE post SET version = version + 1 WHERE id = (${LAST_CHANGE})`,
    /^post \S+ is \[\d+,.*; its revisions give/,
  ],
  [
    'a version that starts from wrong labels',
    `UPDATE revision SET changes = jsonb_set(changes, '{labels,from}', '[{"name":"other"}]') WHERE (post_id, version) = (${LAST_LABELS})`,
    /starts from the labels other; the previous version has/,
  ],
  [
    'a deleted post',
    'UPDATE post SET deleted_at = now() WHERE id = (SELECT min(post_id) FROM cap_slot)',
    /^unneeded cap slot/,
  ],
  [
    'a missing cap slot',
    'DELETE FROM cap_slot WHERE post_id = (SELECT min(post_id) FROM cap_slot)',
    /^missing cap slot/,
  ],
  [
    'a wrong count',
    'UPDATE post_count SET posts = posts + 1 WHERE stored_state = 1 AND slot = (SELECT min(slot) FROM post_count WHERE stored_state = 1)',
    /^post_count has 1 more posts in stored state 1 than the post table/,
  ],
  [
    'a wrong count by account',
    `INSERT INTO post_count_change (workspace_id, account_id, creator_id, network, type, stored_state, posts) SELECT workspace_id, account_id, '', network::text, type, 1, 1 FROM post WHERE id = (${LAST_CHANGE})`,
    /^post_count_detail has 1 more posts of type \S+ of account acc_\S+ than the post table/,
  ],
  [
    'an outdated search index',
    `UPDATE post_search SET normal = 'old' WHERE post_id = (${LAST_CHANGE})`,
    /^the search index has old for post/,
  ],
  [
    'a lost job',
    "DELETE FROM job WHERE id = (SELECT min(id) FROM job WHERE kind = 'network_edit')",
    /^post \S+ has the versions .* and jobs for/,
  ],
  [
    'a wrong text on the network',
    'UPDATE sandbox_post SET fields = fields || \'{"text":"first"}\' WHERE edits > 0',
    /^post \S+ has .* its network shows first/,
  ],
];

/** A copy of the history in which the first matching change has another result. */
const withChangedRecord = (
  history: RequestHistory,
  matches: (change: Change) => boolean,
  result: (change: Change) => Partial<Change>,
): RequestHistory => {
  const index = history.changes.findIndex(matches);
  return {
    ...history,
    changes: history.changes.with(index, {
      ...history.changes[index]!,
      ...result(history.changes[index]!),
    }),
  };
};
/** Damage to the request history, and the violation that must be reported. */
export const HISTORY_DAMAGES: readonly (readonly [
  name: string,
  damage: (history: RequestHistory) => RequestHistory,
  violation: RegExp,
])[] = [
  [
    'another version',
    (history) =>
      withChangedRecord(
        history,
        ({ kind, outcome }) => kind === 'text' && outcome === 'acknowledged',
        ({ version }) => ({ version: version! + 1 }),
      ),
    /^text mark \d+ was acknowledged as version \d+ of \S+, but made version \d+$/,
  ],
  [
    'a version that does not follow the expected one',
    (history) =>
      withChangedRecord(
        history,
        ({ kind, outcome }) => kind === 'versioned' && outcome === 'acknowledged',
        ({ version }) => ({ expectedVersion: version! - 2 }),
      ),
    /^versioned mark \d+ of \S+ expected version \d+ and was acknowledged as version/,
  ],
  [
    'a change that is not stored',
    (history) =>
      withChangedRecord(
        history,
        ({ kind, outcome }) => kind === 'text' && outcome === 'acknowledged',
        () => ({ mark: 'elsewhere' }),
      ),
    /^text elsewhere of \S+ was acknowledged, and is in 0 of 1 posts$/,
  ],
  [
    'a rejection of a change that is stored',
    (history) =>
      withChangedRecord(
        history,
        ({ outcome }) => outcome === 'acknowledged',
        () => ({ outcome: 'rejected' }),
      ),
    / was rejected, and is in \d+ of \d+ posts$/,
  ],
  [
    'another date',
    (history) =>
      withChangedRecord(
        history,
        ({ kind, outcome }) => kind === 'date' && outcome === 'acknowledged',
        () => ({ scheduledAt: '2026-01-01T00:00:00Z' }),
      ),
    /^date mark \d+ should set the date to 2026-01-01T00:00:00.000Z, but set/,
  ],
  [
    'a job that does not exist',
    (history) =>
      withChangedRecord(
        history,
        ({ job }) => job !== null,
        () => ({ job: 'no-job' }),
      ),
    /^the job no-job of mark \d+ does not exist$/,
  ],
];
