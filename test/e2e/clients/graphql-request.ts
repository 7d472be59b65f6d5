import { ClientError, GraphQLClient } from 'graphql-request';
import {
  RuleTablesDocument,
  UpdatePostDocument,
} from '../../../src/playground/operations/graphql.js';
import {
  OnePostDocument,
  PagePostsDocument,
  type PagePostsQuery,
} from '../../operations/generated/graphql.js';
import { idsOf, wholeList, type Caller } from './caller.js';

const openClient = ({ url, headers, fetch }: Caller): GraphQLClient =>
  new GraphQLClient(url, { headers, fetch });

/** What a request that must fail was answered. */
async function refusalOf(request: Promise<unknown>): Promise<ClientError['response']> {
  const error = await request.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  return (error as ClientError).response;
}
const codesOf = ({ errors }: ClientError['response']): unknown[] =>
  errors!.map(({ extensions }) => extensions['code']);

/** The caller is known once the gateway has started; `spender` is a user whose requests nobody else needs. */
export function graphqlRequestTests(caller: () => Caller, spender: () => Caller): void {
  it('reads a whole list page by page', async () => {
    const client = openClient(caller());
    const filter = { states: ['SCHEDULED' as const] };
    const ids: string[] = [];
    let page: PagePostsQuery['posts'] | undefined;
    do {
      const answer: PagePostsQuery = await client.request(PagePostsDocument, {
        filter,
        first: 25,
        after: page?.pageInfo.endCursor ?? null,
      });
      page = answer.posts;
      ids.push(...idsOf(answer));
    } while (page.pageInfo.hasNextPage);
    expect(ids).toHaveLength(page.totalCount);
    expect(new Set(ids).size).toBe(page.totalCount);
    expect(ids.slice(0, 100)).toEqual(await wholeList(caller(), { filter, first: 100 }));
  });

  it('changes a post, and finds it changed by its id', async () => {
    const client = openClient(caller());
    const [id] = await wholeList(caller(), { filter: { states: ['DRAFT_UNDATED'] }, first: 1 });
    const { updatePost } = await client.request(UpdatePostDocument, {
      input: { id: id!, post: { text: 'Through graphql-request' } },
    });
    expect(updatePost.userErrors).toEqual([]);
    expect(await client.request(OnePostDocument, { id: id! })).toEqual({
      node: { id, text: 'Through graphql-request', version: updatePost.post!.version },
    });
  });

  it('refuses a change on an old version, and says so as data', async () => {
    const client = openClient(caller());
    const [id] = await wholeList(caller(), { filter: { states: ['DRAFT_UNDATED'] }, first: 1 });
    const { updatePost } = await client.request(UpdatePostDocument, {
      input: { id: id!, expectedVersion: 999, post: { text: 'Too late' } },
    });
    expect(updatePost).toMatchObject({ post: null, job: null, userErrors: [{ code: 'CONFLICT' }] });
  });

  it('throws errors with status, code and headers', async () => {
    const malformed = await refusalOf(
      openClient(caller()).request(PagePostsDocument, { first: 0 }),
    );
    expect(codesOf(malformed)).toEqual(['BAD_USER_INPUT']);
    expect((malformed.headers as Headers).get('X-RateLimit-Limit')).toBe('100');
    const batch = await refusalOf(
      openClient(caller()).batchRequests([
        { document: RuleTablesDocument },
        { document: RuleTablesDocument },
      ]),
    );
    expect(codesOf(batch)).toEqual(['BAD_USER_INPUT']);
    const unknown = await refusalOf(
      openClient({ ...caller(), headers: {} }).request(RuleTablesDocument),
    );
    expect([unknown.status, codesOf(unknown)]).toEqual([401, ['UNAUTHENTICATED']]);
  });

  it('can read the rate of each answer, and when to come back once it is used up', async () => {
    const client = openClient(spender());
    const remaining: number[] = [];
    for (let n = 0; n < 100; n++) {
      const { headers } = await client.rawRequest<unknown>('{ rateLimit { remaining } }');
      remaining.push(Number(headers.get('X-RateLimit-Remaining')));
    }
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    const over = await refusalOf(client.rawRequest('{ rateLimit { remaining } }'));
    expect([over.status, codesOf(over)]).toEqual([429, ['RATE_LIMITED']]);
    const wait = Number((over.headers as Headers).get('Retry-After'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(120);
  });
}
