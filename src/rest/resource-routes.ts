import { GatewayError } from '../domain/errors.js';
import { isPrefixedId } from '../domain/posts/post-id.js';
import { canSeeSensitive, type Caller, type Viewer } from '../domain/access/viewer.js';
import type { JsonResponse } from '../http/responses.js';
import { presentFields } from './bodies/body-fields.js';
import { readParams } from './requests/params.js';
import { PAGE_PARAMS } from './requests/post-params.js';
import {
  ACCOUNT,
  MEDIA,
  presentFailures,
  presentJob,
  WORKSPACE,
} from './bodies/resource-bodies.js';
import {
  assertNoProblems,
  inWorkspace,
  withoutWorkspace,
  type RouteDefinition,
  type RouteDependencies,
  type RestRequest,
} from './route.js';

/** Items per page (D43). */
const PER_PAGE = 100;
/** The largest offset that PostgreSQL accepts here; no list is that long. */
const MAX_OFFSET = 2_147_483_647;

/** Offset of the requested page. */
function readOffset({ query }: RestRequest): number {
  const { values, problems } = readParams(PAGE_PARAMS, query, 'ignore');
  assertNoProblems(problems);
  return Math.min((values.page ?? 0) * PER_PAGE, MAX_OFFSET);
}

/** Handles "Job status". Jobs of other workspaces are reported as unknown (D42). */
async function getJobStatus(
  viewer: Viewer,
  { id }: RestRequest,
  { services, fieldMapping }: RouteDependencies,
): Promise<JsonResponse> {
  const job = isPrefixedId('job', id) ? await services.jobs.find(viewer.workspace.id, id) : null;
  if (!job) throw new GatewayError('JOB_NOT_FOUND');
  await services.readPositions?.advance(viewer.user.id); // it shows what the job has changed
  const payload = await services.jobPayloads(viewer, job);
  const failures = presentFailures(payload.failures, fieldMapping.toV1Message);
  return { status: 200, body: presentJob(job, { ...payload, failures }) };
}

/** Handles "List workspaces": the workspaces of the key's user (D43). */
async function listWorkspaces(
  caller: Caller,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const offset = readOffset(request);
  const workspaces = await services.workspaceRecords.workspacesOf(caller.user.id);
  return {
    status: 200,
    body: {
      workspaces: workspaces
        .slice(offset, offset + PER_PAGE)
        .map((workspace) => presentFields(WORKSPACE, workspace)),
    },
  };
}

async function listAccounts(
  viewer: Viewer,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const accounts = await services.workspaceRecords.accounts(
    viewer.workspace.id,
    null,
    PER_PAGE,
    readOffset(request),
  );
  const isSensitiveVisible = canSeeSensitive(viewer.role);
  return {
    status: 200,
    body: {
      accounts: accounts.map((account) =>
        presentFields(ACCOUNT, { account, isSensitiveVisible: isSensitiveVisible }),
      ),
    },
  };
}

async function listMedia(
  viewer: Viewer,
  request: RestRequest,
  { services }: RouteDependencies,
): Promise<JsonResponse> {
  const media = await services.workspaceRecords.mediaPage(
    viewer.workspace.id,
    PER_PAGE,
    readOffset(request),
  );
  return { status: 200, body: { media: media.map((item) => presentFields(MEDIA, item)) } };
}

const listRoute = (
  definition: Pick<
    RouteDefinition,
    'path' | 'operationId' | 'tag' | 'summary' | 'description' | 'scopes' | 'responseSchema'
  >,
): RouteDefinition => ({
  ...definition,
  method: 'GET',
  params: PAGE_PARAMS,
  requestHeaders: [],
  responseHeaders: [],
  errorCodes: [],
});

/** Routes of jobs, workspaces, accounts and media. */
export const RESOURCE_ROUTES = [
  inWorkspace(
    {
      method: 'GET',
      path: '/v1/job_status/{job_id}',
      operationId: 'getJobStatus',
      tag: 'Jobs',
      summary: 'Job status',
      description:
        'Status of a job: `working`, `completed` or `failed`, with the reasons for failures by post. Finished jobs are kept for 30 days.',
      scopes: [['posts:read']],
      params: {},
      requestHeaders: [],
      responseSchema: 'JobStatus',
      responseHeaders: [],
      errorCodes: ['JOB_NOT_FOUND'],
    },
    getJobStatus,
  ),
  withoutWorkspace(
    listRoute({
      path: '/v1/workspaces',
      operationId: 'listWorkspaces',
      tag: 'Workspaces',
      summary: 'List workspaces',
      description:
        'The workspaces that the user of the key is a member of, 100 per page. Does not require `Service-Workspace-Id`.',
      scopes: [['workspaces']],
      responseSchema: 'WorkspaceList',
    }),
    listWorkspaces,
  ),
  inWorkspace(
    listRoute({
      path: '/v1/accounts',
      operationId: 'listAccounts',
      tag: 'Accounts',
      summary: 'List accounts',
      description:
        'The accounts of the workspace, 100 per page. `social_id` is null unless the user is an owner or admin.',
      scopes: [['accounts']],
      responseSchema: 'AccountList',
    }),
    listAccounts,
  ),
  inWorkspace(
    listRoute({
      path: '/v1/media',
      operationId: 'listMedia',
      tag: 'Media',
      summary: 'List media',
      description:
        'The media library of the workspace, newest first, 100 per page. Updates refer to media by `id`.',
      scopes: [['media']],
      responseSchema: 'MediaList',
    }),
    listMedia,
  ),
];
