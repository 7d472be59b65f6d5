import { Webhook as Verifier } from 'standardwebhooks';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { waitFor } from '../fixtures/wait-for.js';
import type { ReceivedWebhook } from '../fixtures/webhook-receiver.js';

/** Starts a gateway that may send messages to receivers on this machine. */
export const webhookGateway = (
  options: Parameters<typeof gatewayWith>[0] = {},
): Promise<TestGateway> => gatewayWith({ networksAllowLoopback: true, ...options });

/** A webhook and the secret that its creation showed. */
export interface CreatedWebhook {
  readonly id: string;
  readonly secret: string;
}

const CREATE =
  'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id status url types } secret userErrors { code message field } } }';

/** Creates a webhook through GraphQL. */
export async function createWebhook(
  gateway: TestGateway,
  url: string,
  { types = ['POST_CREATED'], as }: { types?: readonly string[]; as?: KeyedViewer } = {},
): Promise<CreatedWebhook> {
  const { body } = await gateway.graphql(CREATE, { input: { url, types } }, as && { as });
  expect(body).toMatchObject({ data: { createWebhook: { userErrors: [] } } });
  const { webhook, secret } = body.data.createWebhook;
  return { id: webhook.id, secret };
}

/** A message, with its signature verified by the Standard Webhooks library. */
export const verified = (secret: string, { body, headers }: ReceivedWebhook): any =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

/** The deliveries of a webhook, newest first. */
export async function deliveriesOf(gateway: TestGateway, id: string): Promise<any[]> {
  const { status, body } = await gateway.v1('GET', `/webhooks/${id}/deliveries`);
  // a connection that the database has just ended
  return status === 503 ? deliveriesOf(gateway, id) : body.deliveries;
}

/** Waits until a webhook has deliveries that all satisfy a condition. */
export const waitForDeliveries = (
  gateway: TestGateway,
  id: string,
  condition: (delivery: any) => boolean,
): Promise<void> =>
  waitFor(async () => {
    const deliveries = await deliveriesOf(gateway, id);
    return deliveries.length > 0 && deliveries.every(condition);
  });
