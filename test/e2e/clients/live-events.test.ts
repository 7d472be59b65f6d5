import { ApolloClient, ApolloLink, InMemoryCache, gql } from '@apollo/client';
import { cacheExchange, Client as UrqlClient, fetchExchange } from '@urql/core';
import { print } from 'graphql';
import { createClient, type Client } from 'graphql-sse';
import { Observable } from 'rxjs';
import {
  startGateways,
  type GatewayProcess,
  type GatewayProcesses,
} from '../../fixtures/gateway-processes.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { buildIfChanged } from '../../setup/started-program.js';

jest.setTimeout(180_000);

const EVENTS = `subscription Events($after: String) {
  events(types: [POST_UPDATED], after: $after) { version cursor }
}`;

interface EventsResult {
  readonly events: { readonly version: number; readonly cursor: string };
}

let gateways: GatewayProcesses;
let owner: KeyedViewer;
let postId: string;
beforeAll(() => buildIfChanged());
beforeEach(async () => {
  gateways = await startGateways({}, 2);
  owner = await gateways.records.aViewer();
  const post = await gateways.records.aPost({ by: owner, storedState: 'draft_undated' });
  postId = post.id;
});
let stop: (() => void) | undefined;
afterEach(async () => {
  stop?.();
  await gateways.close();
});

const headersOf = ({ apiKey, workspace }: KeyedViewer): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  'Service-Workspace-Id': workspace.id,
});

/** The versions that a client has received, and the cursor of the last event. */
class Received {
  readonly versions: number[] = [];
  cursor: string | null = null;

  add({ events }: EventsResult): void {
    this.versions.push(events.version);
    this.cursor = events.cursor;
  }
}

async function update(gateway: GatewayProcess, text: string): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/posts/${postId}`, {
    method: 'PUT',
    headers: { ...headersOf(owner), 'Content-Type': 'application/json' },
    body: JSON.stringify({ post: { text } }),
  });
  expect(response.status).toBe(200);
}

/**
 * A client subscribes to the first gateway, which is killed while the post changes; the client
 * connects to the second one.
 */
async function continuesAcrossAKill(
  subscribe: (url: () => string, received: Received) => () => void,
): Promise<void> {
  const [first, second] = gateways.processes as [GatewayProcess, GatewayProcess];
  let current = first;
  const received = new Received();
  stop = subscribe(() => `${current.url}/graphql`, received);
  // The stream starts with the present: the first events show that it is open.
  let updates = 0;
  const change = (gateway: GatewayProcess): Promise<void> =>
    update(gateway, `Text ${(updates += 1)}`);
  await waitFor(async () => {
    await change(first);
    return received.versions.length > 0;
  });
  for (let n = 0; n < 5; n += 1) await change(first);
  const isRunning = change(second);
  first.child.kill('SIGKILL');
  current = second;
  await isRunning;
  for (let n = 0; n < 5; n += 1) await change(second);
  await waitFor(() => received.versions.at(-1) === updates + 1);
  const [start = 0] = received.versions;
  expect(received.versions).toEqual(
    Array.from({ length: updates + 2 - start }, (_each, n) => start + n),
  );
}

const openSse = (url: () => string): Client =>
  createClient({
    url,
    headers: headersOf(owner),
    retryAttempts: Infinity,
    retry: () => new Promise((resolve) => void setTimeout(resolve, 50)),
  });

test('graphql-sse continues on another gateway, each event once', async () => {
  await continuesAcrossAKill((url, received) => {
    const client = openSse(url);
    const variables = {
      get after() {
        return received.cursor;
      },
    };
    client.subscribe<EventsResult>(
      { query: EVENTS, variables },
      { next: ({ data }) => received.add(data!), error: () => undefined, complete() {} },
    );
    return () => client.dispose();
  });
});

test('Apollo Client with graphql-sse as its link continues on another gateway', async () => {
  await continuesAcrossAKill((url, received) => {
    const sse = openSse(url);
    const link = new ApolloLink(
      ({ query, variables }) =>
        new Observable((sink) => {
          let cursor: unknown = variables['after'];
          const request = {
            query: print(query),
            variables: {
              ...variables,
              get after() {
                return cursor;
              },
            },
          };
          return sse.subscribe<EventsResult>(request, {
            next(result) {
              cursor = result.data?.events.cursor;
              sink.next(result as ApolloLink.Result);
            },
            error: (error) => sink.error(error),
            complete: () => sink.complete(),
          });
        }),
    );
    const apollo = new ApolloClient({ link, cache: new InMemoryCache() });
    apollo
      .subscribe<EventsResult>({ query: gql(EVENTS) })
      .subscribe({ next: ({ data }) => received.add(data!), error: () => undefined });
    return () => sse.dispose();
  });
});

test('urql reads event streams itself, and continues from the last cursor', async () => {
  await continuesAcrossAKill((url, received) => {
    let isDone = false;
    const subscribe = (): void => {
      if (isDone) return;
      const urql = new UrqlClient({
        url: url(),
        exchanges: [cacheExchange, fetchExchange],
        fetchOptions: { headers: headersOf(owner) },
        fetchSubscriptions: true,
      });
      const { unsubscribe } = urql
        .subscription<EventsResult>(EVENTS, { after: received.cursor })
        .subscribe(({ data, error }) => {
          if (!error) return received.add(data!);
          unsubscribe();
          setTimeout(subscribe, 50);
        });
    };
    subscribe();
    return () => {
      isDone = true;
    };
  });
});
