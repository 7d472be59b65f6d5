import { Agent } from 'undici';
import { fromHeaderRecord, assertMatchesOpenApi } from '../fixtures/described-response.js';
import type { KeyedViewer } from '../fixtures/records.js';

/** A response with its parsed body. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}
export interface GatewayRequest {
  readonly as: KeyedViewer;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Longer than the wait for a duplicate request (D27), and than two dozen queued changes of one
 * series on a busy machine.
 */
const TIMEOUT_MS = 60_000;

/** Sends requests to several gateways over persistent connections. */
export function createGatewayClient(urls: readonly string[]) {
  const agent = new Agent({ pipelining: 1 });
  let slowest = 0;
  return {
    /** @param gateway any number; modulo the number of gateways */
    async send(
      gateway: number,
      { as, method, path, body, headers = {} }: GatewayRequest,
    ): Promise<GatewayResponse> {
      const startedAt = performance.now();
      const received = await agent.request({
        origin: urls[gateway % urls.length]!,
        path,
        method: method as 'GET',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        body: body === undefined ? null : JSON.stringify(body),
        headers: {
          authorization: `Bearer-API ${as.apiKey}`,
          'service-workspace-id': as.workspace.id,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      const text = await received.body.text();
      slowest = Math.max(slowest, performance.now() - startedAt);
      await assertMatchesOpenApi({
        method,
        path,
        status: received.statusCode,
        headers: fromHeaderRecord(received.headers),
        text: () => text,
      });
      return {
        status: received.statusCode,
        headers: received.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
      };
    },
    /** Milliseconds of the slowest response since the last call. */
    slowest(): number {
      const ms = Math.round(slowest);
      slowest = 0;
      return ms;
    },
    close: () => agent.close(),
  };
}

export type GatewayClient = ReturnType<typeof createGatewayClient>;

/** A GraphQL mutation with one root field. */
export const mutation = (
  as: KeyedViewer,
  field: string,
  input: object,
  selection: string,
): GatewayRequest => ({
  as,
  method: 'POST',
  path: '/graphql',
  body: {
    query: `mutation($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} userErrors { code message } } }`,
    variables: { input },
  },
});
