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

/** Response of a request that is expected to fail. */
async function errorResponseOf(request: Promise<unknown>): Promise<ClientError['response']> {
  const error = await request.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClientError);
  return (error as ClientError).response;
}
const codesOf = ({ errors }: ClientError['response']): unknown[] =>
  errors!.map(({ extensions }) => extensions['code']);

/**
 * `caller` is available after the gateway has started. `spender` is a user whose rate limit no
 * other test uses.
 */
export function graphqlRequestTests(caller: () => Caller, spender: () => Caller): void {
  it('reads a whole list page by page', async () => {
    const client = openClient(caller());
    const filter = { states: ['SCHEDULED' as const] };
    const ids: string[] = [];
    let page: PagePostsQuery['posts'] | undefined;
    do {
      const result: PagePostsQuery = await client.request(PagePostsDocument, {
        filter,
        first: 25,
        after: page?.pageInfo.endCursor ?? null,
      });
      page = result.posts;
      ids.push(...idsOf(result));
    } while (page.pageInfo.hasNextPage);
    expect(ids).toHaveLength(page.totalCount);
    expect(new Set(ids).size).toBe(page.totalCount);
    expect(ids.slice(0, 100)).toEqual(await wholeList(caller(), { filter, first: 100 }));
  });

  it('updates a post and reads it by ID', async () => {
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

  it('reports an update of an outdated version as data', async () => {
    const client = openClient(caller());
    const [id] = await wholeList(caller(), { filter: { states: ['DRAFT_UNDATED'] }, first: 1 });
    const { updatePost } = await client.request(UpdatePostDocument, {
      input: { id: id!, expectedVersion: 999, post: { text: 'Too late' } },
    });
    expect(updatePost).toMatchObject({ post: null, job: null, userErrors: [{ code: 'CONFLICT' }] });
  });

  it('throws errors with status, code and headers', async () => {
    const malformed = await errorResponseOf(
      openClient(caller()).request(PagePostsDocument, { first: 0 }),
    );
    expect(codesOf(malformed)).toEqual(['BAD_USER_INPUT']);
    expect((malformed.headers as Headers).get('X-RateLimit-Limit')).toBe('100');
    const batch = await errorResponseOf(
      openClient(caller()).batchRequests([
        { document: RuleTablesDocument },
        { document: RuleTablesDocument },
      ]),
    );
    expect(codesOf(batch)).toEqual(['BAD_USER_INPUT']);
    const unknown = await errorResponseOf(
      openClient({ ...caller(), headers: {} }).request(RuleTablesDocument),
    );
    expect([unknown.status, codesOf(unknown)]).toEqual([401, ['UNAUTHENTICATED']]);
  });

  it('reads the rate limit of each response, and Retry-After when it is exceeded', async () => {
    const client = openClient(spender());
    const remaining: number[] = [];
    for (let n = 0; n < 100; n++) {
      const { headers } = await client.rawRequest<unknown>('{ rateLimit { remaining } }');
      remaining.push(Number(headers.get('X-RateLimit-Remaining')));
    }
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
    const over = await errorResponseOf(client.rawRequest('{ rateLimit { remaining } }'));
    expect([over.status, codesOf(over)]).toEqual([429, ['RATE_LIMITED']]);
    const wait = Number((over.headers as Headers).get('Retry-After'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(120);
  });
}
