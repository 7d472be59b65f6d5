import type { OpenDatabase } from '../../src/persistence/database.js';
import { changeViolations, deletionViolations, postsToChange } from './change-violations.js';
import type { Change, RequestHistory } from './request-history.js';
import {
  groupBy,
  markOf,
  POSTS_SQL,
  REVISIONS_SQL,
  type PostRow,
  type Revision,
} from './stored-posts.js';
import type { TestPosts } from './test-posts.js';
import { versionChainViolations } from './version-chain.js';

/**
 * Compares the request history with the revisions of each post: nothing acknowledged is lost,
 * nothing rejected is stored, nothing is applied in part or twice.
 */
export async function revisionViolations(
  { pool }: Pick<OpenDatabase, 'pool'>,
  history: RequestHistory,
  { viewer, byClient }: TestPosts,
): Promise<string[]> {
  const rows = (await pool.query<PostRow>(POSTS_SQL, [viewer.workspace.id])).rows;
  const revisions = (await pool.query<Revision>(REVISIONS_SQL, [viewer.workspace.id])).rows;
  const [byPost, byMark] = [groupBy(revisions, ({ post }) => post), groupBy(revisions, markOf)];
  const children = groupBy(
    rows.filter(({ series }) => series !== null),
    ({ series }) => series!,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const texts = new Map(rows.map(({ id }) => [id, new Map<number, string>()]));
  const ruleSeries = new Set(byClient.map((posts) => posts.ruleSeries));
  const isChildOfRuleSeries = ({ post }: Revision): boolean =>
    ruleSeries.has(byId.get(post)!.series ?? '');
  const rulesOf = ({ posts }: Change): Revision[] =>
    (byPost.get(posts[0]!) ?? []).filter(({ changes }) => changes.recurring !== undefined);
  const marks = new Set(history.changes.map(({ mark }) => mark));

  return [
    ...rows.flatMap((row) =>
      versionChainViolations(row, byPost.get(row.id) ?? [], ruleSeries, texts.get(row.id)!),
    ),
    ...history.changes.flatMap((change) =>
      change.kind === 'delete'
        ? deletionViolations(change, byId)
        : changeViolations(
            change,
            (byMark.get(change.mark) ?? []).filter((revision) => !isChildOfRuleSeries(revision)),
            { expectedPosts: postsToChange(change, children), rules: rulesOf(change) },
          ),
    ),
    ...[...byMark.keys()]
      .filter((mark) => mark !== '' && !marks.has(mark))
      .map((mark) => `no request has the mark ${mark}`),
    ...history.readings.flatMap(({ post, version, text, minVersion }) => {
      if (version < minVersion)
        return [
          `version ${version} of ${post} was returned after version ${minVersion} had been acknowledged`,
        ];
      const saved = texts.get(post)!.get(version);
      return saved === text
        ? []
        : [`version ${version} of ${post} was returned with the text ${text}; it has ${saved}`];
    }),
  ];
}
