import {
  createGatewayClient,
  type GatewayClient,
  type GatewayResponse,
  type KeyInWorkspace,
} from '../../test/faults/gateway-client.js';

/** A release that a load balancer knows. Changes during the test. */
export interface Backend {
  readonly release: 'previous' | 'new';
  readonly url: string;
}

/** The responses of a release. */
export interface ReleaseResponses {
  requests: number;
  unavailable: number;
  slowestMs: number;
}
export type ResponseCounts = Record<Backend['release'], ReleaseResponses>;

interface RollingClientOptions {
  /** The backends that get requests now. */
  backends(): readonly Backend[];
  readonly counts: ResponseCounts;
  readonly violations: string[];
}

/**
 * Sends requests to the backends as a load balancer does during an upgrade. Every error of a gateway
 * must be a 503 with Retry-After, and no connection may fail.
 */
export function createRollingClient(
  viewer: KeyInWorkspace,
  { backends, counts, violations }: RollingClientOptions,
): GatewayClient {
  const clients = new Map<string, GatewayClient>();

  function record({ release }: Backend, method: string, response: GatewayResponse): void {
    const { status, code, message, headers, startedAt, endedAt } = response;
    const count = counts[release];
    count.requests += 1;
    count.slowestMs = Math.max(count.slowestMs, Math.round(endedAt - startedAt));
    if (status === 503) count.unavailable += 1;
    if (status === null || (status >= 500 && !(status === 503 && headers['retry-after'])))
      violations.push(`the ${release} release: ${method}: ${status} ${code} ${message}`);
  }
  return {
    count: 2,
    async send(gateway, request) {
      const all = backends();
      const backend = all[gateway % all.length]!;
      const { url, release } = backend;
      // The OpenAPI document of this checkout does not describe the previous release.
      if (!clients.has(url))
        clients.set(url, createGatewayClient([url], viewer, { isDescribed: release === 'new' }));
      const response = await clients.get(url)!.send(0, request);
      record(backend, `${request.method} ${request.path}`, response);
      return response;
    },
    async close() {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}
