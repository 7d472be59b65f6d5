import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, type GraphQLObjectType } from 'graphql';
import { publicName } from '../../../src/domain/events/events-of.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { createPostStore } from '../../../src/persistence/posts/post-store.js';
import { aPost } from '../../fixtures/posts.js';
import { withGateway } from '../../fixtures/gateway.js';
import { recordStatements } from '../../fixtures/statements.js';
import { moveToState } from '../../fixtures/move-to-state.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const gateway = withGateway();
const SDL = path.resolve(__dirname, '../../../src/graphql/schema.graphql');

const QUERY = `query ($id: ID!, $first: Int, $after: String) {
  post(id: $id) { history(first: $first, after: $after) {
    nodes { version type at user { id name } api note changes { field before after } }
    pageInfo { hasNextPage endCursor }
  } }
}`;
const graphqlHistory = async (id: string, as = gateway.owner, args: object = {}) => {
  const { body } = await gateway.graphql(QUERY, { id, ...args }, { as });
  return body;
};
const graphqlEntries = async (id: string, as?: KeyedViewer): Promise<any[]> =>
  (await graphqlHistory(id, as)).data.post.history.nodes;
const v1Entries = async (id: string, as = gateway.owner): Promise<any[]> =>
  (await gateway.v1('GET', `/posts/${id}/history`, { as })).body.history;

const update = (id: string, post: object, as = gateway.owner) =>
  gateway.v1('PUT', `/posts/${id}`, { body: { post }, as });
const moveTo = (by: KeyedViewer, { id }: Post, to: StoredState): Promise<void> =>
  moveToState(createPostStore(gateway.db), by, {
    id,
    to,
    text: `At ${to}`,
    note: 'Look at this',
  });

test('it tells who changed which fields, when and through which API, newest first, in both APIs', async () => {
  const { records, owner } = gateway;
  const editor = await records.aViewer({ workspaceId: owner.workspace.id, postActions: true });
  const post = await records.aPost({ by: owner, text: 'Old' });
  await update(post.id, { text: 'New', labels: [{ name: 'news', color: '#123456' }] });
  const at = '2030-05-01T10:00:00Z';
  await gateway.graphql(
    'mutation ($id: ID!, $at: DateTime!) { updatePost(input: {id: $id, post: {scheduledAt: $at}}) { userErrors { message } } }',
    { id: post.id, at },
    { as: editor },
  );
  const label = { id: expect.stringMatching(/^lbl_/), name: 'news', color: '#123456' };
  const user = ({ id, name }: KeyedViewer['user']) => ({ id, name });
  const entry = { at: expect.any(String), note: null };
  expect(await graphqlEntries(post.id)).toEqual([
    {
      ...entry,
      version: 3,
      type: 'POST_UPDATED',
      user: user(editor.user),
      api: 'GRAPHQL',
      changes: [
        {
          field: 'scheduledAt',
          before: post.scheduledAt!.toISOString(),
          after: '2030-05-01T10:00:00.000Z',
        },
      ],
    },
    {
      ...entry,
      version: 2,
      type: 'POST_UPDATED',
      user: user(owner.user),
      api: 'REST',
      changes: [
        { field: 'text', before: 'Old', after: 'New' },
        { field: 'labels', before: [], after: [label] },
      ],
    },
    {
      ...entry,
      version: 1,
      type: 'POST_CREATED',
      user: user(owner.user),
      api: 'GRAPHQL',
      changes: [],
    },
  ]);
  const [newest, middle, oldest] = await v1Entries(post.id);
  expect(newest).toEqual({
    version: 3,
    type: 'post.updated',
    at: expect.stringMatching(/\+00:00$/),
    user: { ...user(editor.user), picture: null },
    api: 'graphql',
    note: null,
    changes: [
      {
        field: 'scheduled_at',
        before: expect.stringMatching(/\+00:00$/),
        after: '2030-05-01T10:00:00+00:00',
      },
    ],
  });
  expect([middle.changes[1].field, oldest.type]).toEqual(['labels', 'post.created']);
});

test('objects are shown as in the post: links, recurrence and recycling', async () => {
  const { owner, records } = gateway;
  const post = await records.aPost({ by: owner, type: 'link', url: 'https://example.com/a' });
  await update(post.id, { link: { title: 'Title', call_to_action: 'Buy' } });
  await update(post.id, { recurring: { repeat: 'weekly', days_of_week: [0] } });
  const [series, link] = await graphqlEntries(post.id);
  expect([series.type, link.changes]).toEqual([
    'POST_UPDATED',
    [
      {
        field: 'link',
        before: null,
        after: expect.objectContaining({ title: 'Title', callToAction: 'Buy' }),
      },
    ],
  ]);
  expect(series.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'state', before: 'SCHEDULED', after: 'RECURRING' }),
      {
        field: 'recurring',
        before: null,
        after: expect.objectContaining({
          frequency: 'weekly',
          repeatEvery: 1,
          weekdays: ['monday'],
        }),
      },
    ]),
  );
  const [v1Series, v1Link] = await v1Entries(post.id);
  expect(v1Link.changes[0].after).toMatchObject({ title: 'Title', call_to_action: 'Buy' });
  expect(v1Series.changes).toEqual(
    expect.arrayContaining([{ field: 'state', before: 'scheduled', after: 'recurring' }]),
  );
});

test('for other members it begins where the post became visible to them, without the values before', async () => {
  const { owner, records } = gateway;
  const creator = await records.aViewer({ workspaceId: owner.workspace.id });
  const draft = await records.aPost({ by: creator, storedState: 'draft_private_undated' });
  await update(draft.id, { text: 'Secret' }, creator);
  expect((await graphqlHistory(draft.id)).errors[0].extensions.code).toBe('FORBIDDEN');
  expect((await gateway.v1('GET', `/posts/${draft.id}/history`)).status).toBe(403);
  await moveTo(creator, draft, 'draft_undated');
  await update(draft.id, { text: 'Public' });
  const versionsOf = (entries: any[]) => entries.map(({ version, type }) => [version, type]);
  expect(versionsOf(await graphqlEntries(draft.id, creator))).toEqual([
    [4, 'POST_UPDATED'],
    [3, 'POST_UPDATED'],
    [2, 'POST_UPDATED'],
    [1, 'POST_CREATED'],
  ]);
  for (const entries of [await graphqlEntries(draft.id), await v1Entries(draft.id)]) {
    expect(entries.map(({ version }) => version)).toEqual([4, 3]);
    expect(JSON.stringify(entries)).not.toContain('Secret');
    expect(entries[1]).toMatchObject({
      note: 'Look at this',
      changes: [
        { field: 'state', before: null },
        { field: 'text', before: null, after: 'At draft_undated' },
      ],
    });
  }
  await moveTo(creator, draft, 'draft_private_undated');
  await moveTo(creator, draft, 'draft_public_undated');
  expect(versionsOf(await graphqlEntries(draft.id))).toEqual([[6, 'POST_UPDATED']]);
});

test('pages follow each other, and cursors of another post are rejected', async () => {
  const { owner, records } = gateway;
  const [post, other] = [await records.aPost({ by: owner }), await records.aPost({ by: owner })];
  for (const text of ['A', 'B', 'C']) await update(post.id, { text });
  const seen: number[][] = [];
  let after: string | null = null;
  for (let hasNextPage = true; hasNextPage;) {
    const { history }: any = (await graphqlHistory(post.id, owner, { first: 2, after })).data.post;
    seen.push(history.nodes.map(({ version }: any) => version));
    ({ hasNextPage, endCursor: after } = history.pageInfo);
  }
  expect(seen).toEqual([
    [4, 3],
    [2, 1],
  ]);
  const first = (await graphqlHistory(post.id, owner, { first: 2 })).data.post.history.pageInfo;
  for (const cursor of [first.endCursor, 'x'])
    expect(
      (await graphqlHistory(other.id, owner, { after: cursor })).errors[0].extensions,
    ).toMatchObject({ code: 'BAD_USER_INPUT', problems: [{ path: ['after'] }] });
  const v1 = async (query: string) =>
    (await gateway.v1('GET', `/posts/${post.id}/history?${query}`)).body;
  const [page, next] = [await v1('first=3'), await v1('first=3&before=2')];
  expect([page.history.map(({ version }: any) => version), page.has_more]).toEqual([
    [4, 3, 2],
    true,
  ]);
  expect([next.history.map(({ version }: any) => version), next.has_more]).toEqual([[1], false]);
  expect((await v1('first=0&before=0')).errors).toEqual([
    'before: must be an integer from 1 to 2147483647',
    'first: must be an integer from 1 to 100',
  ]);
});

test('histories of many posts are read with one statement, and their cost counts toward the limit', async () => {
  const query = (posts: number, entries: number) =>
    gateway.graphql(
      `{ posts(first: ${posts}) { nodes { history(first: ${entries}) { nodes { version } } } } }`,
    );
  const { result, statements } = await recordStatements(() => query(10, 10));
  expect(result.body.data.posts.nodes.length).toBeGreaterThan(1);
  expect(statements.filter(({ text }) => text.includes('FROM revision'))).toHaveLength(1);
  expect((await query(100, 100)).body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
});

test('a change of an earlier release has the type that follows from its states, and no API', async () => {
  const { owner, records } = gateway;
  const post = await records.aPost({ by: owner });
  await update(post.id, { text: 'New' });
  await gateway.db.pool.query('UPDATE revision SET type = NULL, api = NULL WHERE post_id = $1', [
    post.databaseId,
  ]);
  await gateway.db.pool.query('UPDATE post_body SET created_api = NULL WHERE post_id = $1', [
    post.databaseId,
  ]);
  expect((await graphqlEntries(post.id)).map(({ type, api }) => [type, api])).toEqual([
    ['POST_UPDATED', 'SERVICE'],
    ['POST_CREATED', 'SERVICE'],
  ]);
});

test('a change names fields of posts only, each with two different values', async () => {
  const { records, owner } = gateway;
  const post = await records.aPost({ by: owner, storedState: 'draft_public_dated' });
  await gateway.graphql(
    'mutation ($id: ID!) { updatePost(input: {id: $id, post: {scheduledAt: null, title: "Title"}}) { userErrors { message } } }',
    { id: post.id },
  );
  const [entry] = await graphqlEntries(post.id);
  expect(entry.changes).toEqual([
    { field: 'title', before: null, after: 'Title' },
    { field: 'scheduledAt', before: post.scheduledAt!.toISOString(), after: null },
  ]);
});

test('every property of a post has the name of a field, or none', () => {
  const type = buildSchema(readFileSync(SDL, 'utf8')).getType('Post') as GraphQLObjectType;
  const fields = type.getFields();
  const names = Object.keys(aPost()).flatMap((key) => publicName(key as keyof Post) ?? []);
  expect(names.filter((name) => !Object.hasOwn(fields, name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['state', 'parent', 'text', 'scheduledAt', 'auto']));
});
