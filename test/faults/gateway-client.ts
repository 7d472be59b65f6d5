import { Agent, request } from 'undici';
import { fromHeaderRecord, assertMatchesOpenApi } from '../fixtures/described-response.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { Attempt } from './request-history.js';

export interface GatewayRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export interface GatewayResponse extends Omit<Attempt, 'isRetry' | 'retryAfter'> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}

/**
 * Longer than the longest documented wait (for a duplicate request): a request that takes longer
 * hangs.
 */
const TIMEOUT_MS = 20_000;

/** Code of a response of either API. */
function codeOf(status: number, body: any): string {
  const code = body?.errors?.[0]?.extensions?.code ?? body?.code;
  return typeof code === 'string' ? code : status === 200 ? 'OK' : `status ${status}`;
}

const messageOf = (body: any): string => body?.errors?.[0]?.message ?? body?.message ?? '';

/** The response without its body, for the request history. */
export const toAttempt = (
  { headers, body: _body, ...attempt }: GatewayResponse,
  isRetry = false,
): Attempt => ({ ...attempt, retryAfter: headers['retry-after']?.toString() ?? null, isRetry });

/** An API key, and the workspace of its requests. */
export interface KeyInWorkspace extends Pick<KeyedViewer, 'apiKey'> {
  readonly workspace: Pick<KeyedViewer['workspace'], 'id'>;
}

/**
 * Sends requests of one user to several gateways, over persistent connections. `isDescribed`:
 * whether the responses must match the OpenAPI document. `ca`: the certificate of https URLs.
 */
export function createGatewayClient(
  urls: readonly string[],
  { apiKey, workspace }: KeyInWorkspace,
  { isDescribed = true, ca }: { isDescribed?: boolean; ca?: Buffer } = {},
) {
  const dispatcher = new Agent({
    connect: { ca },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    connections: 64,
  });
  const defaultHeaders = {
    Authorization: `Bearer-API ${apiKey}`,
    'Service-Workspace-Id': workspace.id,
    'Content-Type': 'application/json',
  };
  return {
    count: urls.length,
    /** @throws Error if a response does not match the OpenAPI document, which no fault justifies */
    async send(
      gateway: number,
      { method, path, headers = {}, body }: GatewayRequest,
    ): Promise<GatewayResponse> {
      const startedAt = performance.now();
      const timing = () => ({ startedAt, endedAt: performance.now(), gateway });
      let response: GatewayResponse;
      let text = '';
      try {
        const received = await request(urls[gateway]! + path, {
          method,
          dispatcher,
          headers: { ...defaultHeaders, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        text = await received.body.text();
        const parsed = JSON.parse(text) as unknown;
        response = {
          ...timing(),
          status: received.statusCode,
          code: codeOf(received.statusCode, parsed),
          message: messageOf(parsed),
          headers: received.headers,
          body: parsed,
        };
      } catch (error) {
        response = {
          ...timing(),
          status: null,
          code: (error as { code?: string }).code ?? (error as Error).name,
          message: (error as Error).message,
          headers: {},
          body: null,
        };
      }
      if (response.status !== null && isDescribed)
        await assertMatchesOpenApi({
          method,
          path,
          status: response.status,
          headers: fromHeaderRecord(response.headers),
          text: () => text,
        });
      return response;
    },
    close: (): Promise<void> => dispatcher.destroy(),
  };
}
export type GatewayClient = ReturnType<typeof createGatewayClient>;
