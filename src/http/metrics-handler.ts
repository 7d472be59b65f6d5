import { GatewayError } from '../domain/errors.js';
import type { HttpHandler } from './handlers.js';
import { assertReadMethod, writeResponse } from './responses.js';

/** Serves /metrics in the Prometheus text format. Other paths get 404. */
export function createMetricsHandler(
  readMetrics: () => Promise<{ contentType: string; text: string }>,
): HttpHandler {
  return async (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') throw new GatewayError('NOT_FOUND');
    assertReadMethod(request, response);
    const { contentType, text } = await readMetrics();
    writeResponse(response, {
      status: 200,
      headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
      body: text,
    });
  };
}
