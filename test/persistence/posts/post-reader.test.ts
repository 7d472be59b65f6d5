import type { Viewer } from '../../../src/domain/access/viewer.js';
import { readPostId } from '../../../src/domain/posts/post-id.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { recordStatements, type Statement } from '../../fixtures/statements.js';

let services: TestServices;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services.database.drop());

const FIELDS = new Set(['id', 'text'] as const);

test('reads at the same time share a statement, and each viewer sees what they may see', async () => {
  const author = await services.aViewer();
  const colleague = await services.aViewer({ workspaceId: author.workspace.id });
  const stranger = await services.aViewer();
  const draft = await services.aPost({
    by: author,
    storedState: 'draft_private_undated',
    text: 'secret',
  });
  const others = await Promise.all(
    Array.from({ length: 8 }, (_, n) => services.aPost({ by: author, text: `text ${n}` })),
  );
  const read = (viewer: typeof author, { id }: Pick<Post, 'id'>) =>
    services.store.find(viewer, readPostId(id)!, FIELDS);
  const { result, statements } = await recordStatements(() =>
    Promise.all([
      ...others.map((post) => read(colleague, post)),
      read(author, draft),
      read(colleague, draft),
      read(stranger, others[0]!),
      read(author, { id: '0123456789abcdef01234567' }),
    ]),
  );
  expect(
    result.map((lookup) => (lookup.kind === 'found' ? lookup.post.text : lookup.kind)),
  ).toEqual([
    ...others.map(({ text }) => text),
    'secret',
    'inaccessible',
    'inaccessible',
    'unknown',
  ]);
  expect(statements.filter(({ text }) => text.includes('FROM post p'))).toHaveLength(1);
});

test('reads of other fields have a statement of their own', async () => {
  const viewer = await services.aViewer();
  const post = await services.aPost({ by: viewer });
  const { statements } = await recordStatements(() =>
    Promise.all([
      services.store.find(viewer, readPostId(post.id)!, FIELDS),
      services.store.find(viewer, readPostId(post.id)!, new Set(['id', 'title'])),
    ]),
  );
  expect(statements.filter(({ text }) => text.includes('FROM post p'))).toHaveLength(2);
});

const readList = (viewer: Viewer, ids: readonly (string | number)[]) =>
  services.store.findEach(viewer, ids.map(String).map(readPostId), FIELDS);
/** The document IDs of each statement that reads posts by them. */
const readDocuments = (statements: readonly Statement[]): string[][] =>
  statements
    .filter(({ text }) => text.includes('FROM post p') && text.includes('p.doc_id = ANY'))
    .map(({ values }) => values[0] as string[]);

test('lists that are read at the same time share a statement, and each viewer sees what they may see', async () => {
  const author = await services.aViewer();
  const colleague = await services.aViewer({ workspaceId: author.workspace.id });
  const outsider = await services.aViewer();
  const draft = await services.aPost({ by: author, storedState: 'draft_private_undated' });
  const [first, second] = [
    await services.aPost({ by: author, text: 'first' }),
    await services.aPost({ by: author, text: 'second' }),
  ];
  const foreign = await services.aPost({ by: outsider, text: 'foreign' });
  const unknown = '0123456789abcdef01234567';
  const { result, statements } = await recordStatements(() =>
    Promise.all([
      readList(author, [second.id, draft.id, first.id]),
      readList(colleague, [draft.id, first.id, unknown, 'nonsense', first.id.toUpperCase()]),
      readList(outsider, [first.id, foreign.id]),
      readList(colleague, [foreign.id, second.databaseId, foreign.databaseId, second.id]),
    ]),
  );
  expect(
    result.map((list) =>
      list.map((lookup) => (lookup.kind === 'found' ? lookup.post.text : lookup.kind)),
    ),
  ).toEqual([
    ['second', draft.text, 'first'],
    ['inaccessible', 'first', 'unknown', 'unknown', 'first'],
    ['inaccessible', 'foreign'],
    ['inaccessible', 'second', 'unknown', 'second'],
  ]);
  const [documents, ...others] = readDocuments(statements);
  expect(others).toEqual([]);
  expect(documents!.toSorted()).toEqual(
    [draft.id, first.id, second.id, foreign.id, unknown].toSorted(),
  );
});

test('at most 8 lists share a statement; single posts have statements of their own', async () => {
  const viewer = await services.aViewer();
  const account = await services.anAccount({ workspaceId: viewer.workspace.id });
  const posts = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      services.aPost({ by: viewer, account, text: `text ${n}` }),
    ),
  );
  const lists = Array.from({ length: 20 }, (_, n) => posts.slice(2 * n, 2 * n + 2));
  const { result, statements } = await recordStatements(() =>
    Promise.all([
      readList(viewer, [posts[0]!.id]),
      ...lists.map((list) =>
        readList(
          viewer,
          list.map(({ id }) => id),
        ),
      ),
    ]),
  );
  const textsOf = (list: readonly Post[]) =>
    list.map(({ text }) => ({ kind: 'found', post: expect.objectContaining({ text }) }));
  expect(result).toEqual([posts.slice(0, 1), ...lists].map(textsOf));
  const sizes = readDocuments(statements).map(({ length }) => length);
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 8, 16, 16]);
});

test('lists of other fields, and a list that is read alone, have a statement of their own', async () => {
  const viewer = await services.aViewer();
  const posts = [await services.aPost({ by: viewer }), await services.aPost({ by: viewer })];
  const ids = posts.map(({ id }) => id);
  const { statements } = await recordStatements(async () => {
    await Promise.all([
      readList(viewer, ids),
      services.store.findEach(viewer, ids.map(readPostId), new Set(['id', 'title'] as const)),
    ]);
    // what was read before is not kept
    await services.update(viewer, posts[0]!, { text: 'Later' });
    expect(await readList(viewer, ids)).toMatchObject([
      { kind: 'found', post: { text: 'Later' } },
      { kind: 'found', post: { text: posts[1]!.text } },
    ]);
  });
  const lists = readDocuments(statements).filter(({ length }) => length > 1);
  expect(lists).toEqual([ids, ids, ids]);
});
