import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  commitMutation,
  createOperationDescriptor,
  Environment,
  fetchQuery,
  getSelector,
  Network,
  RecordSource,
  Store,
  type ConcreteRequest,
  type GraphQLResponse,
  type ReaderFragment,
} from 'relay-runtime';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';
import type { PostFilter } from '../../../src/playground/operations/graphql.js';
import { updateBehind, wholeList, type Caller } from './caller.js';
import { compileRelay } from './relay-project.js';

/** Output of the compiler: an operation or a fragment. */
type Artifact = ConcreteRequest & ReaderFragment;

/** A post as selected by its fragment. */
interface PostFragment {
  id: string;
  text: string;
  version: number;
  location: { id: string; name: string } | null;
  details: { sponsor: { id: string; name: string; boost: boolean | null } | null } | null;
}

function openEnvironment({ url, headers, fetch }: Caller): Environment {
  return new Environment({
    network: Network.create(async ({ text }, variables) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return (await response.json()) as GraphQLResponse;
    }),
    store: new Store(new RecordSource()),
    getDataID: ({ id }, type) => (['Sponsor', 'Location'].includes(type) ? undefined : id),
  });
}

/** `caller` is available after the gateway has started. */
export function relayTests(caller: () => Caller): void {
  const folder = temporaryFolder();
  beforeAll(() =>
    compileRelay(folder, {
      'relay-posts.js': readFileSync(path.join(__dirname, 'relay-posts.ts'), 'utf8'),
    }),
  );
  afterAll(() => removeFolder(folder));

  const artifact = (name: string): Artifact =>
    (
      require(path.join(folder, 'artifacts', `relayPosts${name}.graphql.js`)) as {
        default: Artifact;
      }
    ).default;

  /** Displays a list from the store, retained during garbage collection. */
  async function openList(filter: PostFilter) {
    const environment = openEnvironment(caller());
    const operation = createOperationDescriptor(artifact('Query'), { filter });
    environment.retain(operation);
    await fetchQuery(environment, artifact('Query'), { filter }).toPromise();
    const readFragment = (fragment: ReaderFragment, reference: unknown): any => {
      const selector = getSelector(fragment, reference);
      if (selector?.kind !== 'SingularReaderSelector')
        throw new Error('The fragment selects no single record.');
      return environment.lookup(selector).data;
    };
    const connection = () =>
      readFragment(artifact('_list'), environment.lookup(operation.fragment).data).posts;
    return {
      environment,
      connection,
      posts: (): PostFragment[] =>
        connection().edges.map(({ node }: { node: unknown }) =>
          readFragment(artifact('_post'), node),
        ),
      ids: (): string[] => connection().edges.map(({ node }: { node: { id: string } }) => node.id),
      more: () =>
        fetchQuery(environment, artifact('PageQuery'), {
          filter,
          after: connection().pageInfo.endCursor,
        }).toPromise(),
    };
  }

  const commit = (
    environment: Environment,
    name: string,
    variables: Record<string, unknown>,
  ): Promise<any> =>
    new Promise((onCompleted, onError) => {
      commitMutation(environment, { mutation: artifact(name), variables, onCompleted, onError });
    });

  it('appends pages to a connection to the end of the list, each post once and in order', async () => {
    const published = await openList({ states: ['PUBLISHED'] });
    await published.more();
    await published.more();
    const fifteen = await wholeList(caller(), { filter: { states: ['PUBLISHED'] }, first: 15 });
    expect(new Set(fifteen).size).toBe(15);
    expect(published.ids()).toEqual(fifteen);

    const series = await openList({ states: ['RECURRING'] });
    while (series.connection().pageInfo.hasNextPage) await series.more();
    expect(series.ids()).toEqual(
      await wholeList(caller(), { filter: { states: ['RECURRING'] }, first: 100 }),
    );
  });

  it('refetches a post by ID, and every list shows it', async () => {
    const screen = await openList({ states: ['DRAFT_PUBLIC'] });
    const [before] = screen.posts();
    await updateBehind(caller(), { id: before!.id, post: { text: 'Changed behind Relay' } });
    expect(screen.posts()[0]).toEqual(before);
    await fetchQuery(screen.environment, artifact('PostQuery'), { id: before!.id }).toPromise();
    expect(screen.posts()[0]).toEqual({
      ...before,
      text: 'Changed behind Relay',
      version: before!.version + 1,
    });
  });

  it('shows the result of a mutation without another request', async () => {
    const screen = await openList({ states: ['SCHEDULED'] });
    const [before, ...others] = screen.posts();
    caller().sent.length = 0;
    const { updatePost } = await commit(screen.environment, 'UpdateMutation', {
      input: { id: before!.id, post: { text: 'Through Relay' } },
    });
    expect(updatePost.userErrors).toEqual([]);
    expect(screen.posts()).toEqual([
      { ...before, text: 'Through Relay', version: before!.version + 1 },
      ...others,
    ]);
    expect(caller().sent).toEqual(['POST relayPostsUpdateMutation']);
  });

  it('deletes edges by the IDs that a mutation returns', async () => {
    const screen = await openList({ states: ['DRAFT_UNDATED'] });
    const ids = screen.ids();
    const { deletePosts } = await commit(screen.environment, 'DeleteMutation', {
      input: { ids: ids.slice(0, 2) },
      connections: [screen.connection().__id],
    });
    expect(deletePosts.deletedIds).toEqual(ids.slice(0, 2));
    expect(screen.ids()).toEqual(ids.slice(2));
  });

  it('keeps sponsor and location per post, even with the same IDs', async () => {
    const ids = await wholeList(caller(), { filter: { states: ['DRAFT_PUBLIC'] }, first: 2 });
    const parts = ids.map((id, n) => ({
      sponsor: { id: '99', name: `Sponsor of ${id}`, boost: n === 0 },
      location: { id: '99', name: `Place of ${id}` },
    }));
    for (const [n, { sponsor, location }] of parts.entries())
      await updateBehind(caller(), { id: ids[n]!, post: { details: { sponsor }, location } });
    const [first, second] = (await openList({ states: ['DRAFT_PUBLIC'] })).posts();
    expect(
      [first, second].map((post) => ({
        sponsor: post!.details!.sponsor,
        location: post!.location,
      })),
    ).toEqual(parts);
  });

  it('reports rule violations as data, and errors with a code', async () => {
    const environment = openEnvironment(caller());
    const [status] = await wholeList(caller(), {
      filter: { states: ['PUBLISHED_POSTED'], types: ['STATUS'], networks: ['FACEBOOK'] },
      first: 1,
    });
    const { updatePost } = await commit(environment, 'UpdateMutation', {
      input: { id: status, post: { title: 'No' } },
    });
    expect(updatePost).toMatchObject({
      post: null,
      userErrors: [{ code: 'RULE_VIOLATION', field: ['input', 'post', 'title'] }],
    });
    const error = await fetchQuery(environment, artifact('PageQuery'), { first: 0 })
      .toPromise()
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'RelayNetwork',
      source: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
    });
  });
}
