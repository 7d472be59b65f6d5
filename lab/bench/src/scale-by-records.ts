import { DIALECTS } from './dialects.js';
import type { Request } from './requests.js';
import { compareSides, type Growth, type ScaleContext } from './scale-comparison.js';

const FEW = 100;
const MANY = 10_000;
const dialect = DIALECTS.contract;

/**
 * 10,000 accounts and labels in a workspace, compared with 100 in another. Posts have as few of
 * them as before.
 */
export async function byRecords(context: ScaleContext): Promise<Growth> {
  const {
    targets,
    database: { pool },
  } = context.large.seeded;
  const [few, many] = targets.readers.slice(-2) as [string, string];
  for (const [workspace, count] of [
    [few, FEW],
    [many, MANY],
  ] as const) {
    await pool.query(
      `INSERT INTO account (id, workspace_id, network, type, name, social_id) SELECT 'acc_Scale' || $2::int || '_' || n, $1, 'mastodon', 'page', 'Account ' || n, 'scale' || n FROM generate_series(1, $2::int - (SELECT count(*)::int FROM account WHERE workspace_id = $1)) n`,
      [workspace, count],
    );
    await pool.query(
      `INSERT INTO label (id, workspace_id, name, name_key) SELECT 'lbl_Scale' || $2::int || '_' || n, $1, 'Scale ' || n, 'scale ' || n FROM generate_series(1, $2::int - (SELECT count(*)::int FROM label WHERE workspace_id = $1)) n`,
      [workspace, count],
    );
  }
  try {
    const list = (workspace: string): Request[] => [
      dialect.posts({ workspace }),
      dialect.posts({ workspace, states: ['SCHEDULED'] }),
    ];
    return await compareSides(
      context,
      {
        name: 'Q1 with 10,000 accounts and labels in the workspace, compared with 100, ms',
        from: [context.large, list(few)],
        to: [context.large, list(many)],
      },
      1.1,
    );
  } finally {
    // Without foreign key checks: no row references them, and each check would read all posts.
    await pool.query(
      "BEGIN; SET LOCAL session_replication_role = 'replica'; DELETE FROM account WHERE id LIKE 'acc\\_Scale%'; DELETE FROM label WHERE id LIKE 'lbl\\_Scale%'; COMMIT",
    );
  }
}
