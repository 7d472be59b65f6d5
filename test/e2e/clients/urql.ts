import { cacheExchange, Client, fetchExchange, type OperationResult } from '@urql/core';
import {
  DeletePostsDocument,
  UpdatePostDocument,
} from '../../../src/playground/operations/graphql.js';
import {
  PagePostsDocument,
  type PagePostsQuery,
  type PagePostsQueryVariables,
} from '../../operations/generated/graphql.js';
import { documentOf, idsOf, updateBehind, wholeList, type Caller } from './caller.js';

const PAGE = documentOf(PagePostsDocument);
const FILTER = { states: ['PUBLISHED' as const] };

/** Default options: queries are sent by GET. */
const openUrql = ({ url, headers, fetch }: Caller): Client =>
  new Client({ url, exchanges: [cacheExchange, fetchExchange], fetchOptions: { headers }, fetch });

const codesOf = ({ error }: OperationResult): unknown[] =>
  error?.graphQLErrors.map(({ extensions }) => extensions['code']) ?? [];

/** `caller` is available after the gateway has started. */
export function urqlTests(caller: () => Caller): void {
  beforeEach(() => {
    caller().sent.length = 0;
  });

  it('queries by GET, once per query, and by POST if the URL would be too long', async () => {
    const client = openUrql(caller());
    const first = await client.query(PAGE, { filter: FILTER, first: 2 });
    expect([first.error, first.data && idsOf(first.data)]).toEqual([
      undefined,
      await wholeList(caller(), { filter: FILTER, first: 2 }),
    ]);
    const again = await client.query(PAGE, { filter: FILTER, first: 2 });
    expect(again.data).toEqual(first.data);
    const long = await client.query(PAGE, {
      filter: { ...FILTER, query: 'ничего '.repeat(100) },
      first: 2,
    });
    expect([long.error, long.data?.posts.totalCount]).toEqual([undefined, 0]);
    expect(caller().sent).toEqual(['GET PagePosts', 'POST PagePosts']);
  });

  it('pages through a list, each post once and in order', async () => {
    const client = openUrql(caller());
    const ids: string[] = [];
    let after: string | null = null;
    for (let page = 1; page <= 3; page++) {
      const variables: PagePostsQueryVariables = { filter: FILTER, first: 5, after };
      const { data }: OperationResult<PagePostsQuery> = await client.query(PAGE, variables);
      ids.push(...idsOf(data!));
      after = data!.posts.pageInfo.endCursor;
    }
    expect(ids).toEqual(await wholeList(caller(), { filter: FILTER, first: 15 }));
    expect(new Set(ids).size).toBe(15);
  });

  it('refetches and shows posts that a mutation has changed', async () => {
    const client = openUrql(caller());
    const shown: string[] = [];
    let seen = (): void => undefined;
    const screen = client
      .query(PAGE, { filter: { states: ['SCHEDULED'] }, first: 3 })
      .subscribe(({ data, stale }) => {
        if (!stale) shown.push(data!.posts.edges[0]!.node.text);
        seen();
      });
    const untilShown = (count: number) =>
      new Promise<void>((resolve) => {
        (seen = () => {
          if (shown.length >= count) resolve();
        })();
      });
    await untilShown(1);
    const [id] = await wholeList(caller(), { filter: { states: ['SCHEDULED'] }, first: 1 });
    const changed = await client.mutation(documentOf(UpdatePostDocument), {
      input: { id: id!, post: { text: 'Through urql' } },
    });
    expect(changed.data?.updatePost).toMatchObject({
      post: { id, text: 'Through urql' },
      userErrors: [],
    });
    await untilShown(2);
    expect(shown.slice(1)).toEqual(['Through urql']);
    expect(caller().sent).toEqual(['GET PagePosts', 'POST UpdatePost', 'GET PagePosts']);
    screen.unsubscribe();
  });

  it('reads changes by others with the policy network-only', async () => {
    const client = openUrql(caller());
    const variables = { filter: { states: ['DRAFT_PUBLIC' as const] }, first: 1 };
    const { node } = (await client.query(PAGE, variables)).data!.posts.edges[0]!;
    await updateBehind(caller(), { id: node.id, post: { text: 'Changed behind urql' } });
    const texts = async (requestPolicy: 'cache-only' | 'network-only') =>
      (await client.query(PAGE, variables, { requestPolicy })).data?.posts.edges.map(
        (edge) => edge.node.text,
      );
    expect(await texts('cache-only')).toEqual([node.text]);
    expect(await texts('network-only')).toEqual(['Changed behind urql']);
  });

  it('reports rule violations as data with their rule, and errors with a code', async () => {
    const client = openUrql(caller());
    const [status] = await wholeList(caller(), {
      filter: { states: ['PUBLISHED_POSTED'], types: ['STATUS'], networks: ['FACEBOOK'] },
      first: 1,
    });
    const rejected = await client.mutation(documentOf(UpdatePostDocument), {
      input: { id: status!, post: { title: 'No' } },
    });
    expect(rejected.error).toBeUndefined();
    expect(rejected.data!.updatePost).toMatchObject({
      post: null,
      userErrors: [
        {
          code: 'RULE_VIOLATION',
          field: ['input', 'post', 'title'],
          rule: 'Update post, rule 2: Large general network',
        },
      ],
    });
    expect(codesOf(await client.query(PAGE, { first: 0 }))).toEqual(['BAD_USER_INPUT']);
    expect(
      codesOf(await client.mutation(documentOf(DeletePostsDocument), { input: { ids: [] } })),
    ).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await openUrql({ ...caller(), headers: {} }).query(PAGE, {}))).toEqual([
      'UNAUTHENTICATED',
    ]);
  });

  it('receives the rate limit of each response in extensions, and the headers of a failed one', async () => {
    const client = openUrql(caller());
    const { extensions } = await client.query(PAGE, { first: 1 });
    expect(extensions).toMatchObject({
      rateLimit: { limit: 100, remaining: expect.any(Number), resetAt: expect.any(String) },
    });
    const { error } = await client.query(PAGE, { first: 0 });
    expect(Number((error!.response as Response).headers.get('X-RateLimit-Remaining'))).toBe(
      extensions!['rateLimit'].remaining - 1,
    );
  });
}
