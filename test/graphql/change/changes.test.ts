import { withGateway } from '../../fixtures/gateway.js';
import { settled } from '../../fixtures/settled.js';
import type { KeyedViewer } from '../../fixtures/records.js';

const gateway = withGateway();

const QUERY = `query ($after: String, $first: Int) {
  changes(after: $after, first: $first) { nodes { kind postId version at post { id text labels { name } state } } nextCursor hasMore }
}`;

/** The same change in both APIs. */
interface Seen {
  readonly kind: string;
  readonly postId: string;
  readonly version: number | null;
  readonly text: string | null;
}
interface SeenPage {
  readonly status: number;
  readonly code: string | null;
  readonly changes: Seen[];
  readonly cursor: string;
  readonly hasMore: boolean;
}
type Reader = (after: string | null, first?: number, as?: KeyedViewer) => Promise<SeenPage>;

const READERS: Record<string, Reader> = {
  async graphql(after, first = 100, as = gateway.owner) {
    const { status, body } = await gateway.graphql(QUERY, { after, first }, { as });
    const { nodes = [], nextCursor, hasMore } = body.data?.changes ?? {};
    return {
      status,
      code: body.errors?.[0].extensions.code ?? null,
      changes: nodes.map((node: any) => ({
        kind: node.kind.toLowerCase(),
        postId: node.postId,
        version: node.version,
        text: node.post && node.post.text,
      })),
      cursor: nextCursor,
      hasMore,
    };
  },
  async rest(after, first = 100, as = gateway.owner) {
    const params = new URLSearchParams({ first: String(first), ...(after !== null && { after }) });
    const { status, body } = await gateway.v1('GET', `/posts/changes?${params}`, { as });
    return {
      status,
      code: body.code ?? null,
      changes: (body.changes ?? []).map((change: any) => ({
        kind: change.kind,
        postId: change.post_id,
        version: change.version,
        text: change.post && change.post.text,
      })),
      cursor: body.next_cursor,
      hasMore: body.has_more,
    };
  },
};

describe.each(Object.entries(READERS))('%s', (_api, readPage) => {
  const read: Reader = async (...args) => {
    await settled(gateway.db.pool);
    return readPage(...args);
  };

  test('a client that starts with the present gets the changes since', async () => {
    const { records, owner } = gateway;
    const [changed, deleted] = [
      await records.aPost({ by: owner }),
      await records.aPost({ by: owner }),
    ];
    const start = await read(null);
    expect([start.changes, start.hasMore]).toEqual([[], false]);
    await gateway.v1('PUT', `/posts/${changed.id}`, { body: { post: { text: 'New' } } });
    await gateway.v1('DELETE', `/posts?post_ids[]=${deleted.id}`);
    const first = await read(start.cursor, 1);
    const second = await read(first.cursor);
    expect([first, second]).toEqual([
      {
        status: 200,
        code: null,
        changes: [{ kind: 'upserted', postId: changed.id, version: 2, text: 'New' }],
        cursor: expect.any(String),
        hasMore: true,
      },
      {
        status: 200,
        code: null,
        changes: [{ kind: 'deleted', postId: deleted.id, version: 1, text: null }],
        cursor: expect.any(String),
        hasMore: false,
      },
    ]);
  });

  test('a client that read a new post from the list gets its deletion', async () => {
    const { records, owner } = gateway;
    const { cursor } = await read(null);
    const post = await records.aPost({ by: owner });
    const { body } = await gateway.v1('GET', '/posts');
    expect(body.posts.map(({ id }: { id: string }) => id)).toContain(post.id);
    await gateway.v1('DELETE', `/posts?post_ids[]=${post.id}`);
    expect((await read(cursor)).changes).toEqual([
      { kind: 'deleted', postId: post.id, version: 1, text: null },
    ]);
  });

  test('another member’s private draft does not come', async () => {
    const { records, owner } = gateway;
    const editor = await records.aViewer({ workspaceId: owner.workspace.id });
    const { cursor } = await read(null);
    const draft = await records.aPost({ by: editor, storedState: 'draft_private_undated' });
    expect((await read(cursor)).changes).toEqual([]);
    expect((await read(cursor, 100, editor)).changes).toEqual([
      expect.objectContaining({ kind: 'upserted', postId: draft.id }),
    ]);
  });

  test('a cursor of another workspace, a modified one and an empty one are malformed', async () => {
    const stranger = await gateway.records.aViewer();
    const { cursor } = await read(null, 100, stranger);
    for (const after of [cursor, `${cursor}x`, ''])
      expect((await read(after)).code).toBe('BAD_USER_INPUT');
  });

  test('a cursor of before the restore of a backup has expired', async () => {
    const { cursor } = await read(null);
    await gateway.db.pool.query('UPDATE database_identity SET identity = gen_random_uuid()');
    const { code, status } = await read(cursor);
    expect([code, status]).toEqual(['CURSOR_EXPIRED', _api === 'rest' ? 410 : 200]);
    expect((await read((await read(null)).cursor)).status).toBe(200);
  });
});

test('the errors name the argument', async () => {
  const [graphql, rest] = [
    await gateway.graphql(QUERY, { after: 'x' }),
    await gateway.v1('GET', '/posts/changes?after=x'),
  ];
  const expected = 'must be an unmodified cursor of this workspace.';
  expect(graphql.body.errors).toEqual([
    expect.objectContaining({
      message: `after ${expected}`,
      path: ['changes'],
      extensions: expect.objectContaining({
        problems: [{ path: ['after'], message: expected }],
      }),
    }),
  ]);
  expect([rest.status, rest.body]).toEqual([
    400,
    { errors: [`after: ${expected}`], code: 'BAD_USER_INPUT', message: `after ${expected}` },
  ]);
});

test('it needs the scope to read posts', async () => {
  const as = await gateway.records.aViewer({ scopes: ['media'] });
  expect((await gateway.graphql(QUERY, {}, { as })).body.errors[0].extensions.code).toBe(
    'MISSING_SCOPE',
  );
  expect((await gateway.v1('GET', '/posts/changes', { as })).status).toBe(403);
});

test('the cost of a page grows with its size, with 100 as the default', async () => {
  const costOf = async (first: string) =>
    (await gateway.graphql(`{ changes${first} { nodes { post { id text } } nextCursor } }`)).body
      .extensions.cost;
  const [one, ten, all] = [
    await costOf('(first: 1)'),
    await costOf('(first: 10)'),
    await costOf(''),
  ];
  expect([JSON.stringify(ten), JSON.stringify(all)]).not.toContain(JSON.stringify(one));
});
