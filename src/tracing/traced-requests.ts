import type { RequestTracing } from '../http/app.js';
import type { Tracer } from './tracer.js';

const SERVER_ERROR = 500;

/**
 * Traces requests by their operation. Failures that clients cause are no errors of the span, but
 * have an error code.
 */
export const traceRequests = (tracer: Tracer): RequestTracing => ({
  started({ method = 'GET', headers }) {
    const traceparent = headers['traceparent'];
    const span = tracer.start({
      name: method, // until the operation is known
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: { 'http.request.method': method },
    });
    return {
      run: (work) => span.run(work),
      end({ api, status, context: { operation, errorCode } }) {
        const code = errorCode ?? (status >= SERVER_ERROR ? String(status) : null);
        const isFailure =
          status >= SERVER_ERROR || code === 'INTERNAL_SERVER_ERROR' || code === 'UNAVAILABLE';
        span.end({
          name: operation,
          attributes: {
            'http.response.status_code': status,
            'posts_gateway.api': api,
            ...(code !== null && { 'posts_gateway.error_code': code }),
          },
          error: isFailure ? code : null,
        });
      },
    };
  },
});
