import { fieldOf, type PatchField } from '../../src/domain/posts/post-fields.js';
import { snake, type Json } from '../parity/api.js';
import { openMatrixGateway, type DemoCaller, type MatrixGateway } from './matrix-gateway.js';
import { NEW_VALUES } from './new-values.js';
import {
  FORM_QUERY,
  toGraphqlForm,
  toGraphqlValue,
  toRestForm,
  withRestValue,
} from './whole-form.js';

jest.setTimeout(600_000);

const UPDATE = `mutation($id: ID!, $post: PostPatch!) { updatePost(input: {id: $id, post: $post}) {
  post { id version } userErrors { code field rule }
} }`;
/** Members who may approve, and who need approval. */
const CALLERS = ['owner', 'editor'];

let matrix: MatrixGateway;
let callers: DemoCaller[];
beforeAll(async () => {
  matrix = await openMatrixGateway();
  callers = matrix.callers.filter(({ keyName }) => CALLERS.includes(keyName));
});
afterAll(() => matrix?.close());

async function readPosts({ viewer }: DemoCaller): Promise<Json[]> {
  const posts: Json[] = [];
  for (let after: string | null = null; ;) {
    const { body } = await matrix.gateway.graphql(FORM_QUERY, { after }, { as: viewer });
    posts.push(...body.data.posts.nodes);
    const { hasNextPage, endCursor } = body.data.posts.pageInfo;
    if (!hasNextPage) return posts;
    after = endCursor;
  }
}

const update = async ({ viewer }: DemoCaller, id: string, post: unknown): Promise<Json> => {
  const { body } = await matrix.gateway.graphql(UPDATE, { id, post }, { as: viewer });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data.updatePost;
};

const isForbidden = ({ editability }: Json): boolean =>
  editability.every(({ rule }: Json) => rule === 'D19');

it('a whole post that is sent back unchanged is saved, and nothing changes, in both APIs', async () => {
  const problems: string[] = [];
  let saved = 0;
  for (const caller of callers) {
    for (const post of await readPosts(caller)) {
      if (isForbidden(post)) continue;
      const name = `${caller.workspaceName}, ${caller.keyName}, post ${post.id}`;
      const graphql = await update(caller, post.id, toGraphqlForm(post));
      const as = caller.viewer;
      const { body, headers } = await matrix.gateway.v1('GET', `/posts/${post.id}`, { as });
      const rest = await matrix.gateway.v1('PUT', `/posts/${post.id}`, {
        as,
        body: { post: toRestForm(body) },
      });
      const changes = await matrix.undoLog.undo();
      if (graphql.post?.version !== post.version)
        problems.push(`${name}: GraphQL ${JSON.stringify(graphql)}`);
      if (rest.status !== 200 || rest.headers.get('etag') !== headers.get('etag'))
        problems.push(`${name}: REST v1 ${JSON.stringify(rest.body)}`);
      if (changes.length > 0) problems.push(`${name}: changed ${JSON.stringify(changes)}`);
      saved += 1;
    }
  }
  expect(problems.slice(0, 20)).toEqual([]);
  expect(saved).toBeGreaterThan(400);
});

it('a whole post with one changed value of a fixed field is refused for that field only', async () => {
  const problems: string[] = [];
  const fields = new Set<string>();
  for (const caller of callers) {
    const demoPosts = new Map(caller.posts.map((post) => [post.id, post]));
    for (const [index, post] of (await readPosts(caller)).entries()) {
      const demoPost = demoPosts.get(post.id)!;
      const fixed: PatchField[] = post.editability
        .filter(({ allowed, rule }: Json) => !allowed && rule !== 'D19')
        .map(({ field }: Json) => field)
        .filter(
          (field: PatchField) => field !== 'type' || NEW_VALUES.type(demoPost) !== demoPost.type,
        );
      const field = fixed[index % fixed.length];
      if (!field) continue;
      fields.add(field);
      const value = NEW_VALUES[field](demoPost);
      const form = { ...toGraphqlForm(post), [field]: toGraphqlValue(field, value) };
      const { userErrors } = await update(caller, post.id, form);
      const named = userErrors.map((error: Json) => error.field[2]);
      if (named.join() !== field)
        problems.push(`${field} of ${post.id}: ${JSON.stringify(userErrors)}`);
      if (fieldOf(field).isGraphqlOnly) continue;
      const as = caller.viewer;
      const { body: detail } = await matrix.gateway.v1('GET', `/posts/${post.id}`, { as });
      const rest = await matrix.gateway.v1('PUT', `/posts/${post.id}`, {
        as,
        body: { post: withRestValue(toRestForm(detail), field, value) },
      });
      if (
        rest.status !== 422 ||
        rest.body.errors.length !== 1 ||
        !rest.body.errors[0].startsWith(snake(field))
      )
        problems.push(`v1 ${field} of ${post.id}: ${rest.status} ${JSON.stringify(rest.body)}`);
    }
  }
  expect(await matrix.undoLog.undo()).toEqual([]);
  expect(problems.slice(0, 20)).toEqual([]);
  expect(fields.size).toBeGreaterThan(15);
});
