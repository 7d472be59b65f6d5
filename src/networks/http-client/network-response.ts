import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { RawResponse } from './http-client.js';

/** A network's response to one request. */
export interface NetworkResponse {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
}

/** How a network reports errors in addition to status codes. */
export interface ErrorMapping {
  /** The network's own error message in the body of an error response. */
  errorMessage(json: unknown): string | null;
  /**
   * The failure code of a response whose status is not specific enough. `ok` treats the response as
   * successful; with null the status determines the failure.
   */
  failureCode?(response: NetworkResponse): NetworkFailureCode | 'ok' | null;
  /** The delay in seconds that the body requests; null if it contains none. */
  retryAfterSeconds?(json: unknown): number | null;
}

/** The errors of a network, with its name for messages. */
export interface NetworkErrors extends ErrorMapping {
  readonly networkName: string;
}

/** Decodes the body of a response, and parses it if it is JSON. */
export function toNetworkResponse(
  method: string,
  url: URL,
  { status, headers, bytes }: RawResponse,
): NetworkResponse {
  const text = new TextDecoder().decode(bytes);
  return { method, url, status, headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * An HTML page is sent by an intermediate proxy, or by a host that no longer serves the network.
 */
const isHtmlPage = ({ headers, text, json }: NetworkResponse): boolean =>
  json === undefined && (/html/i.test(headers.get('content-type') ?? '') || /^\s*</.test(text));

const CODE_BY_STATUS: Readonly<Record<number, NetworkFailureCode>> = {
  401: 'NETWORK_REAUTHORIZATION_NEEDED',
  403: 'NETWORK_FORBIDDEN',
  408: 'NETWORK_UNAVAILABLE',
  409: 'NETWORK_CONFLICT',
  425: 'NETWORK_UNAVAILABLE',
  429: 'NETWORK_RATE_LIMITED',
};

/** The failure that a response represents. */
export interface ResponseFailure {
  readonly code: NetworkFailureCode;
  /** What was unexpected about the response; null if the network's own message explains it. */
  readonly detail: string | null;
}

/**
 * The failure that a response represents, or null if it succeeded. `remoteId` is the network's ID
 * of the post: a 404 means a deleted post only if the request's path contains this ID and the
 * response comes from the network itself.
 */
export function classifyResponse(
  response: NetworkResponse,
  errors: NetworkErrors,
  remoteId: string | null,
): ResponseFailure | null {
  const mapped = errors.failureCode?.(response) ?? null;
  if (mapped !== null) return mapped === 'ok' ? null : { code: mapped, detail: null };
  const { status, text, json } = response;
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess && (json !== undefined || text === '')) return null;
  if (status === 429) return { code: 'NETWORK_RATE_LIMITED', detail: null };
  if (isSuccess || isHtmlPage(response))
    return {
      code: 'NETWORK_UNAVAILABLE',
      detail: isHtmlPage(response) ? 'it returned an HTML page' : 'its response is not JSON',
    };
  if (status === 404 || status === 410) {
    return pathContains(response.url, remoteId)
      ? { code: 'NETWORK_POST_DELETED', detail: null }
      : { code: 'NETWORK_UNAVAILABLE', detail: 'the requested URL does not exist' };
  }
  if (status >= 400 && status < 500)
    return { code: CODE_BY_STATUS[status] ?? 'NETWORK_REFUSED', detail: null };
  return {
    code: 'NETWORK_UNAVAILABLE',
    detail:
      status < 400 ? `it redirects to ${response.headers.get('location') ?? 'another URL'}` : null,
  };
}

/** Whether the path contains the post's ID, which may itself consist of several segments. */
const pathContains = ({ pathname }: URL, remoteId: string | null): boolean =>
  remoteId !== null && `${decodeURIComponent(pathname)}/`.includes(`/${remoteId}/`);
