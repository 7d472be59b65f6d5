import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { failuresById } from '../../domain/jobs/job.js';
import { timestampOrNull } from '../../domain/timestamp.js';
import type { JsonResponse } from '../../http/responses.js';
import type { CreateOutcome } from '../../services/posts/creation/creation-request.js';
import { readBody } from '../../http/body-readers.js';
import { presentRefusals } from '../errors.js';
import type { FieldMapping } from '../field-mapping.js';
import { DRY_RUN, IDEMPOTENCY_KEY, REPLAYED, withChangeHeaders } from '../headers.js';
import { presentFailures } from '../jobs.js';
import { FLAG, singleParam, type QueryParams } from '../query-params.js';
import { inWorkspace, readChange, type Route, type RouteDefinition } from '../route.js';
import { createCreationReader, toCreationItems, type CreationRoute } from './creation-body.js';

/** Query parameters of the creation of posts. */
export const CREATE_PARAMS = {
  dry_run: singleParam(
    FLAG,
    'Checks all rules and returns what would be created, without creating anything.',
    true,
  ),
} satisfies QueryParams;

function presentCreation(outcome: CreateOutcome, { toV1Message }: FieldMapping): JsonResponse {
  if (outcome.kind === 'refused') return presentRefusals(outcome.refusals, toV1Message);
  const { results, report, job } = outcome;
  if (job) return { status: 202, body: { job_id: job.id } };
  return {
    status: 200,
    body: {
      posts: results.flatMap(({ item, accountId, network, state, scheduledAt, occurrenceDates }) =>
        state === null
          ? []
          : [
              {
                index: item,
                account_id: accountId,
                network,
                state,
                scheduled_at: timestampOrNull(scheduledAt),
                occurrence_dates: occurrenceDates.map(timestampOrNull),
              },
            ],
      ),
      failures: presentFailures(failuresById(report.failures), toV1Message),
      warnings: report.warnings,
    },
  };
}

const JOB =
  'Accounts whose posts are rejected are listed in `failures` of the job, and all other accounts get their posts. With `dry_run=true`, the response is 200 and lists what would be created.';

/** One refused account does not stop the others, and a duplicate is a warning (D50). */
const creationRoute = (
  route: CreationRoute,
  definition: Pick<
    RouteDefinition,
    'path' | 'operationId' | 'summary' | 'description' | 'requestSchema'
  >,
): Route =>
  inWorkspace(
    {
      ...definition,
      method: 'POST',
      tag: 'Posts',
      scopes: [['posts:write']],
      params: CREATE_PARAMS,
      requestHeaders: [IDEMPOTENCY_KEY],
      maxBodyBytes: REQUEST_LIMITS.creationBodyBytes,
      acceptedSchema: 'CreationJob',
      responseSchema: 'CreationPreview',
      responseHeaders: [DRY_RUN, REPLAYED],
      errorCodes: [
        'FORBIDDEN',
        'RULE_VIOLATION',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
        'IDEMPOTENCY_MISMATCH',
        'IDEMPOTENCY_IN_FLIGHT',
      ],
    },
    async (viewer, request, { services, fieldMapping }) => {
      const { value, problems } = readBody(createCreationReader(fieldMapping, route), request.body);
      const { idempotencyKey, dryRun } = readChange(CREATE_PARAMS, request, problems);
      const outcome = await services.posts.create(viewer, {
        items: toCreationItems(value!, route),
        duplicates: 'warn',
        unusedVariants: 'warn',
        job: 'always',
        policy: 'skip_refused',
        dryRun,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      return withChangeHeaders(presentCreation(outcome, fieldMapping), {
        dryRun,
        replayed: outcome.replayed,
      });
    },
  );

/** Routes that create posts (D50). */
export const CREATION_ROUTES: readonly Route[] = [
  creationRoute('schedule', {
    path: '/v1/posts/schedule',
    operationId: 'schedulePosts',
    summary: 'Create scheduled posts, series or drafts',
    description: `Creates a post for each account of 1 to ${REQUEST_LIMITS.creationItems} entries, at most ${REQUEST_LIMITS.newPosts} posts in total. The content for the network of the account overrides \`default\`, field by field. The posts exist by the time the response is sent; \`posts\` of the job lists them. ${JOB}`,
    requestSchema: 'SchedulePosts',
  }),
  creationRoute('publish', {
    path: '/v1/posts/schedule/publish',
    operationId: 'publishPosts',
    summary: 'Create posts and publish them',
    description: `Like \`/v1/posts/schedule\`, but publishes the posts immediately. The job ends when each post is published, has failed, or requires someone to act. ${JOB}`,
    requestSchema: 'PublishPosts',
  }),
];
