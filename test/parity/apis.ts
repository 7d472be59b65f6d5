import type { PostPatch } from '../../src/domain/posts/post.js';
import type { PostFilter } from '../../src/domain/posts/post-query.js';
import { enumName } from '../../src/graphql/enums.js';
import { timestampOrNull } from '../../src/rest/bodies/body-fields.js';
import type { Answer, TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';

/** What both doors take beside a change itself. */
export interface Wish {
  expectedVersion?: number;
  key?: string;
  dryRun?: boolean;
}

/** What an answer comes to, in v1's words, whichever door gave it. */
export type Outcome =
  | {
      readonly kind: 'ok';
      readonly body: unknown;
      readonly version?: number | null;
      readonly hasJob?: boolean;
    }
  | { readonly kind: 'refused'; readonly code: string; readonly messages: readonly string[] };

/** One of the two ways in: the same four questions. Patches and filters are in the domain's own words. */
export interface Door {
  list(viewer: KeyedViewer, filter: PostFilter): Promise<Outcome>;
  get(viewer: KeyedViewer, id: string): Promise<Outcome>;
  update(viewer: KeyedViewer, id: string, patch: PostPatch, wish: Wish): Promise<Outcome>;
  remove(viewer: KeyedViewer, ids: readonly string[], wish: Wish): Promise<Outcome>;
}

type Json = Record<string, any>;
type Params = [name: string, value: string][];
const each = (name: string, values: readonly string[] = []): Params =>
  values.map((value) => [name, value]);
const snake = (text: string): string =>
  text.replace(/\b[a-z]+[A-Z]\w*/g, (word) =>
    word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );

/** Which words of a refusal are the same: of a version's none, which is a tag in v1; of malformed input those about the patch, the rest are parameters and headers. */
const SHARED_WORDS: Readonly<Record<string, RegExp>> = {
  CONFLICT: /^$/,
  BAD_USER_INPUT: /^post\b/,
};

/** A refusal in v1's spelling. */
const refused = (code: string, messages: readonly string[]): Outcome => ({
  kind: 'refused',
  code,
  messages: messages
    .map((message) => snake(message).replace(/^input\./, ''))
    .filter((message) => (SHARED_WORDS[code] ?? /./).test(message)),
});

/** Keys as v1 writes them; free JSON inside content blocks stays. */
function toV1Keys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toV1Keys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [snake(key), key === 'data' ? one : toV1Keys(one)]),
  );
}

export function v1Door({ v1 }: Pick<TestGateway, 'v1'>): Door {
  const toOutcome = ({ status, body, headers }: Answer<Json>): Outcome => {
    if (status !== 200) return refused(body.code, body.errors);
    const tag = headers.get('etag');
    return {
      kind: 'ok',
      body,
      version: tag === null ? null : parseInt(tag.slice(1), 10),
      hasJob: headers.has('x-job-id'),
    };
  };
  const headersOf = ({ key, expectedVersion }: Wish): Record<string, string> => ({
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(expectedVersion !== undefined && { 'If-Match': `"${expectedVersion}-any"` }),
  });
  const dry = ({ dryRun }: Wish): Params => (dryRun ? [['dry_run', 'true']] : []);

  return {
    async list(as, { states, types, accountIds, memberId, from, to, query }) {
      const single = Object.entries({
        member_id: memberId,
        from: from?.toISOString(),
        to: to?.toISOString(),
        query,
      });
      const params = new URLSearchParams([
        ...each('state[]', states),
        ...each('postType', types),
        ...each('account_ids[]', accountIds),
        ...single.flatMap(([name, value]) => each(name, value === undefined ? [] : [value])),
      ]);
      const outcome = toOutcome(await v1('GET', `/posts?${params}`, { as }));
      return outcome.kind === 'ok'
        ? {
            kind: 'ok',
            body: { posts: (outcome.body as Json).posts, total: (outcome.body as Json).total },
          }
        : outcome;
    },
    get: async (as, id) => toOutcome(await v1('GET', `/posts/${id}`, { as })),
    update: async (as, id, patch, wish) =>
      toOutcome(
        await v1('PUT', `/posts/${id}?${new URLSearchParams(dry(wish))}`, {
          as,
          headers: headersOf(wish),
          body: { post: toV1Keys(patch) },
        }),
      ),
    async remove(as, ids, wish) {
      const params = new URLSearchParams([...each('post_ids[]', ids), ...dry(wish)]);
      const outcome = toOutcome(
        await v1('DELETE', `/posts?${params}`, { as, headers: headersOf(wish) }),
      );
      return outcome.kind === 'ok' ? { kind: 'ok', body: outcome.body } : outcome;
    },
  };
}

const SUMMARY =
  'id text type url state accountId user { id name picture } scheduledAt postLink hasMedia network';
const DETAIL = `id text state type accountId account { id type name picture } user { id name picture } scheduledAt createdAt updatedAt postLink
  media { id type url altText } link { url title description imageUrl } labels { id name color } auto
  recycling { solo gap gapFreq startDate expireCount } recurring { frequency repeatEvery weekdays startDate }`;

const WORDS = ['state', 'type', 'network'] as const;
const time = (text: string | null): string | null =>
  timestampOrNull(text === null ? null : new Date(text));

/** A GraphQL post as v1 would write it: enum values are the v1 words in upper case, times have an offset instead of Z. */
function inV1Words({ version: _version, ...post }: Json): unknown {
  for (const word of WORDS)
    if (typeof post[word] === 'string') post[word] = (post[word] as string).toLowerCase();
  for (const key of ['scheduledAt', 'createdAt', 'updatedAt'])
    if (post[key] !== undefined) post[key] = time(post[key]);
  if (post.recurring) post.recurring.startDate = time(post.recurring.startDate);
  return toV1Keys(post);
}

export function graphqlDoor({ graphql }: TestGateway): Door {
  const failed = ({ errors }: Json): Outcome => {
    const [
      {
        message,
        extensions: { code, problems },
      },
    ] = errors;
    return refused(
      code,
      (problems as { message: string }[] | undefined)?.map((one) => one.message) ?? [message],
    );
  };
  async function ask(
    as: KeyedViewer,
    query: string,
    variables: object,
  ): Promise<{ data?: Json; refusal?: Outcome }> {
    const { body } = await graphql(query, variables as Record<string, unknown>, { as });
    return body.errors ? { refusal: failed(body) } : { data: body.data };
  }
  const wishOf = ({ expectedVersion, key, dryRun = false }: Wish) => ({
    expectedVersion,
    idempotencyKey: key,
    dryRun,
  });
  const upper = (words: readonly string[] | undefined) => words?.map(enumName);

  return {
    async list(as, { states, types, ...filter }) {
      const { data, refusal } = await ask(
        as,
        `query($filter: PostFilter) { posts(filter: $filter, first: 10) { totalCount nodes { ${SUMMARY} } } }`,
        { filter: { ...filter, states: upper(states), types: upper(types) } },
      );
      if (!data) return refusal!;
      // v1 gives an address of link posts only; GraphQL's is the post's own, a blog's slug among them.
      const posts = data.posts.nodes.map((post: Json) =>
        inV1Words({ ...post, url: post.type === 'LINK' ? post.url : null }),
      );
      return { kind: 'ok', body: { posts, total: data.posts.totalCount } };
    },
    async get(as, id) {
      const { data, refusal } = await ask(
        as,
        `query($id: ID!) { post(id: $id) { version ${DETAIL} } }`,
        { id },
      );
      return data
        ? { kind: 'ok', body: inV1Words(data.post), version: data.post.version, hasJob: false }
        : refusal!;
    },
    async update(as, id, patch, wish) {
      const post = { ...patch, ...(patch.type && { type: enumName(patch.type) }) };
      const { data, refusal } = await ask(
        as,
        `mutation($input: UpdatePostInput!) { updatePost(input: $input) { post { version ${DETAIL} } job { id } userErrors { code message } } }`,
        { input: { id, post, ...wishOf(wish) } },
      );
      if (!data) return refusal!;
      const { userErrors, post: now, job } = data.updatePost as Json;
      if (userErrors.length > 0)
        return refused(
          userErrors[0].code,
          userErrors.map((one: Json) => one.message),
        );
      return {
        kind: 'ok',
        body: inV1Words(now),
        version: wish.dryRun ? null : now.version,
        hasJob: job !== null,
      };
    },
    async remove(as, ids, { key, dryRun = false }) {
      const { data, refusal } = await ask(
        as,
        'mutation($input: DeletePostsInput!) { deletePosts(input: $input) { deletedIds results { id code message } userErrors { code message } } }',
        { input: { ids, idempotencyKey: key, dryRun } },
      );
      if (!data) return refusal!;
      const { deletedIds, results, userErrors } = data.deletePosts as Json;
      if (results.length === 0)
        return refused(
          userErrors[0].code,
          userErrors.map((one: Json) => one.message),
        );
      const failures: Json[] = results.filter(({ code }: Json) => code !== null);
      if (deletedIds.length > 0) {
        return {
          kind: 'ok',
          body: {
            deleted_ids: deletedIds,
            ...(failures.length > 0 && {
              failures: Object.fromEntries(failures.map(({ id, message }) => [id, [message]])),
            }),
          },
        };
      }
      // Where none is deleted, v1's one status is 422 if every id is unknown, else 403 (D31).
      const code = failures.every((one) => one.code === 'POST_NOT_FOUND')
        ? 'POST_NOT_FOUND'
        : 'FORBIDDEN';
      return refused(
        code,
        failures.map(({ id, message }) => `${id}: ${message}`),
      );
    },
  };
}
