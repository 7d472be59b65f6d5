import { GatewayError } from '../domain/errors.js';
import { refuseUnlessRead, writeAnswer } from './responses.js';
import type { Answerer } from './app.js';

/** /metrics, for a hall of its own: there nothing else is served. */
export function createMetricsFront(
  read: () => Promise<{ contentType: string; text: string }>,
): Answerer {
  return async (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') throw new GatewayError('NOT_FOUND');
    refuseUnlessRead(request, response);
    const { contentType, text } = await read();
    writeAnswer(response, {
      status: 200,
      headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' },
      body: text,
    });
  };
}
