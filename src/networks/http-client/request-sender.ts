import type { NetworkFailure } from '../../services/networks/network-ports.js';
import type { HttpClient, HttpRequest, RawResponse } from './http-client.js';
import {
  NetworkRequestError,
  toConnectionFailure,
  type RequestTarget,
} from './network-request-error.js';

/** A request without its timeout and the name of its network. */
export type PreparedRequest = Omit<HttpRequest, 'signal' | 'networkName'>;

const USER_AGENT = 'posts-gateway';

/**
 * Sends the requests of one edit or check, with a timeout per request and one for all of them.
 * After the first failure, every request fails.
 */
export class RequestSender {
  /** The first failure; null while requests can be sent. */
  error: NetworkRequestError | null = null;
  private readonly totalSignal: AbortSignal;

  constructor(
    private readonly http: HttpClient,
    private readonly networkName: string,
  ) {
    this.totalSignal = AbortSignal.timeout(http.timeouts.totalMs);
  }

  /** @throws NetworkRequestError if there is no response */
  async send(request: PreparedRequest, target: RequestTarget): Promise<RawResponse> {
    // Client libraries may retry: after a failure they get the same failure.
    if (this.error) throw this.error;
    const { requestMs, totalMs } = this.http.timeouts;
    const requestSignal = AbortSignal.timeout(requestMs);
    try {
      const signal = AbortSignal.any([this.totalSignal, requestSignal]);
      return await this.http.send({ ...request, networkName: this.networkName, signal });
    } catch (error) {
      // Reading both signals here keeps them referenced: in Node.js 20 a signal that only
      // AbortSignal.any references may be garbage-collected, and then never fires.
      const isRequestTimeout = requestSignal.aborted && !this.totalSignal.aborted;
      return this.fail(toConnectionFailure(error, target, isRequestTimeout ? requestMs : totalMs));
    }
  }

  fail(failure: NetworkFailure): never {
    this.error = new NetworkRequestError(failure);
    throw this.error;
  }
}

/**
 * Converts the arguments of `fetch`. Ignores the caller's signal and agent, because RequestSender
 * has its own.
 */
export async function prepareRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<PreparedRequest> {
  const { method, headers, body } = init;
  const request = new Request(input, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body && { body }),
  });
  const requestHeaders = new Headers(request.headers);
  // Responses are not decompressed.
  requestHeaders.delete('accept-encoding');
  if (!requestHeaders.has('user-agent')) requestHeaders.set('user-agent', USER_AGENT);
  return {
    method: request.method,
    url: new URL(request.url),
    headers: requestHeaders,
    body: new Uint8Array(await request.arrayBuffer()),
  };
}
