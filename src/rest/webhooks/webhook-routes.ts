import { WEBHOOK_LIMITS } from '../../domain/webhooks/webhook.js';
import { PAGE_PARAMS } from '../requests/post-params.js';
import { inWorkspace, type Route, type RouteDefinition } from '../route.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  rotateSecret,
  testWebhook,
  updateWebhook,
  type Handler,
} from './webhook-handlers.js';

type WebhookRouteDefinition = Omit<
  RouteDefinition,
  'scopes' | 'params' | 'requestHeaders' | 'responseHeaders' | 'tag' | 'errorCodes'
> &
  Partial<Pick<RouteDefinition, 'params'>>;

const BODY_ERRORS = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

const webhookRoute = (
  definition: WebhookRouteDefinition,
  handle: Handler,
  errorCodes: RouteDefinition['errorCodes'] = [],
): Route =>
  inWorkspace(
    {
      params: {},
      ...definition,
      tag: 'Webhooks',
      scopes: [['webhooks']],
      requestHeaders: [],
      responseHeaders: [],
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
    listWebhooks,
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
    createWebhook,
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
    getWebhook,
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
    updateWebhook,
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
    deleteWebhook,
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
    rotateSecret,
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
    testWebhook,
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
    listDeliveries,
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
    redeliver,
    ['RULE_VIOLATION'],
  ),
];
