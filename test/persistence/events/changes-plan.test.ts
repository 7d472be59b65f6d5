import type { Post } from '../../../src/domain/posts/post.js';
import { changesStatement } from '../../../src/persistence/events/event-store.js';
import { planOf } from '../posts/plans.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const POSTS = 20_000;
const EVENTS = 100_000;
const LIMIT = 100;
/** Maximum rows of any node: the events of a page with one more, of every partition. */
const FEW = 300;
const FIELDS: ReadonlySet<keyof Post> = new Set(['text', 'account', 'user', 'labels', 'media']);

let services: TestServices;
let viewer: KeyedViewer;
beforeAll(async () => {
  services = await testServices();
  viewer = await services.aViewer();
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  const { sql } = services;
  await sql(
    `INSERT INTO post (id, doc_id, workspace_id, account_id, creator_id, stored_state, type, network, scheduled_at)
     SELECT n, lpad(to_hex(n), 24, '0'), $1, $2, $3, 1, 'status', 'mastodon', date_trunc('second', now()) FROM generate_series(1, ${POSTS}) n`,
    viewer.workspace.id,
    account.id,
    viewer.user.id,
  );
  await sql(
    `INSERT INTO post_body (post_id, text) SELECT n, 'Post ' || n FROM generate_series(1, ${POSTS}) n`,
  );
  // Over the five weeks that have partitions, in this workspace and in nine others.
  await sql(
    `INSERT INTO event (workspace_id, transaction_id, at, type, post_id, doc_id, version, api, changed, state_before, state_after)
     SELECT CASE WHEN n % 2 = 0 THEN $1 ELSE 'wks_' || n % 10 END, 10 + n / 250, now() - interval '7 days' + n * interval '30 seconds', 'post.updated', 1 + n % ${POSTS}, lpad(to_hex(1 + n % ${POSTS}), 24, '0'), 2, 'rest', '{text}', 1, 1
       FROM generate_series(1, ${EVENTS}) n`,
    viewer.workspace.id,
  );
  await sql('ANALYZE post, post_body, event');
});
afterAll(() => services?.database.drop());

it.each([
  ['the oldest', 0n],
  ['the middle', 200n],
  ['the end', 10_000_000n],
])(
  'with its generic plan, a page from %s reads only its events and posts, by their indexes',
  async (_name, transactionId) => {
    const statement = changesStatement(viewer, {
      after: { transactionId, sequence: 0n, at: new Date() },
      limit: LIMIT,
      fields: FIELDS,
    });
    const nodes = await planOf(services.database.pool, statement);
    const large = nodes.filter(({ relation }) =>
      /^(event_\d+|post|post_body)$/.test(relation ?? ''),
    );
    expect(large.filter(({ type }) => !type.startsWith('Index'))).toEqual([]);
    expect(nodes.filter(({ rows }) => rows > FEW)).toEqual([]);
    expect(large.map(({ index }) => index)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^event_\d{8}_pkey$/), 'post_pkey']),
    );
  },
);
