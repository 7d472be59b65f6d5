import { getNamedType, type GraphQLObjectType } from 'graphql';
import { ROUTES } from '../../src/rest/routes.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import { SCHEMA } from './all-inputs.js';
import { selectionOf } from './graphql-selection.js';

/** A part of all texts, labels and media, old and new. */
const SECRET = 'secret';

let gateway: TestGateway;
let key: string;
let ids: Record<'post' | 'restPost' | 'label' | 'otherLabel' | 'restLabel' | 'account', string>;
const MINE = { type: 'status', text: 'Mine' };

/** A post with a label, a media item and a history, which a key with `posts:write` alone changes. */
beforeAll(async () => {
  gateway = await gatewayWith();
  const { records, owner } = gateway;
  const workspaceId = owner.workspace.id;
  key = await records.aKey({ userId: owner.user.id, scopes: ['posts:write'] });
  const aLabel = async (name: string) => records.aLabel({ workspaceId, name: `${SECRET} ${name}` });
  const account = await records.anAccount({ workspaceId, sandbox: true });
  const label = await aLabel('one');
  const media = [
    await records.aMedia({ workspaceId, url: `https://media.example.com/${SECRET}.jpg` }),
  ];
  const aPost = async (name: string): Promise<string> => {
    const text = `${SECRET} ${name}`;
    const { id } = await records.aPost({ by: owner, account, text, labels: [label], media });
    await gateway.v1('PUT', `/posts/${id}`, { body: { post: { text: `${text} 2` } } });
    return id;
  };
  ids = {
    post: await aPost('post'),
    restPost: await aPost('post of v1'),
    label: label.id,
    otherLabel: (await aLabel('two')).id,
    restLabel: (await aLabel('three')).id,
    account: account.id,
  };
});
afterAll(() => gateway.close());

const version = async (): Promise<number> =>
  (await gateway.graphql('query ($id: ID!) { post(id: $id) { version } }', { id: ids.post })).body
    .data.post.version;

type Ids = typeof ids;
/**
 * What each mutation is sent, and what its payload shows to every key. The deletions come last:
 * the others need what they delete.
 */
const MUTATIONS: Readonly<Record<string, readonly [(given: Ids) => object, string]>> = {
  updatePost: [({ post: id }) => ({ id, post: {} }), 'post { id version state }'],
  revertPost: [({ post: id }) => ({ id, toVersion: 1 }), 'post { id version }'],
  resolvePublication: [({ post: id }) => ({ id, notLive: true }), 'post { id }'],
  pausePosts: [({ post }) => ({ ids: [post] }), 'posts { id }'],
  resumePosts: [({ post }) => ({ ids: [post] }), 'posts { id }'],
  retryPosts: [({ post }) => ({ ids: [post] }), 'posts { id } job { id }'],
  restorePosts: [({ post }) => ({ ids: [post] }), 'posts { id }'],
  unpublishPosts: [({ post }) => ({ ids: [post] }), 'results { id done code message }'],
  reviewPosts: [
    ({ post: id }) => ({ posts: [{ id }], decision: 'REQUEST' }),
    'results { post { id } }',
  ],
  schedulePosts: [({ post }) => ({ ids: [post], mode: 'DRAFT' }), 'posts { id state }'],
  createPosts: [
    ({ account: accountId }) => ({
      targets: [{ accountId }],
      mode: 'DRAFT',
      post: { type: 'STATUS', text: 'Mine' },
    }),
    'results { post { id databaseId } }',
  ],
  setPostingSchedule: [({ account: accountId }) => ({ accountId, slots: [] }), '__typename'],
  updateLabel: [({ label: id }) => ({ id, color: '#000000' }), 'label { id }'],
  mergeLabels: [
    ({ label: id, otherLabel: intoId }) => ({ id, intoId, dryRun: true }),
    'label { id }',
  ],
  deleteLabel: [({ label: id }) => ({ id }), 'deletedId'],
  deletePosts: [({ post }) => ({ ids: [post] }), 'deletedIds'],
};

const mutations = SCHEMA.getMutationType()!.getFields();
const requiresWriting = ({ description }: { description?: string | null }): boolean =>
  /Requires scope POSTS_WRITE/.test(description ?? '');

it('are tried with every mutation that they may send', () => {
  expect(Object.keys(MUTATIONS).sort()).toEqual(
    Object.values(mutations)
      .filter(requiresWriting)
      .map(({ name }) => name)
      .sort(),
  );
});

/** Types that `posts:read` lets a key read: payloads with them cannot be selected completely. */
const CONTENT = /\b(?:Post|Label|Job)\b/;
const showsContent = (type: GraphQLObjectType): boolean =>
  Object.values(type.getFields()).some((field) => {
    const named = getNamedType(field.type);
    return (
      CONTENT.test(named.name) ||
      (named.name.endsWith('Result') && showsContent(named as GraphQLObjectType))
    );
  });

describe.each(Object.entries(MUTATIONS))('%s with a key that may not read posts', (name, call) => {
  const field = mutations[name]!;
  const payload = getNamedType(field.type) as GraphQLObjectType;
  const send = async (selection: string, more: object = {}) =>
    gateway.graphql(
      `mutation($input: ${String(field.args[0]!.type)}) { ${name}(input: $input) ${selection} }`,
      { input: { ...call[0](ids), ...more } },
      { key },
    );

  it('changes nothing if the content of posts is selected, and shows what identifies them', async () => {
    const before = await version();
    const { body: whole } = await send(selectionOf(SCHEMA, payload));
    expect(JSON.stringify(whole)).not.toContain(SECRET);
    if (showsContent(payload)) {
      expect(whole.errors).toMatchObject([{ extensions: { code: 'MISSING_SCOPE' } }]);
      expect(await version()).toBe(before);
      const { body } = await send(`{ ${call[1]} userErrors { message } }`);
      expect(body.errors).toBeUndefined();
      expect(JSON.stringify(body)).not.toContain(SECRET);
    }
  });
});

/** What each route for changes of posts and labels is sent, as in MUTATIONS. */
const REQUESTS: Readonly<
  Record<string, (given: Ids) => { readonly path: string; readonly body?: object }>
> = {
  'PUT /v1/posts/{id}': ({ restPost }) => ({ path: `/posts/${restPost}`, body: { post: {} } }),
  'POST /v1/posts/{id}/revert': ({ restPost }) => ({
    path: `/posts/${restPost}/revert`,
    body: { to_version: 1 },
  }),
  'POST /v1/posts/{id}/resolve': ({ restPost }) => ({
    path: `/posts/${restPost}/resolve`,
    body: { not_live: true },
  }),
  ...Object.fromEntries(
    Object.entries({
      pause: {},
      resume: {},
      retry: {},
      restore: {},
      unpublish: {},
      schedule: { mode: 'draft' },
    }).map(([name, body]) => [
      `POST /v1/posts/actions/${name}`,
      ({ restPost }: Ids) => ({
        path: `/posts/actions/${name}`,
        body: { post_ids: [restPost], ...body },
      }),
    ]),
  ),
  'POST /v1/posts/actions/review': ({ restPost: id }) => ({
    path: '/posts/actions/review',
    body: { posts: [{ id }], decision: 'request' },
  }),
  'POST /v1/posts/schedule': () => ({
    path: '/posts/schedule',
    body: { bulk: { state: 'draft', posts: [{ networks: { default: MINE } }] } },
  }),
  'POST /v1/posts/schedule/publish': ({ account: id }) => ({
    path: '/posts/schedule/publish',
    body: {
      bulk: { state: 'scheduled', posts: [{ networks: { default: MINE }, accounts: [{ id }] }] },
    },
  }),
  'PUT /v1/accounts/{account_id}/posting-schedule': ({ account }) => ({
    path: `/accounts/${account}/posting-schedule`,
    body: { slots: [] },
  }),
  'PUT /v1/labels/{id}': ({ otherLabel }) => ({
    path: `/labels/${otherLabel}`,
    body: { color: '#ffffff' },
  }),
  'POST /v1/labels/{id}/merge': ({ otherLabel, restLabel }) => ({
    path: `/labels/${otherLabel}/merge`,
    body: { into_id: restLabel },
  }),
  'DELETE /v1/labels/{id}': ({ restLabel }) => ({ path: `/labels/${restLabel}` }),
  'DELETE /v1/posts': ({ restPost }) => ({ path: `/posts?post_ids[]=${restPost}` }),
};

it('are tried with every route of v1 that they may send', () => {
  const routes = ROUTES.filter(
    ({ method, path, scopes }) =>
      method !== 'GET' &&
      path.startsWith('/v1/') &&
      scopes.some((all) => all.length === 1 && all[0] === 'posts:write'),
  );
  expect(Object.keys(REQUESTS).sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  );
});

it.each(Object.entries(REQUESTS))('%s shows no content', async (name, request) => {
  const { path, body } = request(ids);
  const { status, body: answer } = await gateway.v1(name.split(' ')[0]!, path, { key, body });
  expect([200, 202, 204, 409, 422]).toContain(status);
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});
