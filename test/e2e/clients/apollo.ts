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

/** What each answer said of the rate, in its headers and in its body. */
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

/** The caller is known once the gateway has started. */
export function apolloTests(caller: () => Caller): void {
  /** A list on a screen, with its first page. */
  async function onScreen(variables: PagePostsQueryVariables) {
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
    const until = async (isSo: () => boolean) => {
      while (!isSo())
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    };
    const posts = () => (shown.data as PagePostsQuery).posts;
    return {
      client,
      posts,
      ids: () => idsOf({ posts: posts() }),
      /** Asks for what follows a post, the last one if none is named, and waits until it is shown. */
      async more(after = posts().pageInfo.endCursor) {
        await list.fetchMore({ variables: { after } });
        await until(() => !shown.loading);
      },
      /** Does something, and waits until the screen shows another list. */
      async changedBy(deed: () => Promise<unknown>) {
        const before = shown;
        await deed();
        await until(() => shown !== before);
      },
    };
  }
  const open: { unsubscribe(): void }[] = [];
  afterAll(() => open.forEach((screen) => screen.unsubscribe()));

  it('puts pages together into one list, each post once and in order', async () => {
    const variables = { filter: { states: ['PUBLISHED' as const] }, first: 5 };
    const screen = await onScreen(variables);
    const second = screen.posts().pageInfo.endCursor;
    await screen.more();
    await screen.more();
    const fifteen = await wholeList(caller(), { ...variables, first: 15 });
    expect(new Set(fifteen).size).toBe(15);
    expect(screen.ids()).toEqual(fifteen);
    await screen.more(second); // the same page again stands where it stood
    expect(screen.ids()).toEqual(fifteen.slice(0, 10));
  });

  it('goes through a whole list to its end', async () => {
    const variables = { filter: { states: ['FAILED' as const] }, first: 3 };
    const screen = await onScreen(variables);
    while (screen.posts().pageInfo.hasNextPage) await screen.more();
    expect(screen.ids()).toEqual(await wholeList(caller(), { ...variables, first: 100 }));
    expect(screen.ids()).toHaveLength(screen.posts().totalCount);
  });

  it('keeps lists of other filters apart', async () => {
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

  it('shows an update in a list that has the post, without asking again', async () => {
    const screen = await onScreen({ filter: { states: ['SCHEDULED'] }, first: 5 });
    const [before, ...others] = screen.posts().edges.map(({ node }) => node);
    const input = { id: before!.id, post: { text: 'Through Apollo Client' } };
    caller().sent.length = 0;
    await screen.changedBy(() =>
      screen.client.mutate({ mutation: documentOf(UpdatePostDocument), variables: { input } }),
    );
    expect(screen.posts().edges.map(({ node }) => node)).toEqual([
      { ...before, text: 'Through Apollo Client', version: before!.version + 1 },
      ...others,
    ]);
    expect(caller().sent).toEqual(['POST UpdatePost']);
  });

  it('drops what was deleted from its lists', async () => {
    const screen = await onScreen({
      filter: { states: ['DRAFT_DATED'] },
      orderBy: { field: 'CREATED_AT' },
      first: 5,
    });
    const ids = screen.ids();
    await screen.changedBy(() =>
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

  it('leaves each post its own sponsor and place, whatever their ids', async () => {
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

  it('tells what is malformed, and who is not let in, as errors with their code', async () => {
    const failure = (client: ApolloClient) =>
      client.query({ query: PAGE, variables: { first: 0 } }).catch((error: unknown) => error);
    for (const [client, code] of [
      [openApollo(caller()), 'BAD_USER_INPUT'],
      [
        openApollo({ ...caller(), headers: { Authorization: 'Bearer-API nobody' } }),
        'UNAUTHENTICATED',
      ],
    ] as const) {
      const error = await failure(client);
      expect(error).toBeInstanceOf(CombinedGraphQLErrors);
      expect(
        (error as CombinedGraphQLErrors).errors.map(({ extensions }) => extensions?.['code']),
      ).toEqual([code]);
    }
  });

  it('has the rate of each answer, in its headers and in its extensions', async () => {
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
