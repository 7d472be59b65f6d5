import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { tap } from 'rxjs';
import {
  DeletePostsDocument,
  UpdatePostDocument,
} from '../../../src/playground/operations/graphql.js';
import {
  PagePostsDocument,
  PostSponsorAndPlaceDocument,
  type PagePostsQuery,
  type PagePostsQueryVariables,
} from '../../operations/generated/graphql.js';
import { documentOf, idsOf, updateBehind, wholeList, type Caller } from './caller.js';

const PAGE = documentOf(PagePostsDocument);

/** Remaining requests reported by a response, in a header and in the body. */
interface SeenRate {
  header: string | null;
  body: unknown;
}

function openApollo({ url, headers, fetch }: Caller, seen: SeenRate[] = []): ApolloClient {
  const watchRate = new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      tap(({ extensions }) => {
        const { response } = operation.getContext() as { response: Response };
        seen.push({
          header: response.headers.get('X-RateLimit-Remaining'),
          body: extensions?.['rateLimit'],
        });
      }),
    ),
  );
  return new ApolloClient({
    link: watchRate.concat(new HttpLink({ uri: url, headers, fetch })),
    cache: new InMemoryCache({
      typePolicies: {
        Query: { fields: { posts: relayStylePagination(['filter', 'orderBy']) } },
        Sponsor: { keyFields: false },
        Location: { keyFields: false },
      },
    }),
  });
}

/** `caller` is available after the gateway has started. */
export function apolloTests(caller: () => Caller): void {
  /** Displays a list, starting with its first page. */
  async function openList(variables: PagePostsQueryVariables) {
    const client = openApollo(caller());
    await client.query({ query: PAGE, variables });
    const list = client.watchQuery({ query: PAGE, variables });
    let shown = list.getCurrentResult();
    let wake = (): void => undefined;
    open.push(
      list.subscribe((result) => {
        shown = result;
        wake();
      }),
    );
    const waitUntil = async (condition: () => boolean) => {
      while (!condition())
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    };
    const posts = () => (shown.data as PagePostsQuery).posts;
    return {
      client,
      posts,
      ids: () => idsOf({ posts: posts() }),
      /**
       * Loads the page after a cursor, by default the last one, and waits until it is displayed.
       */
      async more(after = posts().pageInfo.endCursor) {
        await list.fetchMore({ variables: { after } });
        await waitUntil(() => !shown.loading);
      },
      /** Runs an action and waits until the displayed list changes. */
      async changeBy(action: () => Promise<unknown>) {
        const before = shown;
        await action();
        await waitUntil(() => shown !== before);
      },
    };
  }
  const open: { unsubscribe(): void }[] = [];
  afterAll(() => open.forEach((screen) => screen.unsubscribe()));

  it('merges pages into one list, each post once and in order', async () => {
    const variables = { filter: { states: ['PUBLISHED' as const] }, first: 5 };
    const screen = await openList(variables);
    const second = screen.posts().pageInfo.endCursor;
    await screen.more();
    await screen.more();
    const fifteen = await wholeList(caller(), { ...variables, first: 15 });
    expect(new Set(fifteen).size).toBe(15);
    expect(screen.ids()).toEqual(fifteen);
    await screen.more(second); // the same page again replaces itself
    expect(screen.ids()).toEqual(fifteen.slice(0, 10));
  });

  it('pages to the end of a list', async () => {
    const variables = { filter: { states: ['FAILED' as const] }, first: 3 };
    const screen = await openList(variables);
    while (screen.posts().pageInfo.hasNextPage) await screen.more();
    expect(screen.ids()).toEqual(await wholeList(caller(), { ...variables, first: 100 }));
    expect(screen.ids()).toHaveLength(screen.posts().totalCount);
  });

  it('keeps lists with different filters separate', async () => {
    const client = openApollo(caller());
    const [failed, drafts] = await Promise.all(
      (['FAILED', 'DRAFT'] as const).map((state) =>
        client.query({ query: PAGE, variables: { filter: { states: [state] }, first: 2 } }),
      ),
    );
    const cached = client.readQuery({
      query: PAGE,
      variables: { filter: { states: ['FAILED'] }, first: 2 },
    });
    expect(cached).toEqual(failed!.data);
    expect(idsOf(drafts!.data!)).not.toEqual(idsOf(failed!.data!));
  });

  it('shows an update in a list without another request', async () => {
    const screen = await openList({ filter: { states: ['SCHEDULED'] }, first: 5 });
    const [before, ...others] = screen.posts().edges.map(({ node }) => node);
    const input = { id: before!.id, post: { text: 'Through Apollo Client' } };
    caller().sent.length = 0;
    await screen.changeBy(() =>
      screen.client.mutate({ mutation: documentOf(UpdatePostDocument), variables: { input } }),
    );
    expect(screen.posts().edges.map(({ node }) => node)).toEqual([
      { ...before, text: 'Through Apollo Client', version: before!.version + 1 },
      ...others,
    ]);
    expect(caller().sent).toEqual(['POST UpdatePost']);
  });

  it('removes deleted posts from its lists', async () => {
    const screen = await openList({
      filter: { states: ['DRAFT_DATED'] },
      orderBy: { field: 'CREATED_AT' },
      first: 5,
    });
    const ids = screen.ids();
    await screen.changeBy(() =>
      screen.client.mutate({
        mutation: documentOf(DeletePostsDocument),
        variables: { input: { ids: [ids[1]!, ids[3]!] } },
        update(cache, { data }) {
          expect(data!.deletePosts.deletedIds).toEqual([ids[1], ids[3]]);
          for (const id of data!.deletePosts.deletedIds)
            cache.evict({ id: cache.identify({ __typename: 'Post', id }) });
        },
      }),
    );
    expect(screen.ids()).toEqual([ids[0], ids[2], ids[4]]);
  });

  it('keeps sponsor and location per post, regardless of their IDs', async () => {
    const client = openApollo(caller());
    const ids = await wholeList(caller(), { filter: { states: ['DRAFT_PUBLIC'] }, first: 2 });
    const parts = ids.map((id) => ({
      sponsor: { name: `Sponsor of ${id}` },
      location: { id: '99', name: `Place of ${id}` },
    }));
    for (const [n, { sponsor, location }] of parts.entries())
      await updateBehind(caller(), { id: ids[n]!, post: { details: { sponsor }, location } });
    const read = (fetchPolicy: 'cache-only' | 'network-only') =>
      Promise.all(
        ids.map((id) =>
          client.query({
            query: documentOf(PostSponsorAndPlaceDocument),
            variables: { id },
            fetchPolicy,
          }),
        ),
      );
    await read('network-only');
    expect((await read('cache-only')).map(({ data }) => data?.post)).toMatchObject(
      parts.map(({ sponsor, location }) => ({
        details: { sponsor: { id: '', ...sponsor } },
        location,
      })),
    );
  });

  it('reports malformed input and failed authentication as errors with a code', async () => {
    const errorOf = (client: ApolloClient) =>
      client.query({ query: PAGE, variables: { first: 0 } }).catch((error: unknown) => error);
    for (const [client, code] of [
      [openApollo(caller()), 'BAD_USER_INPUT'],
      [
        openApollo({ ...caller(), headers: { Authorization: 'Bearer-API unknown' } }),
        'UNAUTHENTICATED',
      ],
    ] as const) {
      const error = await errorOf(client);
      expect(error).toBeInstanceOf(CombinedGraphQLErrors);
      expect(
        (error as CombinedGraphQLErrors).errors.map(({ extensions }) => extensions?.['code']),
      ).toEqual([code]);
    }
  });

  it('receives the rate limit with each response, in headers and in extensions', async () => {
    const seen: SeenRate[] = [];
    const client = openApollo(caller(), seen);
    for (const first of [1, 2])
      await client.query({ query: PAGE, variables: { first }, fetchPolicy: 'network-only' });
    const [one, two] = seen.map(({ header }) => Number(header));
    expect(two).toBe(one! - 1);
    expect(seen.map(({ body }) => body)).toEqual(
      [one, two].map((remaining) => ({ limit: 100, remaining, resetAt: expect.any(String) })),
    );
  });
}
