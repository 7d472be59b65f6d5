import { createHistoryStore } from '../../../src/persistence/history/history-store.js';
import { recordStatements } from '../../fixtures/statements.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { planOf } from '../posts/plans.js';

const POSTS = 20_000;
const VERSIONS = 10;
const READ_POSTS = 20;

let services: TestServices;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services?.database.drop());

test('with its generic plan, a page of histories reads only the rows of its posts, by their indexes', async () => {
  const [owner, { sql }] = [await services.aViewer(), services];
  const editor = await services.aViewer({ workspaceId: owner.workspace.id });
  await sql(
    `INSERT INTO post (id, doc_id, workspace_id, creator_id, stored_state, type, version) SELECT n, lpad(to_hex(n), 24, '0'), $1, $2, 21, 'status', ${VERSIONS} FROM generate_series(1, ${POSTS}) n`,
    owner.workspace.id,
    owner.user.id,
  );
  await sql(
    `INSERT INTO post_body (post_id, text) SELECT n, 'Post' FROM generate_series(1, ${POSTS}) n`,
  );
  await sql(
    `INSERT INTO revision (post_id, version, user_id, at, changes) SELECT n, v, $1, now(), '{"text": {"from": "a", "to": "b"}}' FROM generate_series(1, ${POSTS}) n, generate_series(2, ${VERSIONS}) v`,
    owner.user.id,
  );
  await sql('ANALYZE post, post_body, revision');
  const { result, statements } = await recordStatements(() =>
    createHistoryStore(services.database).read(
      editor,
      Array.from({ length: READ_POSTS }, (_, index) => 1 + index * 100),
      { limit: 5, before: 8 },
    ),
  );
  expect(result.size).toBe(READ_POSTS);
  expect(result.get(1)!.revisions.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2]);
  const [statement] = statements.filter(({ text }) => text.includes('FROM revision'));
  const nodes = await planOf(services.database.pool, statement!);
  const large = nodes.filter(({ relation }) =>
    ['post', 'post_body', 'revision'].includes(relation ?? ''),
  );
  expect(large.filter(({ type }) => !/^(Index|Bitmap)/.test(type))).toEqual([]);
  expect(nodes.filter(({ rows }) => rows > READ_POSTS * VERSIONS)).toEqual([]);
});
