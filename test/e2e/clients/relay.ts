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

/** What the compiler made: an operation, or a fragment. */
type Artifact = ConcreteRequest & ReaderFragment;

/** A post as its fragment selects it. */
interface Shown {
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

/** The caller is known once the gateway has started. */
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

  /** A list on a screen: what the store has of it at any moment, kept from the store's cleaning. */
  async function onScreen(filter: PostFilter) {
    const environment = openEnvironment(caller());
    const operation = createOperationDescriptor(artifact('Query'), { filter });
    environment.retain(operation);
    await fetchQuery(environment, artifact('Query'), { filter }).toPromise();
    const part = (fragment: ReaderFragment, of: unknown): any => {
      const selector = getSelector(fragment, of);
      if (selector?.kind !== 'SingularReaderSelector') throw new Error('nothing is selected');
      return environment.lookup(selector).data;
    };
    const connection = () =>
      part(artifact('_list'), environment.lookup(operation.fragment).data).posts;
    return {
      environment,
      connection,
      posts: (): Shown[] =>
        connection().edges.map(({ node }: { node: unknown }) => part(artifact('_post'), node)),
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

  it('adds pages to a connection, each post once and in order, to the end of the list', async () => {
    const published = await onScreen({ states: ['PUBLISHED'] });
    await published.more();
    await published.more();
    const fifteen = await wholeList(caller(), { filter: { states: ['PUBLISHED'] }, first: 15 });
    expect(new Set(fifteen).size).toBe(15);
    expect(published.ids()).toEqual(fifteen);

    const series = await onScreen({ states: ['RECURRING'] });
    while (series.connection().pageInfo.hasNextPage) await series.more();
    expect(series.ids()).toEqual(
      await wholeList(caller(), { filter: { states: ['RECURRING'] }, first: 100 }),
    );
  });

  it('fetches one post again by its id, and every list shows it', async () => {
    const screen = await onScreen({ states: ['DRAFT_PUBLIC'] });
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

  it('shows what a mutation changed, and no list is asked for again', async () => {
    const screen = await onScreen({ states: ['SCHEDULED'] });
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

  it('deletes edges by the ids that a mutation answers', async () => {
    const screen = await onScreen({ states: ['DRAFT_UNDATED'] });
    const ids = screen.ids();
    const { deletePosts } = await commit(screen.environment, 'DeleteMutation', {
      input: { ids: ids.slice(0, 2) },
      connections: [screen.connection().__id],
    });
    expect(deletePosts.deletedIds).toEqual(ids.slice(0, 2));
    expect(screen.ids()).toEqual(ids.slice(2));
  });

  it('leaves each post its own sponsor and place, even with one id for all', async () => {
    const ids = await wholeList(caller(), { filter: { states: ['DRAFT_PUBLIC'] }, first: 2 });
    const parts = ids.map((id, n) => ({
      sponsor: { id: '99', name: `Sponsor of ${id}`, boost: n === 0 },
      location: { id: '99', name: `Place of ${id}` },
    }));
    for (const [n, { sponsor, location }] of parts.entries())
      await updateBehind(caller(), { id: ids[n]!, post: { details: { sponsor }, location } });
    const [first, second] = (await onScreen({ states: ['DRAFT_PUBLIC'] })).posts();
    expect(
      [first, second].map((post) => ({
        sponsor: post!.details!.sponsor,
        location: post!.location,
      })),
    ).toEqual(parts);
  });

  it('tells refusals as data, and errors with their code', async () => {
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
