import { enumKeys, JOB_STATUSES } from '../domain/enums.js';
import { GatewayError } from '../domain/errors.js';
import type { JobPayload } from '../domain/jobs/job-payload.js';
import { NETWORKS } from '../domain/networks/networks.js';
import { isPrefixedId } from '../domain/posts/post.js';
import { POST_STATES } from '../domain/posts/states.js';
import {
  arrayOf,
  enumOf,
  INTEGER,
  nullable,
  objectOf,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../http/json-schema.js';
import { inWorkspace } from './route.js';

const FAILURES: JsonSchema = {
  type: 'object',
  additionalProperties: arrayOf(TEXT),
  description: 'Error messages by post or account ID. Empty if nothing failed.',
};
const WARNINGS = withDescription('Warnings about the created posts.', arrayOf(TEXT));

/** A post of a creation (D50), without what only created posts have. */
const PLANNED_POST = {
  index: withDescription('Index of the entry of the request.', INTEGER),
  account_id: withDescription('Null for a draft without an account.', nullable(TEXT)),
  network: nullable(enumOf(enumKeys(NETWORKS))),
  state: enumOf(enumKeys(POST_STATES)),
  scheduled_at: nullable(TIMESTAMP),
};
const { index, ...PLANNED_FIELDS } = PLANNED_POST;
const CREATED_POST: JsonSchema = objectOf({
  index,
  id: TEXT,
  ...PLANNED_FIELDS,
  post_link: nullable(TEXT),
});

/** Schema of the result of a dry run of a creation (D50). */
const CREATION_PREVIEW: JsonSchema = objectOf({
  posts: withDescription(
    'Posts that would be created.',
    arrayOf(
      objectOf({
        ...PLANNED_POST,
        occurrence_dates: withDescription(
          'Times of the occurrences of a series. Empty for other posts.',
          arrayOf(TIMESTAMP),
        ),
      }),
    ),
  ),
  failures: FAILURES,
  warnings: WARNINGS,
});

/** Schema of a job, and of its payload (D42, D51). */
const JOB: JsonSchema = objectOf({
  status: enumOf(enumKeys(JOB_STATUSES)),
  payload: objectOf(
    {
      posts: withDescription(
        'For a job that creates posts or publishes them now: the current data of the posts, without deleted ones.',
        arrayOf(CREATED_POST),
      ),
      failures: FAILURES,
      warnings: WARNINGS,
    },
    ['posts', 'warnings'],
  ),
});

/** The failures of a job, with their messages in the words of v1. */
export const presentFailures = (
  failures: JobPayload['failures'],
  toMessage: (message: string) => string,
): JobPayload['failures'] =>
  Object.fromEntries(
    Object.entries(failures).map(([id, messages]) => [id, messages.map(toMessage)]),
  );

/** Schemas of jobs by component name. */
export const JOB_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  JobStatus: JOB,
  CreationPreview: CREATION_PREVIEW,
};

/** Jobs of other workspaces are reported as unknown (D42). */
export const GET_JOB_STATUS = inWorkspace(
  {
    method: 'GET',
    path: '/v1/job_status/{job_id}',
    operationId: 'getJobStatus',
    tag: 'Jobs',
    summary: 'Job status',
    description:
      'Status of a job: `working`, `completed` or `failed`, with the reasons for failures by post. Finished jobs are kept for 30 days.',
    scopes: [['posts:read']],
    responseSchema: 'JobStatus',
    errorCodes: ['JOB_NOT_FOUND'],
  },
  async (viewer, { id }, { services, fieldMapping }) => {
    const job = isPrefixedId('job', id) ? await services.jobs.find(viewer.workspace.id, id) : null;
    if (!job) throw new GatewayError('JOB_NOT_FOUND');
    const payload = await services.jobPayloads(viewer, job);
    const failures = presentFailures(payload.failures, fieldMapping.toV1Message);
    return { status: 200, body: { status: job.status, payload: { ...payload, failures } } };
  },
);
