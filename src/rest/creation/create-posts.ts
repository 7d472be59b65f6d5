import type { Viewer } from '../../domain/access/viewer.js';
import { failuresById } from '../../domain/jobs/job.js';
import { timestampOrNull } from '../../domain/timestamp.js';
import type { JsonResponse } from '../../http/responses.js';
import type { CreateOutcome } from '../../services/posts/creation/creation-request.js';
import { presentFailures } from '../bodies/resource-bodies.js';
import { presentRefusals } from '../errors.js';
import { readBody } from '../requests/body-object-reader.js';
import { presentWriteHeaders, readIdempotencyKey } from '../requests/change-headers.js';
import type { FieldMapping } from '../requests/field-mapping.js';
import { readParams } from '../requests/params.js';
import { CREATE_PARAMS } from '../requests/post-params.js';
import { assertNoProblems, type RestRequest, type RouteDependencies } from '../route.js';
import { createCreationReader } from './creation-body.js';
import type { CreationRoute } from './creation-input.js';
import { toCreationItems } from './to-creation.js';

/**
 * Handles the creation of posts (D50): one refused account does not stop the others, and a
 * duplicate is a warning.
 */
export const createPosts =
  (route: CreationRoute) =>
  async (
    viewer: Viewer,
    { query, headers, body }: RestRequest,
    { services, fieldMapping }: RouteDependencies,
  ): Promise<JsonResponse> => {
    const { values, problems } = readParams(CREATE_PARAMS, query, 'reject');
    const idempotency = readIdempotencyKey(headers);
    const read = readBody(createCreationReader(fieldMapping, route), body);
    assertNoProblems([...problems, ...idempotency.problems, ...read.problems]);

    const dryRun = values.dry_run ?? false;
    const outcome = await services.posts.create(viewer, {
      items: toCreationItems(read.value!, route),
      duplicates: 'warn',
      unusedVariants: 'warn',
      job: 'always',
      policy: 'skip_refused',
      dryRun,
      ...(idempotency.key !== undefined && { idempotencyKey: idempotency.key }),
    });
    const response = presentCreation(outcome, fieldMapping);
    return {
      ...response,
      headers: {
        ...response.headers,
        ...presentWriteHeaders({ dryRun, replayed: outcome.replayed }),
      },
    };
  };

function presentCreation(outcome: CreateOutcome, { toV1Message }: FieldMapping): JsonResponse {
  if (outcome.kind === 'refused')
    return presentRefusals(outcome.refusals, ({ message }) => toV1Message(message));
  const { results, report, job } = outcome;
  if (job) return { status: 202, body: { job_id: job.id } };
  return {
    status: 200,
    body: {
      posts: results.flatMap(({ item, accountId, network, state, scheduledAt }) =>
        state === null
          ? []
          : [
              {
                index: item,
                account_id: accountId,
                network,
                state,
                scheduled_at: timestampOrNull(scheduledAt),
              },
            ],
      ),
      failures: presentFailures(failuresById(report.failures), toV1Message),
      warnings: report.warnings,
    },
  };
}
