import type { Media } from '../../domain/posts/post-content.js';
import { FileTooLargeError } from '../../domain/media/media-file.js';
import { presentBytes } from '../../domain/media/media-file.js';
import type { FileContent, NetworkFailure } from '../../services/networks/network-ports.js';
import {
  MAX_RESPONSE_BYTES,
  type HttpClient,
  type HttpRequest,
  type RawResponse,
} from './http-client.js';
import {
  NetworkRequestError,
  throwRequestError,
  toResponseFailure,
  toConnectionFailure,
  type RequestTarget,
} from './network-response.js';
import { classifyResponse, toNetworkResponse, type NetworkErrors } from './network-response.js';

/** Headers and body of a request: JSON, a form, or a file. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: URLSearchParams | FormData | Uint8Array<ArrayBuffer>;
}

/** A media item: its ID, and the address of its file. */
type MediaReference = Pick<Media, 'id' | 'url'>;

/**
 * Client for one edit or check on one network. Its methods throw NetworkRequestError on failure,
 * see `classifyResponse`.
 */
export interface NetworkClient {
  readonly http: HttpClient;
  /** For client libraries that send requests themselves. Returns successful responses only. */
  readonly fetch: typeof globalThis.fetch;
  /** Sends a request. Returns the JSON of the response; undefined if it has no content. */
  request(method: string, url: string | URL, options?: RequestOptions): Promise<unknown>;
  /**
   * Reads the file of a media item of a post: the one that the service keeps, or else from its
   * public address, without credentials.
   */
  readMedia(media: MediaReference): Promise<FileContent>;
  /** The same; null if the service does not keep the file. */
  readStoredMedia(media: MediaReference): Promise<FileContent | null>;
  /** Registers a value that must not appear in any message. */
  addSecret(value: string): void;
  /** Fails because a documented part of the response, such as `name`, is missing. */
  throwMissing(part: string): never;
}

interface NetworkClientOptions {
  readonly errors: NetworkErrors;
  /** The network's ID of the post; null for a check. */
  readonly remoteId: string | null;
  readonly secrets: readonly string[];
}

/**
 * Runs `work` with a client and returns its result, or the failure that ended it. If `work` throws
 * after a response, the response was not in the documented format.
 * @throws Error if `work` throws before any response: an internal error
 */
export async function withNetworkClient<T>(
  http: HttpClient,
  { errors, remoteId, secrets }: NetworkClientOptions,
  work: (client: NetworkClient) => Promise<T>,
): Promise<T | NetworkFailure> {
  const redactor = new Redactor(secrets);
  const redact = (text: string): string => redactor.redact(text);
  const sender = new RequestSender(http, errors.networkName);
  let hasResponse = false;

  const fetch: NetworkClient['fetch'] = async (input, init) => {
    const request = await prepareRequest(input, init);
    const raw = await sender.send(request, {
      name: errors.networkName,
      blockedCode: 'NETWORK_NOT_CONNECTED',
    });
    hasResponse = true;
    const response = toNetworkResponse(request.method, request.url, raw);
    const failure = classifyResponse(response, errors, remoteId);
    if (failure !== null)
      sender.fail(toResponseFailure(failure, response, { errors, now: http.clock.now(), redact }));
    return new Response(response.text === '' ? null : response.text, {
      status: response.status,
      headers: raw.headers,
    });
  };

  try {
    return await work({
      http,
      fetch,
      request: (method, url, options) => requestJson(fetch, url, { method, ...options }),
      readMedia: async (media) =>
        (await readStored(http, media)) ?? download(sender, media.url, errors.networkName),
      readStoredMedia: (media) => readStored(http, media),
      addSecret: (value) => redactor.add(value),
      throwMissing: (part) =>
        throwRequestError(
          'NETWORK_UNAVAILABLE',
          `${errors.networkName} is unavailable: its response has no ${part}.`,
        ),
    });
  } catch (error) {
    // Client libraries wrap errors: the first failure of a request is the cause.
    const cause = sender.error ?? error;
    if (cause instanceof NetworkRequestError)
      return { ...cause.failure, message: redact(cause.failure.message) };
    if (hasResponse)
      return {
        kind: 'failed',
        code: 'NETWORK_UNAVAILABLE',
        message: `${errors.networkName} is unavailable: its response is not in the documented format.`,
      };
    throw redactor.redactError(error);
  }
}

async function requestJson(
  fetch: NetworkClient['fetch'],
  url: string | URL,
  { method, headers = {}, json, body }: RequestOptions & { readonly method: string },
): Promise<unknown> {
  const init =
    json === undefined
      ? { headers, body: body ?? null }
      : {
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(json),
        };
  const text = await (await fetch(url, { method, ...init })).text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** @throws NetworkRequestError if the file cannot be read: no request was sent with it */
async function readStored(
  http: HttpClient,
  { id, url }: MediaReference,
): Promise<FileContent | null> {
  const failed = (code: NetworkFailure['code'], reason: string): never => {
    const message = `The file ${url} ${reason}.`;
    throw new NetworkRequestError({ kind: 'failed', code, message, isUnsent: true });
  };
  try {
    return await http.storedMedia(id, MAX_RESPONSE_BYTES);
  } catch (error) {
    return error instanceof FileTooLargeError
      ? failed('NETWORK_REFUSED', `has more than ${presentBytes(MAX_RESPONSE_BYTES)}`)
      : failed('NETWORK_UNAVAILABLE', 'cannot be read from the storage');
  }
}

async function download(
  sender: RequestSender,
  url: string,
  networkName: string,
): Promise<FileContent> {
  const { status, headers, bytes } = await sender.send(await prepareRequest(url), {
    name: new URL(url).host,
    blockedCode: 'NETWORK_REFUSED',
  });
  if (status !== 200)
    throwRequestError(
      status >= 500 || status === 429 ? 'NETWORK_UNAVAILABLE' : 'NETWORK_REFUSED',
      `Failed to download ${url} for ${networkName} (${status}).`,
    );
  return {
    type: (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase(),
    bytes,
  };
}

/** Shorter values would match parts of ordinary words. */
const MIN_SECRET_CHARACTERS = 6;

/**
 * Removes secrets from texts: networks can repeat credentials in error messages, and these reach
 * users and the log.
 */
class Redactor {
  private readonly secrets: string[];

  constructor(secrets: readonly string[]) {
    this.secrets = [...secrets];
  }

  add(secret: string): void {
    this.secrets.push(secret);
  }

  /** The text with each secret, plain or URL-encoded, replaced by `•••`. */
  redact(text: string): string {
    const hidden = this.secrets
      .filter((secret) => secret.length >= MIN_SECRET_CHARACTERS)
      .flatMap((secret) => [secret, encodeURIComponent(secret)]);
    return hidden.reduce((redacted, secret) => redacted.replaceAll(secret, '•••'), text);
  }

  /**
   * A copy of an error for the log, with message and stack only: client libraries attach requests
   * with their headers to errors.
   */
  redactError(error: unknown): Error {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const redacted = new Error(this.redact(message));
    redacted.stack = this.redact(stack ?? '');
    return redacted;
  }
}

/** A request without its timeout and the name of its network. */
type PreparedRequest = Omit<HttpRequest, 'signal' | 'networkName'>;

const USER_AGENT = 'posts-gateway';

/**
 * Sends the requests of one edit or check, with a timeout per request and one for all of them.
 * After the first failure, every request fails.
 */
class RequestSender {
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
async function prepareRequest(
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
