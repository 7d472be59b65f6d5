import type { Viewer } from '../../domain/access/viewer.js';
import type { JsonResponse } from '../../http/responses.js';
import { presentTimelines } from '../bodies/sandbox-bodies.js';
import { bodyEtagOf, ETAG, IF_NONE_MATCH, matchesIfNoneMatch } from '../requests/etag.js';
import { readParams } from '../requests/params.js';
import {
  assertNoProblems,
  inWorkspace,
  type RestRequest,
  type RouteDependencies,
} from '../route.js';

/** What readers of the sandbox network see. Returns 304 if the client has the current body. */
async function listPosts(
  viewer: Viewer,
  { query, headers }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  assertNoProblems(readParams({}, query, 'reject').problems);
  const body = presentTimelines(await services.sandbox.timelines(viewer));
  const etag = bodyEtagOf(body);
  if (matchesIfNoneMatch(headers['if-none-match'], etag))
    return { status: 304, headers: { ETag: etag } };
  return { status: 200, headers: { ETag: etag }, body };
}

/** The route that the page /sandbox polls. */
export const SANDBOX_POSTS_ROUTE = inWorkspace(
  {
    method: 'GET',
    path: '/sandbox/posts',
    operationId: 'listSandboxPosts',
    tag: 'Sandbox',
    summary: 'List the newest posts of each sandbox account as readers of the network see them',
    description:
      'At most 100 accounts with 20 posts each. The posts are those on the network: a post that was deleted only in the service is still there.',
    scopes: [['posts:read']],
    params: {},
    requestHeaders: [IF_NONE_MATCH],
    responseSchema: 'SandboxTimelines',
    responseHeaders: [{ ...ETAG, isAlwaysSent: true }],
    errorCodes: [],
  },
  listPosts,
);
