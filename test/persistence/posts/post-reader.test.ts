import type { Viewer } from '../../../src/domain/access/viewer.js';
import { readPostId } from '../../../src/domain/posts/post.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { withServices } from '../../fixtures/services.js';
import { recordStatements } from '../../fixtures/statements.js';

const services = withServices();

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

test('of a list of IDs, each viewer sees what they may see', async () => {
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
  const result = await Promise.all([
    readList(author, [second.id, draft.id, first.id]),
    readList(colleague, [draft.id, first.id, unknown, 'nonsense', first.id.toUpperCase()]),
    readList(outsider, [first.id, foreign.id]),
    readList(colleague, [foreign.id, second.databaseId, foreign.databaseId, second.id]),
  ]);
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
});
