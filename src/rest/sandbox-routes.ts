import { NO_FAULTS } from '../domain/networks/sandbox.js';
import type { Viewer } from '../domain/access/viewer.js';
import type { Answer } from './http-response.js';
import { presentFields } from './bodies/body-fields.js';
import { SANDBOX_CLOCK, SANDBOX_FAULTS, SANDBOX_POST } from './bodies/sandbox-bodies.js';
import { readBody, type InputKey } from './requests/object-body.js';
import { readParams } from './requests/params.js';
import { CLOCK_INPUT, FAULTS_INPUT, toFaults } from './requests/sandbox-input.js';
import {
  assertNone,
  inWorkspace,
  type Route,
  type RouteNotes,
  type V1Parts,
  type V1Request,
} from './v1-route.js';

/** The body of a change, whose query takes no parameters. */
function readChange<T>(input: InputKey<T>, { query, body }: V1Request): T {
  const read = readBody(input, body);
  assertNone([...readParams({}, query, 'refused').problems, ...read.problems]);
  return read.value as T;
}

const assertNoParams = ({ query }: V1Request): void =>
  assertNone(readParams({}, query, 'refused').problems);

async function getPost(viewer: Viewer, { id }: V1Request, { services }: V1Parts): Promise<Answer> {
  return { status: 200, body: presentFields(SANDBOX_POST, await services.sandbox.get(viewer, id)) };
}

async function removePost(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  assertNoParams(request);
  return {
    status: 200,
    body: { deleted_ids: [await services.sandbox.remove(viewer, request.id)] },
  };
}

async function getFaults(
  viewer: Viewer,
  { id }: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  return {
    status: 200,
    body: presentFields(SANDBOX_FAULTS, await services.sandbox.faults(viewer, id)),
  };
}

async function setFaults(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const faults = toFaults(readChange(FAULTS_INPUT, request));
  return {
    status: 200,
    body: presentFields(
      SANDBOX_FAULTS,
      await services.sandbox.setFaults(viewer, request.id, faults),
    ),
  };
}

async function clearFaults(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  assertNoParams(request);
  return {
    status: 200,
    body: presentFields(
      SANDBOX_FAULTS,
      await services.sandbox.setFaults(viewer, request.id, NO_FAULTS),
    ),
  };
}

async function getClock(
  viewer: Viewer,
  _request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  return { status: 200, body: presentFields(SANDBOX_CLOCK, await services.sandbox.clock(viewer)) };
}

async function setClock(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const { advance_seconds: ahead } = readChange(CLOCK_INPUT, request);
  return {
    status: 200,
    body: presentFields(SANDBOX_CLOCK, await services.sandbox.setClock(viewer, ahead)),
  };
}

type Notes = Omit<
  RouteNotes,
  'scopes' | 'params' | 'requestHeaders' | 'answerHeaders' | 'group' | 'refusals'
>;
const inSandbox = (
  notes: Notes,
  refusals: RouteNotes['refusals'],
  handle: Parameters<typeof inWorkspace>[1],
): Route =>
  inWorkspace(
    {
      ...notes,
      refusals,
      group: 'Sandbox',
      scopes: [[notes.method === 'GET' ? 'posts:read' : 'posts:write']],
      params: {},
      requestHeaders: [],
      answerHeaders: [],
    },
    handle,
  );

const OF_POST: RouteNotes['refusals'] = ['FORBIDDEN', 'POST_NOT_FOUND', 'NOT_IN_SANDBOX'];
const OF_BODY: RouteNotes['refusals'] = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The sandbox network, beside v1 and in its manner: not a part of the document's interface, so not under its version. */
export const SANDBOX_ROUTES: readonly Route[] = [
  inSandbox(
    {
      method: 'GET',
      path: '/sandbox/clock',
      name: 'getSandboxClock',
      summary: 'The sandbox’s time in this workspace',
      gives: 'SandboxClock',
    },
    [],
    getClock,
  ),
  inSandbox(
    {
      method: 'PUT',
      path: '/sandbox/clock',
      name: 'setSandboxClock',
      summary: 'Move the sandbox’s time: rate limits end and edits are tried again so much sooner',
      takes: 'SandboxClockInput',
      gives: 'SandboxClock',
    },
    ['FORBIDDEN', ...OF_BODY],
    setClock,
  ),
  inSandbox(
    {
      method: 'GET',
      path: '/sandbox/{id}',
      name: 'getSandboxPost',
      summary: 'A post as the sandbox network has it',
      gives: 'SandboxPost',
    },
    OF_POST,
    getPost,
  ),
  inSandbox(
    {
      method: 'DELETE',
      path: '/sandbox/{id}',
      name: 'deleteSandboxPost',
      summary: 'Delete a post on the sandbox network, behind the service’s back',
      gives: 'Deleted',
    },
    OF_POST,
    removePost,
  ),
  inSandbox(
    {
      method: 'GET',
      path: '/sandbox/{id}/faults',
      name: 'getSandboxFaults',
      summary: 'Faults that an edit of the post meets',
      gives: 'SandboxFaults',
    },
    OF_POST,
    getFaults,
  ),
  inSandbox(
    {
      method: 'PUT',
      path: '/sandbox/{id}/faults',
      name: 'setSandboxFaults',
      summary: 'Set faults; what is not named stays, null ends one',
      takes: 'SandboxFaultsInput',
      gives: 'SandboxFaults',
    },
    [...OF_POST, ...OF_BODY],
    setFaults,
  ),
  inSandbox(
    {
      method: 'DELETE',
      path: '/sandbox/{id}/faults',
      name: 'clearSandboxFaults',
      summary: 'End every fault of the post and its account, and connect the account again',
      gives: 'SandboxFaults',
    },
    OF_POST,
    clearFaults,
  ),
];
