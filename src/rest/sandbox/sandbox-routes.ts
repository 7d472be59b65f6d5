import { NO_FAULTS, type SandboxFaults } from '../../domain/networks/sandbox.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { JsonResponse } from '../../http/responses.js';
import { presentFields } from '../bodies/body-fields.js';
import { SANDBOX_CLOCK, SANDBOX_FAULTS, SANDBOX_POST } from '../bodies/sandbox-bodies.js';
import { readBody, type BodyReader } from '../requests/body-object-reader.js';
import { readParams } from '../requests/params.js';
import { CLOCK_READER, FAULTS_READER, toFaults } from '../requests/sandbox-input.js';
import {
  assertNoProblems,
  inWorkspace,
  type Route,
  type RouteDefinition,
  type RouteDependencies,
  type RestRequest,
} from '../route.js';
import { SANDBOX_POSTS_ROUTE } from './sandbox-posts.js';

/** Reads the body of a request without query parameters. */
function readBodyOnly<T>(reader: BodyReader<T>, { query, body }: RestRequest): T {
  const read = readBody(reader, body);
  assertNoProblems([...readParams({}, query, 'reject').problems, ...read.problems]);
  return read.value as T;
}

const assertNoParams = ({ query }: RestRequest): void =>
  assertNoProblems(readParams({}, query, 'reject').problems);

async function getPost(
  viewer: Viewer,
  { id }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  return { status: 200, body: presentFields(SANDBOX_POST, await services.sandbox.get(viewer, id)) };
}

async function deletePost(
  viewer: Viewer,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  assertNoParams(request);
  return {
    status: 200,
    body: { deleted_ids: [await services.sandbox.delete(viewer, request.id)] },
  };
}

async function getFaults(
  viewer: Viewer,
  { id }: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  return {
    status: 200,
    body: presentFields(SANDBOX_FAULTS, await services.sandbox.faults(viewer, id)),
  };
}

/** A change of the faults, which responds with all faults of the post and its account. */
const changeFaults =
  (readChange: (request: RestRequest) => Partial<SandboxFaults>) =>
  async (
    viewer: Viewer,
    request: RestRequest,
    { services }: RouteDependencies,
  ): Promise<JsonResponse> => {
    const change = readChange(request);
    const faults = await services.sandbox.setFaults(viewer, request.id, change);
    return { status: 200, body: presentFields(SANDBOX_FAULTS, faults) };
  };

const setFaults = changeFaults((request) => toFaults(readBodyOnly(FAULTS_READER, request)));

const clearFaults = changeFaults((request) => {
  assertNoParams(request);
  return NO_FAULTS;
});

async function getClock(
  viewer: Viewer,
  _request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  return { status: 200, body: presentFields(SANDBOX_CLOCK, await services.sandbox.clock(viewer)) };
}

async function setClock(
  viewer: Viewer,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const { advance_seconds: aheadSeconds } = readBodyOnly(CLOCK_READER, request);
  return {
    status: 200,
    body: presentFields(SANDBOX_CLOCK, await services.sandbox.setClock(viewer, aheadSeconds)),
  };
}

type SandboxRouteDefinition = Omit<
  RouteDefinition,
  'scopes' | 'params' | 'requestHeaders' | 'responseHeaders' | 'tag' | 'errorCodes'
>;
const sandboxRoute = (
  definition: SandboxRouteDefinition,
  errorCodes: RouteDefinition['errorCodes'],
  handle: Parameters<typeof inWorkspace>[1],
): Route =>
  inWorkspace(
    {
      ...definition,
      errorCodes,
      tag: 'Sandbox',
      scopes: [[definition.method === 'GET' ? 'posts:read' : 'posts:write']],
      params: {},
      requestHeaders: [],
      responseHeaders: [],
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
  SANDBOX_POSTS_ROUTE,
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/clock',
      operationId: 'getSandboxClock',
      summary: 'Get the time of the sandbox clock in this workspace',
      responseSchema: 'SandboxClock',
    },
    [],
    getClock,
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
    ['FORBIDDEN', ...BODY_ERRORS],
    setClock,
  ),
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/{id}',
      operationId: 'getSandboxPost',
      summary: 'Get a post as stored on the sandbox network',
      responseSchema: 'SandboxPost',
    },
    POST_ERRORS,
    getPost,
  ),
  sandboxRoute(
    {
      method: 'DELETE',
      path: '/sandbox/{id}',
      operationId: 'deleteSandboxPost',
      summary: 'Delete a post on the sandbox network without notifying the gateway',
      responseSchema: 'Deleted',
    },
    POST_ERRORS,
    deletePost,
  ),
  sandboxRoute(
    {
      method: 'GET',
      path: '/sandbox/{id}/faults',
      operationId: 'getSandboxFaults',
      summary: 'Get the faults that are injected into the post and its account',
      responseSchema: 'SandboxFaults',
    },
    POST_ERRORS,
    getFaults,
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
    [...POST_ERRORS, ...BODY_ERRORS],
    setFaults,
  ),
  sandboxRoute(
    {
      method: 'DELETE',
      path: '/sandbox/{id}/faults',
      operationId: 'clearSandboxFaults',
      summary: 'Clear all faults of the post and its account, and reconnect the account',
      responseSchema: 'SandboxFaults',
    },
    POST_ERRORS,
    clearFaults,
  ),
];
