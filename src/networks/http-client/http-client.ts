import type { Clock } from '../../services/clock.js';
import { Readable } from 'node:stream';
import type { ConvertPicture, FindStoredMedia } from '../../services/networks/network-ports.js';
import type { UploadBody } from './upload-body.js';
import {
  toIpAddress,
  BlockedAddressError,
  guardedLookup,
  isLoopback,
  isAllowedAddress,
} from './public-address.js';

/**
 * Below the 30 seconds within which every adapter must return. While the bytes of a file flow, both
 * times begin anew.
 */
const DEFAULT_TIMEOUTS = { requestMs: 10_000, totalMs: 25_000 } as const;
/**
 * Above the size of any network response and of pictures on other servers; prevents a larger body
 * from exhausting memory.
 */
export const MAX_RESPONSE_BYTES = 20 * 1024 * 1024;

/** Options of the HTTP client. */
export interface HttpClientOptions {
  /** Whether requests to this machine are allowed, also over plain http. For tests. */
  readonly allowLoopback: boolean;
  readonly clock: Clock;
  /** Timeout of one request, and of all requests of one edit or check together. */
  readonly timeouts?: { readonly requestMs: number; readonly totalMs: number };
  /** Files of media that no request is needed for. */
  readonly storedMedia?: FindStoredMedia;
  /** Makes pictures small enough. Without, those that are too large are refused. */
  readonly convertPicture?: ConvertPicture;
}

/** A request. */
export interface HttpRequest {
  readonly method: string;
  /** Name of the network, for people. */
  readonly networkName: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array | UploadBody;
  readonly signal: AbortSignal;
}
/** A response with its complete body. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * HTTP client for all requests to networks: only public addresses over https, with limits on time
 * and size, without redirects. Idle connections stay open for a few seconds and do not keep the
 * process alive.
 */
export interface HttpClient extends Required<HttpClientOptions> {
  /** @throws BlockedAddressError, or the error of the connection */
  send(request: HttpRequest): Promise<RawResponse>;
}

/** Creates the client that all adapters share. */
export function createHttpClient({
  allowLoopback,
  clock,
  timeouts = DEFAULT_TIMEOUTS,
  storedMedia = async () => null,
  convertPicture = async (picture, { maxBytes }) =>
    picture.bytes.length <= maxBytes ? { ...picture, size: null } : null,
}: HttpClientOptions): HttpClient {
  let agent: ReturnType<typeof loadAgent> | undefined;
  return {
    allowLoopback,
    clock,
    timeouts,
    storedMedia,
    convertPicture,
    async send({ method, url, headers, body, signal }) {
      assertAllowedUrl(url, allowLoopback);
      const { request, dispatcher } = await (agent ??= loadAgent({
        allowLoopback,
        requestMs: timeouts.requestMs,
      }));
      const response = await request(url, {
        method,
        headers: Object.fromEntries(withLength(headers, body)),
        ...toBody(body),
        dispatcher,
        signal,
      });
      const bytes = new Uint8Array(await response.body.arrayBuffer());
      return { status: response.statusCode, headers: toHeaders(response.headers), bytes };
    },
  };
}

const toBody = (body: HttpRequest['body']) => {
  if (!(body instanceof Uint8Array)) return { body: Readable.from(body.chunks()) };
  return { body: body.length > 0 ? body : null };
};

/** Networks do not take streams of unknown length. */
function withLength(headers: Headers, body: HttpRequest['body']): Headers {
  if (body instanceof Uint8Array) return headers;
  const complete = new Headers(headers);
  complete.set('content-length', String(body.length));
  return complete;
}

/** Loads undici with the first request, so that it does not delay startup. */
async function loadAgent({
  allowLoopback,
  requestMs,
}: {
  allowLoopback: boolean;
  requestMs: number;
}) {
  const { Agent, request } = await import('undici');
  return {
    request,
    dispatcher: new Agent({
      connect: { lookup: guardedLookup(allowLoopback), timeout: requestMs },
      maxResponseSize: MAX_RESPONSE_BYTES,
    }),
  };
}

/**
 * Checks IP addresses in the URL itself, which are never resolved; `guardedLookup` checks names.
 * @throws BlockedAddressError
 */
export function assertAllowedUrl(url: URL, allowLoopback: boolean): void {
  const address = toIpAddress(url.hostname);
  if (address !== null && !isAllowedAddress(address, allowLoopback))
    throw new BlockedAddressError(url.hostname);
  if (
    url.protocol !== 'https:' &&
    !(url.protocol === 'http:' && allowLoopback && isLoopbackHost(url))
  )
    throw new BlockedAddressError(url.origin, 'does not start with https://');
}

/** Whether the host of a URL is `localhost` or a loopback address. */
export const isLoopbackHost = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopback(toIpAddress(hostname) ?? '0.0.0.0');

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw))
    for (const item of [value ?? []].flat()) headers.append(name, item);
  return headers;
}
