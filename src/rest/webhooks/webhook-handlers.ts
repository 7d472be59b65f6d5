import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { redeliveryProblem, WEBHOOK_LIMITS } from '../../domain/webhooks/webhook.js';
import type { JsonResponse } from '../../http/responses.js';
import type { WebhookOutcome } from '../../services/webhooks/webhooks.js';
import { presentRefusals } from '../errors.js';
import { readBody, type BodyReader } from '../requests/body-object-reader.js';
import { readParams } from '../requests/params.js';
import { PAGE_PARAMS } from '../requests/post-params.js';
import { assertNoProblems, type RestRequest, type RouteDependencies } from '../route.js';
import { presentDelivery, presentSecret, presentWebhook } from './webhook-bodies.js';
import { CREATE_READER, REDELIVER_READER, ROTATE_READER, UPDATE_READER } from './webhook-input.js';

const PER_PAGE = 100;
const MAX_OFFSET = 2_147_483_647;

/** Reads the body of a request that has no query parameters. An empty body is an empty object. */
function readInput<T>(reader: BodyReader<T>, { query, body }: RestRequest): T {
  const { value, problems } = readBody(reader, body === undefined ? {} : body);
  assertNoProblems([...readParams({}, query, 'reject').problems, ...problems]);
  return value!;
}

const assertNoInput = ({ query }: RestRequest): void =>
  assertNoProblems(readParams({}, query, 'reject').problems);

/** The response to a change: the result, or the reasons why there is none. */
const presentOutcome = <Result>(
  outcome: WebhookOutcome<Result>,
  present: (result: Result) => unknown,
): JsonResponse =>
  outcome.kind === 'refused'
    ? presentRefusals(outcome.refusals)
    : { status: 200, body: present(outcome) };

/** Handles a route of webhooks. */
export type Handler = (
  viewer: Viewer,
  request: RestRequest,
  dependencies: RouteDependencies,
) => Promise<JsonResponse>;

/** Handles "List webhooks" (D75). */
export const listWebhooks: Handler = async (viewer, _request, { services }) => ({
  status: 200,
  body: { webhooks: (await services.webhooks.list(viewer)).map(presentWebhook) },
});

/** Handles "Create webhook" (D75). */
export const createWebhook: Handler = async (viewer, request, { services }) =>
  presentOutcome(
    await services.webhooks.create(viewer, readInput(CREATE_READER, request)),
    ({ webhook, secret }) => presentSecret(webhook, secret),
  );

/** @throws GatewayError FORBIDDEN, WEBHOOK_NOT_FOUND */
async function requireWebhook(viewer: Viewer, id: string, { services }: RouteDependencies) {
  await services.webhooks.list(viewer);
  const webhook = await services.webhooks.find(viewer, id);
  if (!webhook) throw new GatewayError('WEBHOOK_NOT_FOUND');
  return webhook;
}

/** Handles "Get webhook" (D75). */
export const getWebhook: Handler = async (viewer, { id }, dependencies) => ({
  status: 200,
  body: presentWebhook(await requireWebhook(viewer, id, dependencies)),
});

/** Handles "Update webhook" (D75). */
export const updateWebhook: Handler = async (viewer, request, { services }) => {
  const { url, types, status } = readInput(UPDATE_READER, request);
  const change = { ...(url && { url }), ...(types && { types }), ...(status && { status }) };
  return presentOutcome(await services.webhooks.update(viewer, request.id, change), ({ webhook }) =>
    presentWebhook(webhook),
  );
};

/** Handles "Delete webhook" (D75). */
export const deleteWebhook: Handler = async (viewer, request, { services }) => {
  assertNoInput(request);
  return presentOutcome(await services.webhooks.delete(viewer, request.id), ({ deletedId }) => ({
    deleted_id: deletedId,
  }));
};

/** Handles "Rotate secret" (D75). */
export const rotateSecret: Handler = async (viewer, request, { services }) => {
  const { grace_hours: hours } = readInput(ROTATE_READER, request);
  return presentOutcome(
    await services.webhooks.rotateSecret(
      viewer,
      request.id,
      hours ?? WEBHOOK_LIMITS.graceHours.default,
    ),
    ({ webhook, secret }) => presentSecret(webhook, secret),
  );
};

/** Handles "Test webhook" (D75). */
export const testWebhook: Handler = async (viewer, request, { services }) => {
  assertNoInput(request);
  return presentOutcome(await services.webhooks.test(viewer, request.id), ({ delivery }) =>
    presentDelivery(delivery),
  );
};

/** Handles "List deliveries" (D75). */
export const listDeliveries: Handler = async (viewer, { id, query }, dependencies) => {
  const { values, problems } = readParams(PAGE_PARAMS, query, 'ignore');
  assertNoProblems(problems);
  const webhook = await requireWebhook(viewer, id, dependencies);
  const offset = Math.min((values.page ?? 0) * PER_PAGE, MAX_OFFSET);
  const window = { limit: PER_PAGE, offset };
  const page = (await dependencies.services.webhooks.deliveries([webhook.id], window)).get(id);
  return { status: 200, body: { deliveries: (page?.deliveries ?? []).map(presentDelivery) } };
};

/** Handles "Send messages again" (D75). */
export const redeliver: Handler = async (viewer, request, { services }) => {
  const { delivery_ids: deliveryIds = null, since = null } = readInput(REDELIVER_READER, request);
  const problem = redeliveryProblem({ deliveryIds, since });
  if (problem) assertNoProblems([{ path: [toSnakeCase(problem.field)], message: problem.message }]);
  const redelivery = { webhookId: request.id, deliveryIds, since };
  const outcome = await services.webhooks.redeliver(viewer, redelivery);
  return outcome.kind === 'refused'
    ? presentRefusals(outcome.refusals)
    : { status: 202, body: { job_id: outcome.jobId } };
};
