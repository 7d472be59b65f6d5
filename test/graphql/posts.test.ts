import type { KeyedViewer } from '../fixtures/records.js';
import { openDoor, type Reply } from './asking.js';

let door: Awaited<ReturnType<typeof openDoor>>;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  door = await openDoor();
  owner = await door.records.aViewer({ role: 'owner' });
  editor = await door.records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' });
});
afterAll(() => door.database.drop());

const update = (viewer: KeyedViewer, input: object): Promise<Reply> =>
  door.ask(
    viewer,
    `mutation($input: UpdatePostInput!) {
  updatePost(input: $input) { post { id version text title labels { name } } job { kind status post { id } } userErrors { code message field postId rule } clientMutationId } }`,
    { input },
  );
const remove = (viewer: KeyedViewer, input: object): Promise<Reply> =>
  door.ask(
    viewer,
    `mutation($input: DeletePostsInput!) {
  deletePosts(input: $input) { deletedIds results { id deleted code } userErrors { code field postId } clientMutationId } }`,
    { input },
  );

describe('a list', () => {
  it('walks forward and backward over the same posts', async () => {
    const viewer = await door.records.aViewer({ role: 'owner' });
    const account = await door.records.anAccount({ workspaceId: viewer.workspace.id });
    for (const day of [3, 1, 4, 2, 5])
      await door.records.aPost({
        by: viewer,
        account,
        scheduledAt: new Date(`2030-01-0${day}T10:00:00Z`),
        text: String(day),
      });
    await door.records.aPost({ by: viewer, cell: 'draft_undated', text: 'undated' });
    const PART =
      '{ nodes { text } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }';
    const page = async (args: string) =>
      (await door.ask(viewer, `{ posts(${args}) ${PART} }`)).data.posts;
    const texts = (part: { nodes: { text: string }[] }) => part.nodes.map(({ text }) => text);

    const first = await page('first: 2');
    expect({
      texts: texts(first),
      total: first.totalCount,
      next: first.pageInfo.hasNextPage,
      previous: first.pageInfo.hasPreviousPage,
    }).toEqual({ texts: ['5', '4'], total: 6, next: true, previous: false });
    const second = await page(`first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(texts(second)).toEqual(['3', '2', '1']);
    expect(texts(await page(`first: 3, after: "${second.pageInfo.endCursor}"`))).toEqual([
      'undated',
    ]);
    expect(texts(await page(`last: 2, before: "${second.pageInfo.startCursor}"`))).toEqual([
      '5',
      '4',
    ]);
    expect(texts(await page('orderBy: { direction: ASC }, last: 2'))).toEqual(['5', 'undated']);
    expect(
      (
        await door.ask(
          viewer,
          `{ posts(orderBy: { field: CREATED_AT }, after: "${first.pageInfo.endCursor}") { totalCount } }`,
        )
      ).codes,
    ).toEqual(['BAD_USER_INPUT']);
  });

  it('narrows, counts and gives facets', async () => {
    const viewer = await door.records.aViewer({ role: 'owner' });
    const label = await door.records.aLabel({ workspaceId: viewer.workspace.id, name: 'spring' });
    await door.records.aPost({ by: viewer, labels: [label], text: 'tulips bloom' });
    await door.records.aPost({ by: viewer, cell: 'published_posted' });
    await door.records.aPost({ by: viewer, cell: 'draft_private_undated' });
    const stranger = await door.records.aViewer({
      workspaceId: viewer.workspace.id,
      role: 'admin',
    });
    const facets = 'facets { exact states { state count } labels { label { id name } count } }';
    const { data } = await door.ask(
      stranger,
      `{ all: posts { totalCount ${facets} } tulips: posts(filter: { query: "TULIPS", labelIds: ["${label.id}"] }) { nodes { labels { name } } } }`,
    );
    expect(data.all.totalCount).toBe(2);
    expect(data.all.facets.exact).toBe(true);
    expect(new Set(data.all.facets.states)).toEqual(
      new Set([
        { state: 'SCHEDULED', count: 1 },
        { state: 'PUBLISHED_POSTED', count: 1 },
      ]),
    );
    expect(data.all.facets.labels).toEqual([{ label: { id: label.id, name: 'spring' }, count: 1 }]);
    expect(data.tulips.nodes).toEqual([{ labels: [{ name: 'spring' }] }]);
  });

  it.each([
    ['{ posts(filter: { accountIds: ["acc_none", "x\\u0000"] }) { totalCount } }'],
    ['{ posts(filter: { memberId: "1" }) { totalCount } }'],
    ['{ posts(filter: { labelIds: ["lbl_none"] }) { totalCount } }'],
  ])('matches nothing with unknown ids: %s', async (query) =>
    expect((await door.ask(owner, query)).data).toEqual({ posts: { totalCount: 0 } }),
  );

  it('names every problem of a filter', async () => {
    const { errors } = await door.ask(
      owner,
      'query($f: PostFilter) { posts(filter: $f) { totalCount } }',
      { f: { from: '2030-01-02T00:00:00Z', to: '2030-01-01T00:00:00Z', query: 'a\0b' } },
    );
    expect(errors[0].extensions).toEqual({
      code: 'BAD_USER_INPUT',
      problems: [
        { path: ['filter', 'from'], message: 'filter.from must not be after filter.to.' },
        {
          path: ['filter', 'query'],
          message: 'filter.query must be text without NUL characters and lone surrogates.',
        },
      ],
    });
  });

  it.each(['2026-02-30T10:00:00Z', '2026-01-01T10:00:00', '2026-01-01', 'yesterday'])(
    'takes no %s for a time',
    async (from) => {
      expect(
        (
          await door.ask(
            owner,
            'query($from: DateTime) { posts(filter: { from: $from }) { totalCount } }',
            { from },
          )
        ).codes,
      ).toEqual(['BAD_USER_INPUT']);
    },
  );
});

describe('one post', () => {
  it('is found by either id, with everything it has', async () => {
    const media = await door.records.aMedia({ workspaceId: owner.workspace.id, altText: 'A dog.' });
    const post = await door.records.aPost({
      by: owner,
      type: 'link',
      url: 'https://example.com/a',
      link: { originalTitle: 'A' },
      media: [media],
      details: { comment: true },
    });
    const { data, errors } = await door.ask(
      owner,
      `{ post(id: "${post.databaseId}") { id url link { url title imageUrl } media { altText } details { comment sponsor { id } } user { id }
      sublinks { url } location { id } recycling { gap } recurring { frequency } analytics { reach } networkSync { status } parent { id } occurrences { totalCount nodes { id } }
      featuredMedia { id } content { type } options tags categories editability { field allowed } deletability { allowed code } account { provider dailyCaps { postKind limit used remaining } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.post).toMatchObject({
      id: post.id,
      url: 'https://example.com/a',
      link: { url: 'https://example.com/a', title: 'A', imageUrl: null },
      media: [{ altText: 'A dog.' }],
      details: { comment: true, sponsor: null },
      parent: null,
      occurrences: { totalCount: 0, nodes: [] },
      deletability: { allowed: true, code: null },
      account: {
        provider: 'MASTODON',
        dailyCaps: [{ postKind: 'post', limit: 100, used: 0, remaining: 100 }],
      },
    });
    expect(data.post.editability).toHaveLength(21);
  });

  it('is null with a code where it is unknown or elsewhere', async () => {
    const other = await door.records.aPost({ by: await door.records.aViewer({ role: 'owner' }) });
    const draft = await door.records.aPost({ by: editor, cell: 'draft_private_undated' });
    for (const [id, code] of [
      ['f'.repeat(24), 'POST_NOT_FOUND'],
      ['0', 'POST_NOT_FOUND'],
      ['\\u0000', 'POST_NOT_FOUND'],
      [other.id, 'FORBIDDEN'],
      [draft.id, 'FORBIDDEN'],
    ]) {
      const { data, codes } = await door.ask(owner, `{ post(id: "${id}") { id } }`);
      expect({ id, data, codes }).toEqual({ id, data: { post: null }, codes: [code] });
    }
  });

  it('is null through node for strangers, elsewhere and by its relational id', async () => {
    const draft = await door.records.aPost({ by: editor, cell: 'draft_private_undated' });
    const ids = [
      draft.id,
      String(draft.databaseId),
      'f'.repeat(24),
      'acc_none',
      'usr_none',
      'wks_none',
      'lbl_none',
      'med_none',
      'job_none',
      'ntf_none',
      'key_none',
      '',
      'x\0',
    ];
    const { data, errors } = await door.ask(
      owner,
      'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { ids },
    );
    expect({ nodes: data.nodes, errors }).toEqual({
      nodes: ids.map(() => null),
      errors: undefined,
    });
    expect(
      (
        await door.ask(
          editor,
          `{ node(id: "${draft.id}") { __typename ... on Post { text state } } }`,
        )
      ).data.node,
    ).toEqual({ __typename: 'Post', text: draft.text, state: 'DRAFT_PRIVATE' });
    const there = [owner.user.id, owner.workspace.id, draft.id];
    expect(
      (
        await door.ask(editor, 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename } }', {
          ids: there,
        })
      ).data.nodes,
    ).toEqual([{ __typename: 'User' }, { __typename: 'Workspace' }, { __typename: 'Post' }]);
  });
});

describe('a change', () => {
  it('answers with the post as it is now', async () => {
    const post = await door.records.aPost({ by: owner });
    const { data, errors } = await update(owner, {
      id: post.id,
      post: { text: 'new', title: null, labels: [{ name: 'Fresh' }] },
      expectedVersion: 1,
      clientMutationId: 'c1',
    });
    expect(errors).toBeUndefined();
    expect(data.updatePost).toEqual({
      post: { id: post.id, version: 2, text: 'new', title: null, labels: [{ name: 'Fresh' }] },
      job: null,
      userErrors: [],
      clientMutationId: 'c1',
    });
  });

  it('goes to the network as a job', async () => {
    const post = await door.records.aPost({ by: owner, cell: 'published_posted' });
    const { data } = await update(owner, { id: post.id, post: { text: 'corrected' } });
    expect(data.updatePost.job).toEqual({
      kind: 'NETWORK_EDIT',
      status: 'WORKING',
      post: { id: post.id },
    });
    const { data: after } = await door.ask(
      owner,
      `{ post(id: "${post.id}") { networkSync { status job { id status payload failures { id } } } } }`,
    );
    expect(after.post.networkSync).toMatchObject({
      status: 'PENDING',
      job: { status: 'WORKING', payload: { failures: {} }, failures: [] },
    });
    const job = after.post.networkSync.job.id;
    expect(
      (
        await door.ask(
          owner,
          `{ jobStatus(id: "${job}") { id } node(id: "${job}") { __typename } }`,
        )
      ).data,
    ).toEqual({ jobStatus: { id: job }, node: { __typename: 'Job' } });
    expect((await door.ask(owner, '{ jobStatus(id: "job_none") { id } }')).codes).toEqual([
      'JOB_NOT_FOUND',
    ]);
  });

  it('is refused by the law with data, and nothing changed', async () => {
    const post = await door.records.aPost({ by: owner, cell: 'published_posted' });
    const { data, errors } = await update(owner, {
      id: String(post.databaseId),
      post: { excerpt: 'x', duration: 3 },
    });
    expect(errors).toBeUndefined();
    expect(data.updatePost.post).toBeNull();
    expect(
      data.updatePost.userErrors.map(({ code, field, postId }: Record<string, unknown>) => ({
        code,
        field,
        postId,
      })),
    ).toEqual([
      {
        code: 'RULE_VIOLATION',
        field: ['input', 'post', 'excerpt'],
        postId: String(post.databaseId),
      },
      {
        code: 'RULE_VIOLATION',
        field: ['input', 'post', 'duration'],
        postId: String(post.databaseId),
      },
    ]);
    expect(
      (await door.ask(owner, `{ post(id: "${post.id}") { version excerpt } }`)).data.post,
    ).toEqual({ version: 1, excerpt: null });
  });

  it.each([
    ['f'.repeat(24), 'POST_NOT_FOUND'],
    ['x', 'POST_NOT_FOUND'],
  ])('of %s is a userError', async (id, code) => {
    expect((await update(owner, { id, post: { text: 'x' } })).data.updatePost.userErrors).toEqual([
      expect.objectContaining({ code, postId: id, field: null }),
    ]);
  });

  it('names the version or the key that refuses it by its place in the input', async () => {
    const post = await door.records.aPost({ by: owner });
    const fieldOf = async (input: object) =>
      (await update(owner, { id: post.id, ...input })).data.updatePost.userErrors.map(
        ({ field }: { field: string[] }) => field,
      );
    expect(await fieldOf({ post: { text: 'x' }, expectedVersion: 7 })).toEqual([
      ['input', 'expectedVersion'],
    ]);
    expect(await fieldOf({ post: { text: 'x' }, idempotencyKey: 'k' })).toEqual([]);
    expect(await fieldOf({ post: { text: 'y' }, idempotencyKey: 'k' })).toEqual([
      ['input', 'idempotencyKey'],
    ]);
  });

  it('that is malformed names every problem', async () => {
    const post = await door.records.aPost({ by: owner });
    const { errors, data } = await update(owner, {
      id: post.id,
      idempotencyKey: '',
      post: { text: 'a\0b', labels: [{ name: '', color: 'red' }] },
    });
    expect(data).toBeNull();
    const paths = errors[0].extensions.problems.map(({ path }: { path: unknown[] }) =>
      path.join('.'),
    );
    expect(new Set(paths)).toEqual(
      new Set([
        'input.post.text',
        'input.post.labels.0.name',
        'input.post.labels.0.color',
        'input.idempotencyKey',
      ]),
    );
  });

  it('takes several in one request, each seeing the one before', async () => {
    const post = await door.records.aPost({ by: owner });
    const one = (name: string, text: string) =>
      `${name}: updatePost(input: { id: "${post.id}", post: { text: "${text}" } }) { post { text version } }`;
    expect((await door.ask(owner, `mutation { ${one('a', '1')} ${one('b', '2')} }`)).data).toEqual({
      a: { post: { text: '1', version: 2 } },
      b: { post: { text: '2', version: 3 } },
    });
  });
});

describe('a deletion', () => {
  it('has a result for each id', async () => {
    const post = await door.records.aPost({ by: owner });
    const queued = await door.records.aPost({ by: owner, queuedAt: new Date() });
    const { data } = await remove(owner, { ids: [post.id, queued.id, 'x'], clientMutationId: 'd' });
    expect(data.deletePosts).toEqual({
      deletedIds: [post.id],
      clientMutationId: 'd',
      results: [
        { id: post.id, deleted: true, code: null },
        { id: queued.id, deleted: false, code: 'RULE_VIOLATION' },
        { id: 'x', deleted: false, code: 'POST_NOT_FOUND' },
      ],
      userErrors: [
        { code: 'RULE_VIOLATION', field: ['input', 'ids', '1'], postId: queued.id },
        { code: 'POST_NOT_FOUND', field: ['input', 'ids', '2'], postId: 'x' },
      ],
    });
  });

  it.each([[0], [101]])('of %i ids is refused', async (count) => {
    const { errors } = await remove(owner, {
      ids: Array.from({ length: count }, (_, index) => String(index + 1)),
    });
    expect(errors[0]).toMatchObject({
      message: `input.ids must have 1 to 100 ids; it has ${count}.`,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

it('met no fault on the way', () => expect(door.faults).toEqual([]));
