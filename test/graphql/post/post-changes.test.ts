import type { KeyedViewer } from '../../fixtures/records.js';
import { type Reply, withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

const update = (viewer: KeyedViewer, input: object): Promise<Reply> =>
  api.execute(
    viewer,
    `mutation($input: UpdatePostInput!) {
  updatePost(input: $input) { post { id version text title labels { name } } job { kind status post { id } } userErrors { code message field postId rule } clientMutationId } }`,
    { input },
  );
const remove = (viewer: KeyedViewer, input: object): Promise<Reply> =>
  api.execute(
    viewer,
    `mutation($input: DeletePostsInput!) {
  deletePosts(input: $input) { deletedIds results { id deleted code } userErrors { code field postId } clientMutationId } }`,
    { input },
  );

describe('an update', () => {
  it('returns the updated post', async () => {
    const post = await api.records.aPost({ by: owner });
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

  it('is sent to the network by a job', async () => {
    const post = await api.records.aPost({ by: owner, storedState: 'published_posted' });
    const { data } = await update(owner, { id: post.id, post: { text: 'corrected' } });
    expect(data.updatePost.job).toEqual({
      kind: 'NETWORK_EDIT',
      status: 'WORKING',
      post: { id: post.id },
    });
    const { data: after } = await api.execute(
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
        await api.execute(
          owner,
          `{ jobStatus(id: "${job}") { id } node(id: "${job}") { __typename } }`,
        )
      ).data,
    ).toEqual({ jobStatus: { id: job }, node: { __typename: 'Job' } });
    expect((await api.execute(owner, '{ jobStatus(id: "job_none") { id } }')).codes).toEqual([
      'JOB_NOT_FOUND',
    ]);
  });

  it('is rejected with userErrors by domain rules, and nothing changes', async () => {
    const post = await api.records.aPost({ by: owner, storedState: 'published_posted' });
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
      (await api.execute(owner, `{ post(id: "${post.id}") { version excerpt } }`)).data.post,
    ).toEqual({ version: 1, excerpt: null });
  });

  it.each([
    ['f'.repeat(24), 'POST_NOT_FOUND'],
    ['x', 'POST_NOT_FOUND'],
  ])('of %s is a userError', async (id, code) => {
    expect((await update(owner, { id, post: { text: 'x' } })).data.updatePost.userErrors).toEqual([
      expect.objectContaining({ code, postId: id, field: ['input', 'id'] }),
    ]);
  });

  it('reports the path of the version or idempotency key that rejects it', async () => {
    const post = await api.records.aPost({ by: owner });
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

  it('reports every problem if it is malformed', async () => {
    const post = await api.records.aPost({ by: owner });
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

  it('can be repeated in one request, each seeing the previous one', async () => {
    const post = await api.records.aPost({ by: owner });
    const updateField = (name: string, text: string) =>
      `${name}: updatePost(input: { id: "${post.id}", post: { text: "${text}" } }) { post { text version } }`;
    expect(
      (await api.execute(owner, `mutation { ${updateField('a', '1')} ${updateField('b', '2')} }`))
        .data,
    ).toEqual({
      a: { post: { text: '1', version: 2 } },
      b: { post: { text: '2', version: 3 } },
    });
  });
});

describe('a deletion', () => {
  it('returns a result for each ID', async () => {
    const post = await api.records.aPost({ by: owner });
    const queued = await api.records.aPost({ by: owner, queuedAt: new Date() });
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

  it.each([[0], [101]])('of %i IDs is rejected', async (count) => {
    const { errors } = await remove(owner, {
      ids: Array.from({ length: count }, (_, index) => String(index + 1)),
    });
    expect(errors[0]).toMatchObject({
      message: `input.ids must have 1 to 100 IDs, got ${count}.`,
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
