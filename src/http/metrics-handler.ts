import { GatewayError } from '../domain/errors.js';
import type { HttpHandler } from './handlers.js';
import { assertReadMethod, writeResponse } from './responses.js';

/** Serves /metrics in the text format of Prometheus; every other path is 404. */
export function createMetricsHandler(
  read: () => Promise<{ contentType: string; text: string }>,
): HttpHandler {
  return async (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') throw new GatewayError('NOT_FOUND');
    assertReadMethod(request, response);
    const { contentType, text } = await read();
    writeResponse(response, {
      status: 200,
      headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
      body: text,
    });
  };
}
