import type { RequestOptions, TestResponse } from '../fixtures/gateway.js';

/** Sends a request to a gateway. */
export type SendRequest = (
  method: string,
  path: string,
  options?: RequestOptions & { body?: unknown },
) => Promise<TestResponse<any>>;

/** Sends a request, and expects the status. The template names an operation of the document. */
export type ExpectResponse = (
  status: number,
  operation: [method: string, template: string],
  options?: Parameters<SendRequest>[2] & { params?: Record<string, string> },
) => Promise<TestResponse<any>>;

/** Expects the successful response of every operation of webhooks. */
export async function expectWebhookResponses(expectResponse: ExpectResponse): Promise<void> {
  const { body } = await expectResponse(200, ['POST', '/v1/webhooks'], {
    body: { url: 'https://receiver.example/posts', types: ['post.published'] },
  });
  await expectResponse(200, ['GET', '/v1/webhooks']);
  const path = '/v1/webhooks/{webhook_id}';
  const params = { webhook_id: body.id };
  await expectResponse(200, ['GET', path], { params });
  await expectResponse(200, ['PUT', path], { params, body: { types: ['post.failed'] } });
  await expectResponse(200, ['POST', `${path}/secret`], { params, body: { grace_hours: 1 } });
  const { id } = (await expectResponse(200, ['POST', `${path}/test`], { params })).body;
  await expectResponse(200, ['GET', `${path}/deliveries`], { params });
  await expectResponse(202, ['POST', `${path}/redeliver`], {
    params,
    body: { delivery_ids: [id] },
  });
  await expectResponse(200, ['DELETE', path], { params });
}
