import type { Viewer } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { redeliveryProblem, WEBHOOK_LIMITS, type Webhook } from '../../domain/webhooks/webhook.js';
import type { JsonResponse } from '../../http/responses.js';
import type { WebhookOutcome, Webhooks } from '../../services/webhooks/webhooks.js';
import type { BodyReader } from '../../http/body-readers.js';
import { presentRefusals } from '../errors.js';
import { PAGE_PARAMS } from '../query-params.js';
import {
  assertNoParams,
  assertNoProblems,
  inWorkspace,
  readBodyOnly,
  readPage,
  type RestRequest,
  type Route,
  type RouteDefinition,
  type WorkspaceHandler,
} from '../route.js';
import {
  CREATE_READER,
  presentDelivery,
  presentSecret,
  presentWebhook,
  REDELIVER_READER,
  ROTATE_READER,
  UPDATE_READER,
} from './webhook-bodies.js';

/** Reads the body of a request that has no query parameters. An empty body is an empty object. */
const readInput = <T>(reader: BodyReader<T>, request: RestRequest): T =>
  readBodyOnly(reader, { ...request, body: request.body === undefined ? {} : request.body });

/** The response to a change: the result, or the reasons why there is none. */
const presentOutcome = <Result>(
  outcome: WebhookOutcome<Result>,
  present: (result: Result) => unknown,
): JsonResponse =>
  outcome.kind === 'refused'
    ? presentRefusals(outcome.refusals)
    : { status: 200, body: present(outcome) };

/** @throws GatewayError FORBIDDEN, WEBHOOK_NOT_FOUND */
async function findWebhook(viewer: Viewer, id: string, webhooks: Webhooks): Promise<Webhook> {
  await webhooks.list(viewer);
  const webhook = await webhooks.find(viewer, id);
  if (!webhook) throw new GatewayError('WEBHOOK_NOT_FOUND');
  return webhook;
}

type WebhookRouteDefinition = Omit<
  RouteDefinition,
  'scopes' | 'requestHeaders' | 'responseHeaders' | 'tag' | 'errorCodes'
>;

const BODY_ERRORS = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

const webhookRoute = (
  definition: WebhookRouteDefinition,
  handle: WorkspaceHandler,
  errorCodes: RouteDefinition['errorCodes'] = [],
): Route =>
  inWorkspace(
    {
      ...definition,
      tag: 'Webhooks',
      scopes: [['webhooks']],
      errorCodes: [
        'FORBIDDEN',
        ...(definition.path.includes('{') ? (['WEBHOOK_NOT_FOUND'] as const) : []),
        ...(definition.requestSchema ? BODY_ERRORS : []),
        ...errorCodes,
      ],
    },
    handle,
  );

/** Routes of webhooks (D75). */
export const WEBHOOK_ROUTES: readonly Route[] = [
  webhookRoute(
    {
      method: 'GET',
      path: '/v1/webhooks',
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description:
        'The webhooks of the workspace, in the order of their creation. For owners and admins.',
      responseSchema: 'WebhookList',
    },
    async (viewer, _request, { services }) => ({
      status: 200,
      body: { webhooks: (await services.webhooks.list(viewer)).map(presentWebhook) },
    }),
  ),
  webhookRoute(
    {
      method: 'POST',
      path: '/v1/webhooks',
      operationId: 'createWebhook',
      summary: 'Create webhook',
      description: `Events of the chosen types are sent to a URL from now on. A workspace has at most ${WEBHOOK_LIMITS.perWorkspace} webhooks. The response contains the secret that signs messages, which is shown only once.`,
      requestSchema: 'CreateWebhook',
      responseSchema: 'WebhookWithSecret',
    },
    async (viewer, request, { services }) =>
      presentOutcome(
        await services.webhooks.create(viewer, readInput(CREATE_READER, request)),
        ({ webhook, secret }) => presentSecret(webhook, secret),
      ),
    ['RULE_VIOLATION'],
  ),
  webhookRoute(
    {
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}',
      operationId: 'getWebhook',
      summary: 'Get webhook',
      responseSchema: 'Webhook',
    },
    async (viewer, { id }, { services }) => ({
      status: 200,
      body: presentWebhook(await findWebhook(viewer, id, services.webhooks)),
    }),
  ),
  webhookRoute(
    {
      method: 'PUT',
      path: '/v1/webhooks/{webhook_id}',
      operationId: 'updateWebhook',
      summary: 'Update webhook',
      description:
        'Changes the URL or the types, or disables or enables the webhook. Keys that are absent or null are kept.',
      requestSchema: 'UpdateWebhook',
      responseSchema: 'Webhook',
    },
    async (viewer, request, { services }) => {
      const { url, types, status } = readInput(UPDATE_READER, request);
      const change = { ...(url && { url }), ...(types && { types }), ...(status && { status }) };
      return presentOutcome(
        await services.webhooks.update(viewer, request.id, change),
        ({ webhook }) => presentWebhook(webhook),
      );
    },
    ['RULE_VIOLATION'],
  ),
  webhookRoute(
    {
      method: 'DELETE',
      path: '/v1/webhooks/{webhook_id}',
      operationId: 'deleteWebhook',
      summary: 'Delete webhook',
      description: 'Deletes the webhook and the log of its deliveries.',
      responseSchema: 'DeletedWebhook',
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      return presentOutcome(
        await services.webhooks.delete(viewer, request.id),
        ({ deletedId }) => ({ deleted_id: deletedId }),
      );
    },
  ),
  webhookRoute(
    {
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/secret',
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate secret',
      description:
        'Replaces the secret. Until the grace period ends, messages have one signature per secret.',
      requestSchema: 'RotateWebhookSecret',
      responseSchema: 'WebhookWithSecret',
    },
    async (viewer, request, { services }) => {
      const { grace_hours: hours } = readInput(ROTATE_READER, request);
      return presentOutcome(
        await services.webhooks.rotateSecret(
          viewer,
          request.id,
          hours ?? WEBHOOK_LIMITS.graceHours.default,
        ),
        ({ webhook, secret }) => presentSecret(webhook, secret),
      );
    },
  ),
  webhookRoute(
    {
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/test',
      operationId: 'testWebhook',
      summary: 'Test webhook',
      description:
        'Sends a message of type `webhook.test` within seconds. The list of deliveries shows its result.',
      responseSchema: 'WebhookDelivery',
    },
    async (viewer, request, { services }) => {
      assertNoParams(request);
      return presentOutcome(await services.webhooks.test(viewer, request.id), ({ delivery }) =>
        presentDelivery(delivery),
      );
    },
    ['RULE_VIOLATION', ...BODY_ERRORS],
  ),
  webhookRoute(
    {
      method: 'GET',
      path: '/v1/webhooks/{webhook_id}/deliveries',
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries',
      description: 'The messages of the last 30 days, newest first, 100 per page.',
      params: PAGE_PARAMS,
      responseSchema: 'WebhookDeliveryList',
    },
    async (viewer, { id, query }, { services }) => {
      const page = readPage(query);
      const webhook = await findWebhook(viewer, id, services.webhooks);
      const pages = await services.webhooks.deliveries([webhook.id], page);
      const { deliveries = [] } = pages.get(id) ?? {};
      return { status: 200, body: { deliveries: deliveries.map(presentDelivery) } };
    },
  ),
  webhookRoute(
    {
      method: 'POST',
      path: '/v1/webhooks/{webhook_id}/redeliver',
      operationId: 'redeliverWebhook',
      summary: 'Send messages again',
      description:
        'Sends some deliveries again, or all events since a time, including those that happened while the webhook was disabled. A job queues the messages, with the same `webhook-id` as before.',
      requestSchema: 'RedeliverWebhook',
      acceptedSchema: 'RedeliveryJob',
      responseSchema: 'RedeliveryJob',
    },
    async (viewer, request, { services }) => {
      const { delivery_ids: deliveryIds = null, since = null } = readInput(
        REDELIVER_READER,
        request,
      );
      const problem = redeliveryProblem({ deliveryIds, since });
      if (problem)
        assertNoProblems([{ path: [toSnakeCase(problem.field)], message: problem.message }]);
      const redelivery = { webhookId: request.id, deliveryIds, since };
      const outcome = await services.webhooks.redeliver(viewer, redelivery);
      return outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals)
        : { status: 202, body: { job_id: outcome.jobId } };
    },
    ['RULE_VIOLATION'],
  ),
];
