import { ApolloServer } from '@apollo/server';
import { SerializedData } from '../../../src/graphql/apollo-server.js';
import type { Authentication } from '../../../src/services/access/access-control.js';
import { createOwnPosts } from '../../attack/own-posts.js';
import { authenticatedAs } from '../test-api.js';
import { openComparison } from './compiled-comparison.js';

/** Who sends a request: members of one workspace, and callers that are in none. */
export type CallerName = 'owner' | 'reader' | 'accountsOnly' | 'withoutWorkspace' | 'nonMember';

/** A request after authentication. By default a POST of the owner. */
export interface CorpusRequest {
  readonly name: string;
  readonly as?: CallerName;
  readonly method?: string;
  readonly search?: string;
  /** In lower case. The default `content-type` of a POST is JSON; undefined for none. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON. */
  readonly body?: unknown;
}

/**
 * What produced a response: compiled execution, Apollo Server with graphql-js, or neither, because
 * the document or the Accept header was rejected before.
 */
export type Responder = 'compiled' | 'apollo' | 'neither';

/** How many requests were answered by what, on the server with compiled execution. */
export type ResponderCounts = Readonly<Record<Responder, number>>;

/** Ids that each side has of its own, because it changes their posts, by the text that stands for them. */
export type OwnIds = Readonly<Record<string, string>>;

/**
 * Replaces the ids of one side by their names, because each side changes a post of its own, and the
 * cursor of changes, which is encrypted and so another text each time.
 */
const toComparableBody = (body: string, ids: OwnIds): string =>
  Object.entries(ids)
    .reduce((text, [name, id]) => text.replaceAll(id, name), body)
    .replaceAll(/"nextCursor":"[\w-]+"/g, '"nextCursor":"<cursor>"');

/** Replaces names in a body by the ids of one side. Without ids, bodies can be nested too deeply for JSON. */
const withIds = <T>(value: T, ids: OwnIds): T =>
  value === undefined || Object.keys(ids).length === 0
    ? value
    : (JSON.parse(
        Object.entries(ids).reduce(
          (text, [name, id]) => text.replaceAll(name, id),
          JSON.stringify(value),
        ),
      ) as T);

/** At most this much of a body is in the report of a difference. */
const REPORTED_CHARACTERS = 600;

/** Opens a server with compiled execution and one without, on the same records. */
export async function openBothServers() {
  let hasCompiled = false;
  const comparison = await openComparison([
    {
      requestDidStart: async () => ({
        async willSendResponse({ response: { body } }) {
          hasCompiled = body.kind === 'single' && body.singleResult.data instanceof SerializedData;
        },
      }),
    },
  ]);
  const { api, viewers } = comparison;
  const [owner, reader] = viewers;
  const accountsOnly = await api.records.aViewer({
    workspaceId: owner.workspace.id,
    role: 'editor',
    scopes: ['accounts'],
  });
  await createOwnPosts(api, owner);
  const callers: Readonly<Record<CallerName, Authentication>> = {
    owner: authenticatedAs(owner),
    reader: authenticatedAs(reader),
    accountsOnly: authenticatedAs(accountsOnly),
    withoutWorkspace: authenticatedAs(owner, { kind: 'missing' }),
    nonMember: authenticatedAs(owner, { kind: 'non_member' }),
  };
  const executed = jest.spyOn(ApolloServer.prototype, 'executeHTTPGraphQLRequest');

  async function respond(
    server: typeof api.server,
    { as = 'owner', method = 'POST', search = '', headers = {}, body }: CorpusRequest,
    ids: OwnIds,
  ) {
    executed.mockClear();
    hasCompiled = false;
    const loggedBefore = api.loggedErrors.length;
    const response = await server.handle(
      {
        method,
        search,
        headers: {
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          'x-request-id': 'r-1',
          ...headers,
        },
        body: withIds(body, ids),
      },
      callers[as],
    );
    return {
      response: {
        ...response,
        // as a list, because their order is that of the bytes that are sent
        headers: Object.entries(response.headers),
        body: toComparableBody(response.body, ids),
        logged: api.loggedErrors.slice(loggedBefore).map(({ message }) => message),
      },
      responder: toResponder(hasCompiled, executed.mock.calls.length > 0),
    };
  }

  /** Sends a request to both servers: what responded on the one, and the responses if they differ. */
  async function compare(
    request: CorpusRequest,
    ids: Readonly<Record<'compiled' | 'interpreted', OwnIds>> = { compiled: {}, interpreted: {} },
  ) {
    const compiled = await respond(api.server, request, ids.compiled);
    const interpreted = await respond(api.interpreter, request, ids.interpreted);
    const isSame = JSON.stringify(compiled.response) === JSON.stringify(interpreted.response);
    return {
      responder: compiled.responder,
      response: compiled.response,
      difference: isSame
        ? null
        : {
            request: request.name,
            compiled: summarize(compiled.response),
            interpreted: summarize(interpreted.response),
          },
    };
  }

  /** Sends requests to both servers, one after the other. */
  async function compareAll(requests: readonly CorpusRequest[]) {
    const counts: Record<Responder, number> = { compiled: 0, apollo: 0, neither: 0 };
    const differences: object[] = [];
    for (const request of requests) {
      const { responder, difference } = await compare(request);
      counts[responder] += 1;
      if (difference) differences.push(difference);
    }
    return { counts: counts as ResponderCounts, differences };
  }

  return {
    ...comparison,
    compare,
    compareAll,
    async close() {
      executed.mockRestore();
      await api.database.drop();
    },
  };
}

function toResponder(hasCompiled: boolean, usedApollo: boolean): Responder {
  if (hasCompiled) return 'compiled';
  return usedApollo ? 'apollo' : 'neither';
}

const summarize = (response: { readonly body: string }) => ({
  ...response,
  body: response.body.slice(0, REPORTED_CHARACTERS),
});
