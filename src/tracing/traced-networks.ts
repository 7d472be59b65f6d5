import type { HttpClient } from '../networks/http-client/http-client.js';
import type { WebhookSender } from '../services/webhooks/webhook-sender.js';
import { inSpan, type Tracer } from './tracer.js';

/**
 * Traces the requests to networks, and sends `traceparent` with them. URLs are left out: they
 * contain IDs and, for some networks, tokens.
 */
export const traceHttpClient = (tracer: Tracer, client: HttpClient): HttpClient => ({
  ...client,
  send: (request) =>
    inSpan(
      tracer,
      {
        name: `${request.method} ${request.networkName}`,
        kind: 'client',
        attributes: {
          'http.request.method': request.method,
          'posts_gateway.network': request.networkName,
        },
      },
      {
        work() {
          const headers = new Headers(request.headers);
          const traceparent = tracer.traceparent();
          if (traceparent !== null) headers.set('traceparent', traceparent);
          return client.send({ ...request, headers });
        },
        describe: ({ status }) => ({
          attributes: { 'http.response.status_code': status },
          error: status >= 400 ? String(status) : null,
        }),
      },
    ),
});

/** Traces the messages to receivers of webhooks. */
export const traceWebhookSender = (tracer: Tracer, sender: WebhookSender): WebhookSender => ({
  ...sender,
  send: (message) =>
    inSpan(
      tracer,
      { name: 'POST webhook', kind: 'client', attributes: { 'http.request.method': 'POST' } },
      {
        work: () => sender.send(message),
        describe: (response) =>
          response.kind === 'response'
            ? {
                attributes: { 'http.response.status_code': response.status },
                error: response.status >= 400 ? String(response.status) : null,
              }
            : { error: 'no_response' },
      },
    ),
});
