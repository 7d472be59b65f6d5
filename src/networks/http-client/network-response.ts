import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { RawResponse } from './http-client.js';
import type { NetworkFailure } from '../../services/networks/network-ports.js';
import { BlockedAddressError } from './public-address.js';

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
  /**
   * The delay in seconds that the response requests in a way of its own; null if it does not. `now`
   * is the current time.
   */
  retryAfterSeconds?(response: NetworkResponse, now: Date): number | null;
  /** Whether only the operator of the service can help, such as with a credit that is used up. */
  isOperators?(response: NetworkResponse): boolean;
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
interface ResponseFailure {
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

/** A request to a network failed; `failure` is what the adapter returns. */
export class NetworkRequestError extends Error {
  constructor(readonly failure: NetworkFailure) {
    super(failure.message);
  }
}

/** @throws NetworkRequestError with this code and message */
export function throwRequestError(code: NetworkFailureCode, message: string): never {
  throw new NetworkRequestError({ kind: 'failed', code, message });
}

/** Text of each failure, which follows the name of the network. */
const FAILURE_PHRASES: Readonly<Record<NetworkFailureCode, string>> = {
  NETWORK_NOT_CONNECTED: 'cannot be called with these credentials',
  NETWORK_POST_UNKNOWN: 'does not recognize the post ID',
  NETWORK_REAUTHORIZATION_NEEDED: 'rejected the account’s credentials; connect the account again',
  NETWORK_FORBIDDEN: 'does not allow the account to do this',
  NETWORK_POST_DELETED: 'no longer has the post',
  NETWORK_CONFLICT: 'reported a conflicting change to the post',
  NETWORK_DUPLICATE: 'already has a post with this content',
  NETWORK_REFUSED: 'rejected the change',
  NETWORK_RATE_LIMITED: 'rate-limited the request',
  NETWORK_UNAVAILABLE: 'is unavailable',
};

/**
 * Maximum length of the network's message in the message for users, where it is one line of plain
 * text.
 */
const MAX_DETAIL_CHARACTERS = 300;
/** Takes linear time for malicious texts of any size. */
function toPlainText(text: string): string {
  const plain = text
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_DETAIL_CHARACTERS
    ? `${plain.slice(0, MAX_DETAIL_CHARACTERS - 1)}…`
    : plain;
}

interface FailureContext {
  readonly errors: NetworkErrors;
  readonly now: Date;
  /** Removes secrets from a text. */
  redact(text: string): string;
}

/**
 * Converts an error response to the failure that users see: with the message of the network,
 * without secrets.
 */
export function toResponseFailure(
  { code, detail }: ResponseFailure,
  response: NetworkResponse,
  { errors, now, redact }: FailureContext,
): NetworkFailure {
  // Redact before shortening: a secret cut in half would not be recognized.
  const text = toPlainText(redact(detail ?? errors.errorMessage(response.json) ?? ''));
  const suffix = text === '' ? '.' : `: ${text.replace(/(?<![.…])$/, '.')}`;
  const message = `${errors.networkName} ${FAILURE_PHRASES[code]} (${response.status})${suffix}`;
  const retryAfterMs = readRetryAfterMs(response, errors, now);
  return {
    kind: 'failed',
    code,
    message,
    ...(retryAfterMs !== null && { retryAfterMs }),
    ...(errors.isOperators?.(response) && { isOperators: true }),
  };
}

/** One day: a date far in the future must not delay an edit forever. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * The delay that the network requests: in its own way, in Retry-After (seconds or a date), or as
 * the date at which its rate window ends.
 */
function readRetryAfterMs(
  response: NetworkResponse,
  errors: NetworkErrors,
  now: Date,
): number | null {
  const { status, headers } = response;
  const header = headers.get('retry-after')?.trim() ?? '';
  const seconds =
    errors.retryAfterSeconds?.(response, now) ?? (/^\d+$/.test(header) ? Number(header) : null);
  // X-RateLimit-Reset is used only if it is a date: the meaning of a number differs between
  // networks.
  const windowEnd =
    status === 429 && !/^\d*$/.test(headers.get('x-ratelimit-reset') ?? '')
      ? headers.get('x-ratelimit-reset')!
      : '';
  const ms = seconds !== null ? seconds * 1000 : Date.parse(header || windowEnd) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** The cause of a connection error. */
interface ConnectionError {
  readonly pattern: RegExp;
  readonly reason: string;
  /** The request was not sent: the error precedes the connection. */
  readonly isUnsent?: true;
}

/** Causes by the error code of the connection. */
const CONNECTION_ERRORS: readonly ConnectionError[] = [
  {
    pattern: /^(ENOTFOUND|EAI_AGAIN|ENODATA)$/,
    reason: 'its host name could not be resolved to a public address',
    isUnsent: true,
  },
  { pattern: /^ECONNREFUSED$/, reason: 'the connection was refused', isUnsent: true },
  { pattern: /^UND_ERR_CONNECT_TIMEOUT$/, reason: 'it could not be reached', isUnsent: true },
  { pattern: /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, reason: 'it could not be reached' },
  {
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_/,
    reason: 'its certificate is not valid',
    isUnsent: true,
  },
  { pattern: /^ERR_(TLS|SSL)|^EPROTO/, reason: 'its certificate is not valid' },
  { pattern: /^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, reason: 'its response was too large' },
];

/** The recipient of a request. */
export interface RequestTarget {
  /** Display name for messages. */
  readonly name: string;
  /** Failure code if the address guard blocks the request. */
  readonly blockedCode: NetworkFailureCode;
}

/** Converts a connection error to the failure that users see. */
export function toConnectionFailure(
  error: unknown,
  target: RequestTarget,
  timeoutMs: number,
): NetworkFailure {
  if (error instanceof BlockedAddressError) {
    return {
      kind: 'failed',
      code: target.blockedCode,
      message: `Request to ${target.name} blocked: ${error.message}.`,
    };
  }
  const { name, code = '' } = error as Error & { code?: unknown };
  const cause: Partial<ConnectionError> | undefined =
    name === 'TimeoutError'
      ? { reason: `it did not respond within ${timeoutMs / 1000} seconds` }
      : CONNECTION_ERRORS.find(({ pattern }) => pattern.test(String(code)));
  return {
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    message: `${target.name} is unavailable: ${cause?.reason ?? 'the connection was interrupted'}.`,
    ...(cause?.isUnsent && { isUnsent: true }),
  };
}
