import type { Webhook, WebhookDelivery } from '../../domain/webhooks/webhook.js';
import { presentDelivery, presentSecret, presentWebhook } from './webhook-bodies.js';

const WEBHOOK: Webhook = {
  id: 'whk_3fGh7jKl9mNp2qRs',
  url: 'https://hooks.example.com/posts',
  types: ['post.published', 'post.failed'],
  status: 'active',
  createdAt: new Date('2026-11-21T09:30:00Z'),
};
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const DELIVERY: WebhookDelivery = {
  id: 'dlv_7e1f5c0b9a2d4e63',
  eventType: 'post.published',
  eventId: 'evt_5b2f8d7c41e09a36',
  status: 'delivered',
  attempts: 1,
  responseStatus: 204,
  responseBody: '',
  error: null,
  durationMs: 84,
  lastAttemptAt: new Date('2026-11-21T09:31:00Z'),
  nextAttemptAt: null,
  createdAt: new Date('2026-11-21T09:31:00Z'),
};

const TEST: WebhookDelivery = {
  ...DELIVERY,
  id: 'dlv_0c9d8e7f6a5b4c3d',
  eventType: 'webhook.test',
  eventId: null,
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  responseBody: null,
  durationMs: null,
  lastAttemptAt: null,
  nextAttemptAt: DELIVERY.createdAt,
};

/** An example body of each schema of webhooks. */
export const WEBHOOK_EXAMPLES: Readonly<Record<string, unknown>> = {
  WebhookList: { webhooks: [presentWebhook(WEBHOOK)] },
  Webhook: presentWebhook(WEBHOOK),
  WebhookWithSecret: presentSecret(WEBHOOK, SECRET),
  CreateWebhook: { url: WEBHOOK.url, types: WEBHOOK.types },
  UpdateWebhook: { types: ['post.published', 'post.failed', 'post.missed'] },
  DeletedWebhook: { deleted_id: WEBHOOK.id },
  RotateWebhookSecret: { grace_hours: 48 },
  WebhookDelivery: presentDelivery(TEST),
  WebhookDeliveryList: { deliveries: [presentDelivery(DELIVERY)] },
  RedeliverWebhook: { delivery_ids: [DELIVERY.id] },
  RedeliveryJob: { job_id: 'job_5kTq8wEr2yUi4oPa' },
};
