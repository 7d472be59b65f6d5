import { GatewayError } from '../domain/errors.js';
import { isPrefixedId } from '../domain/posts/post-id.js';
import { seesSensitive, type Caller, type Viewer } from '../domain/access/viewer.js';
import type { Answer } from './http-response.js';
import { presentFields } from './bodies/body-fields.js';
import { readParams } from './requests/params.js';
import { PAGE_PARAMS } from './requests/post-params.js';
import { ACCOUNT, JOB, MEDIA, WORKSPACE } from './bodies/record-bodies.js';
import {
  assertNone,
  inWorkspace,
  ofCaller,
  type RouteNotes,
  type V1Parts,
  type V1Request,
} from './v1-route.js';

/** Records in one answer (D43). */
const PER_PAGE = 100;
/** Past the end of any list, and still an offset that the database takes. */
const MAX_OFFSET = 2_147_483_647;

/** Where the page that a query asks for begins. */
function readOffset({ query }: V1Request): number {
  const { values, problems } = readParams(PAGE_PARAMS, query, 'ignored');
  assertNone(problems);
  return Math.min((values.page ?? 0) * PER_PAGE, MAX_OFFSET);
}

/** "Job status": another workspace's job is unknown (D42). */
async function getJobStatus(
  viewer: Viewer,
  { id }: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const job = isPrefixedId('job', id) ? await services.jobs.find(viewer.workspace.id, id) : null;
  if (!job) throw new GatewayError('JOB_NOT_FOUND');
  return { status: 200, body: presentFields(JOB, job) };
}

/** The workspaces of the key's user. */
async function listWorkspaces(
  caller: Caller,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const offset = readOffset(request);
  const workspaces = await services.directory.workspacesOf(caller.user.id);
  return {
    status: 200,
    body: {
      workspaces: workspaces
        .slice(offset, offset + PER_PAGE)
        .map((one) => presentFields(WORKSPACE, one)),
    },
  };
}

async function listAccounts(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const accounts = await services.directory.accounts(
    viewer.workspace.id,
    null,
    PER_PAGE,
    readOffset(request),
  );
  const seen = accounts.map((account) => ({ account, seesSensitive: seesSensitive(viewer.role) }));
  return { status: 200, body: { accounts: seen.map((one) => presentFields(ACCOUNT, one)) } };
}

async function listMedia(
  viewer: Viewer,
  request: V1Request,
  { services }: V1Parts,
): Promise<Answer> {
  const media = await services.directory.mediaPage(
    viewer.workspace.id,
    PER_PAGE,
    readOffset(request),
  );
  return { status: 200, body: { media: media.map((one) => presentFields(MEDIA, one)) } };
}

const list = (
  notes: Pick<RouteNotes, 'path' | 'name' | 'group' | 'summary' | 'meaning' | 'scopes' | 'gives'>,
): RouteNotes => ({
  ...notes,
  method: 'GET',
  params: PAGE_PARAMS,
  requestHeaders: [],
  answerHeaders: [],
  refusals: [],
});

export const RECORD_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/job_status/{job_id}',
      name: 'getJobStatus',
      group: 'Jobs',
      summary: 'Job status',
      meaning:
        'Whether a job is `working`, `completed` or `failed`, and why it failed, by post. Ended jobs are kept for 30 days.',
      scopes: [['posts:read']],
      params: {},
      requestHeaders: [],
      gives: 'JobStatus',
      answerHeaders: [],
      refusals: ['JOB_NOT_FOUND'],
    },
    getJobStatus,
  ),
  ofCaller(
    list({
      path: '/v1/workspaces',
      name: 'listWorkspaces',
      group: 'Workspaces',
      summary: 'List workspaces',
      meaning:
        'Those that the key’s user is a member of, a hundred a page; this one needs no `Service-Workspace-Id`.',
      scopes: [['workspaces']],
      gives: 'WorkspaceList',
    }),
    listWorkspaces,
  ),
  inWorkspace(
    list({
      path: '/v1/accounts',
      name: 'listAccounts',
      group: 'Accounts',
      summary: 'List accounts',
      meaning: 'A hundred a page. `social_id` is null for all but owners and admins.',
      scopes: [['accounts']],
      gives: 'AccountList',
    }),
    listAccounts,
  ),
  inWorkspace(
    list({
      path: '/v1/media',
      name: 'listMedia',
      group: 'Media',
      summary: 'List media',
      meaning: 'What an update may name by its `id`, newest first, a hundred a page.',
      scopes: [['media']],
      gives: 'MediaList',
    }),
    listMedia,
  ),
];
