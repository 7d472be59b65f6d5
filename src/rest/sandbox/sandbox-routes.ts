import { NO_FAULTS, type SandboxFaults } from '../../domain/networks/sandbox.js';
import type { JsonResponse } from '../../http/responses.js';
import { presentFields } from '../body-fields.js';
import { bodyEtagOf, ETAG, IF_NONE_MATCH, presentWithEtag } from '../headers.js';
import {
  assertNoParams,
  inWorkspace,
  readBodyOnly,
  type Route,
  type RouteDefinition,
  type WorkspaceHandler,
} from '../route.js';
import {
  CLOCK_READER,
  FAULTS_READER,
  presentTimelines,
  SANDBOX_CLOCK,
  SANDBOX_FAULTS,
  SANDBOX_POST,
  toFaults,
} from './sandbox-bodies.js';

/** All faults of a post and its account. */
const presentFaults = (faults: SandboxFaults): JsonResponse => ({
  status: 200,
  body: presentFields(SANDBOX_FAULTS, faults),
});

const sandboxRoute = (
  definition: Omit<RouteDefinition, 'scopes' | 'tag' | 'errorCodes'>,
  handle: WorkspaceHandler,
  errorCodes: RouteDefinition['errorCodes'] = [],
): Route =>
  inWorkspace(
    {
      ...definition,
      errorCodes,
      tag: 'Sandbox',
      scopes: [[definition.method === 'GET' ? 'posts:read' : 'posts:write']],
    },
    handle,
  );

const POST_ERRORS: RouteDefinition['errorCodes'] = [
  'FORBIDDEN',
  'POST_NOT_FOUND',
  'NOT_IN_SANDBOX',
];
const BODY_ERRORS: RouteDefinition['errorCodes'] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/**
 * Routes of the sandbox network. Their paths have no version, because they are not part of the
 * interface document.
 */
export const SANDBOX_ROUTES: readonly Route[] = [
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/posts',
      operationId: 'listSandboxPosts',
      summary: 'List the newest posts of each sandbox account as readers of the network see them',
      description:
        'At most 100 accounts with 20 posts each. The posts are those on the network: a post that was deleted only in the service is still there.',
      requestHeaders: [IF_NONE_MATCH],
      responseSchema: 'SandboxTimelines',
      responseHeaders: [{ ...ETAG, isAlwaysSent: true }],
    },
    // the page /sandbox polls it
    async (viewer, request, { services }) => {
      assertNoParams(request);
      const body = presentTimelines(await services.sandbox.timelines(viewer));
      return presentWithEtag(body, bodyEtagOf(body), request.headers);
    },
  ),
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/clock',
      operationId: 'getSandboxClock',
      summary: 'Get the time of the sandbox clock in this workspace',
      responseSchema: 'SandboxClock',
    },
    async (viewer, _request, { services }) => ({
      status: 200,
      body: presentFields(SANDBOX_CLOCK, await services.sandbox.clock(viewer)),
    }),
  ),
  sandboxRoute(
    {
      method: 'PUT',
      path: '/sandbox/clock',
      operationId: 'setSandboxClock',
      summary: 'Move the sandbox clock ahead, so that rate limits and retry delays end sooner',
      requestSchema: 'SandboxClockInput',
      responseSchema: 'SandboxClock',
    },
    async (viewer, request, { services }) => {
      const { advance_seconds: aheadSeconds } = readBodyOnly(CLOCK_READER, request);
      const clock = await services.sandbox.setClock(viewer, aheadSeconds);
      return { status: 200, body: presentFields(SANDBOX_CLOCK, clock) };
    },
    ['FORBIDDEN', ...BODY_ERRORS],
  ),
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/{id}',
      operationId: 'getSandboxPost',
      summary: 'Get a post as it is on the sandbox network',
      description:
        'The state of the post in the service does not matter: a post that the network has taken is found here, even if the connection was interrupted or the post was deleted in the service.',
      responseSchema: 'SandboxPost',
    },
    async (viewer, { id }, { services }) => ({
      status: 200,
      body: presentFields(SANDBOX_POST, await services.sandbox.get(viewer, id)),
    }),
    POST_ERRORS,
  ),
  sandboxRoute(
    {
      method: 'DELETE',
      path: '/sandbox/{id}',
      operationId: 'deleteSandboxPost',
      summary: 'Delete a post on the sandbox network without notifying the gateway',
      responseSchema: 'Deleted',
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      const deletedId = await services.sandbox.delete(viewer, request.id);
      return { status: 200, body: { deleted_ids: [deletedId] } };
    },
    POST_ERRORS,
  ),
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/{id}/faults',
      operationId: 'getSandboxFaults',
      summary: 'Get the faults that are injected into the post and its account',
      responseSchema: 'SandboxFaults',
    },
    async (viewer, { id }, { services }) =>
      presentFaults(await services.sandbox.faults(viewer, id)),
    POST_ERRORS,
  ),
  sandboxRoute(
    {
      method: 'PUT',
      path: '/sandbox/{id}/faults',
      operationId: 'setSandboxFaults',
      summary: 'Set faults: absent fields are unchanged, null clears a fault',
      requestSchema: 'SandboxFaultsInput',
      responseSchema: 'SandboxFaults',
    },
    async (viewer, request, { services }) => {
      const change = toFaults(readBodyOnly(FAULTS_READER, request));
      return presentFaults(await services.sandbox.setFaults(viewer, request.id, change));
    },
    [...POST_ERRORS, ...BODY_ERRORS],
  ),
  sandboxRoute(
    {
      method: 'DELETE',
      path: '/sandbox/{id}/faults',
      operationId: 'clearSandboxFaults',
      summary: 'Clear all faults of the post and its account, and reconnect the account',
      responseSchema: 'SandboxFaults',
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      return presentFaults(await services.sandbox.setFaults(viewer, request.id, NO_FAULTS));
    },
    POST_ERRORS,
  ),
];
