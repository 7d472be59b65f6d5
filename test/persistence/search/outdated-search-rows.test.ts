import type { Post } from '../../../src/domain/posts/post.js';
import { createOutdatedSearchRows } from '../../../src/persistence/search/outdated-search-rows.js';
import { dataInconsistencies } from '../../fixtures/data-inconsistencies.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { ALL, idsOf, NEWEST } from '../posts/post-list-data.js';

let services: TestServices;
let by: KeyedViewer;
beforeEach(async () => {
  services = await testServices();
  by = await services.aViewer();
});
afterEach(() => services?.database.drop());

async function foundBy(query: string, groupIds?: string[]): Promise<string[]> {
  const page = await services.store.list(
    by,
    {
      filter: { query, ...(groupIds && { groupIds }) },
      order: NEWEST,
      slice: { kind: 'window', limit: 1000, fromEnd: false },
    },
    ALL,
  );
  return idsOf(page.posts).sort();
}

/** Writes the row of a post as the release before the current rules did. */
const writeOldRow = ({ databaseId }: Pick<Post, 'databaseId'>, words: readonly string[]) =>
  services.sql(
    `UPDATE post_search SET normal = $2, tokens = ARRAY(SELECT left(tokens[2], 5) || word FROM unnest($3::text[]) word) WHERE post_id = $1`,
    databaseId,
    ` ${words.join(' ')} `,
    words,
  );

const rewrite = (): Promise<number> =>
  createOutdatedSearchRows(services.database.pool).rewrite(60_000);

test('rows of the previous release are found by whole words, and after they are rewritten by the current rules', async () => {
  const rows = [
    ['Catalog of Müller', ['catalog', 'of', 'muller']],
    ['A cat', ['a', 'cat']],
  ] as const;
  const [catalog, cat] = await Promise.all(
    rows.map(([text]) => services.aPost({ by, text, question: 'Which?', groupId: 'grp_old' })),
  );
  const current = await services.aPost({ by, text: 'Cats', groupId: 'grp_old' });
  await writeOldRow(catalog!, rows[0][1]);
  await writeOldRow(cat!, rows[1][1]);

  const ids = (...posts: (Post | undefined)[]): string[] => posts.map((post) => post!.id).sort();
  const expectFound = async (query: string, expected: string[]): Promise<void> => {
    expect([query, await foundBy(query)]).toEqual([query, expected]);
    expect([query, await foundBy(query, ['grp_old'])]).toEqual([query, expected]);
  };
  await expectFound('cat', ids(cat, current));
  await expectFound('"a cat"', ids(cat));
  await expectFound('"of muller"', ids(catalog));
  await expectFound('mueller', []);
  await expectFound('which', []);
  await expectFound('-cat', ids(catalog));
  await expectFound('muller -cat', ids(catalog));
  await expectFound('!', []);

  expect(await rewrite()).toBe(2);
  await expectFound('cat', ids(catalog, cat, current));
  await expectFound('mueller', ids(catalog));
  await expectFound('which', ids(catalog, cat));
  await expectFound('-cat', []);
  expect(await dataInconsistencies(services.database.pool, [by])).toEqual([]);
  expect(await rewrite()).toBe(0);
});

test('several processes rewrite each row once, also those of deleted posts', async () => {
  const account = await services.anAccount({ workspaceId: by.workspace.id });
  const posts: Post[] = [];
  for (let n = 0; n < 130; n += 1)
    posts.push(await services.aPost({ by, account, text: `Number ${n}` }));
  await services.sql("UPDATE post_search SET tokens = tokens[2:], normal = 'old'");
  await services.remove(by, [posts[0]!.id]);
  const [one, other] = await Promise.all([rewrite(), rewrite()]);
  expect(one + other).toBe(130);
  expect(
    await services.sql("SELECT FROM post_search WHERE tokens[1] <> '2' OR normal = 'old'"),
  ).toEqual([]);
  expect(await dataInconsistencies(services.database.pool, [by])).toEqual([]);
});

test('a row that the previous release writes again is rewritten again', async () => {
  const post = await services.aPost({ by, text: 'First' });
  await writeOldRow(post, ['second']);
  await services.sql("UPDATE post_body SET text = 'Second' WHERE post_id = $1", post.databaseId);
  expect(await foundBy('first')).toEqual([]);
  expect(await foundBy('second')).toEqual([post.id]);
  expect(await foundBy('sec')).toEqual([]);
  expect(await rewrite()).toBe(1);
  expect(await foundBy('sec')).toEqual([post.id]);
});

test('a row that a change has locked is left to the next run', async () => {
  const [locked, free] = [await services.aPost({ by }), await services.aPost({ by })];
  await services.sql('UPDATE post_search SET tokens = tokens[2:]');
  const client = await services.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM post_search WHERE post_id = $1 FOR UPDATE', [locked.databaseId]);
  expect(await rewrite()).toBe(1);
  await client.query('ROLLBACK');
  client.release();
  expect(await rewrite()).toBe(1);
  expect(free.databaseId).not.toBe(locked.databaseId);
});
