import { MEDIA_FILE_LIMITS, presentBytes } from '../../domain/media/media-file.js';
import { bytesStream, type UploadBody } from './upload-body.js';
import type {
  FileContent,
  FileStream,
  MediaReference,
  NetworkFailure,
} from '../../services/networks/network-ports.js';
import { type HttpClient, type HttpRequest, type RawResponse } from './http-client.js';
import {
  NetworkRequestError,
  throwRequestError,
  toResponseFailure,
  toConnectionFailure,
  type RequestTarget,
  classifyResponse,
  toNetworkResponse,
  type NetworkErrors,
} from './network-response.js';

/** Headers and body of a request: JSON, a form, or a file. */
export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: URLSearchParams | Uint8Array<ArrayBuffer> | UploadBody;
}

/** What `fetch` takes, and streams of files. */
interface FetchInit extends Omit<RequestInit, 'body'> {
  body?: RequestInit['body'] | UploadBody;
}
type Fetch = (input: Parameters<typeof fetch>[0], init?: FetchInit) => Promise<Response>;

/**
 * Client for one edit or check on one network. Its methods throw NetworkRequestError on failure,
 * see `classifyResponse`.
 */
export interface NetworkClient {
  readonly http: HttpClient;
  /** Display name for messages. */
  readonly networkName: string;
  /** For client libraries that send requests themselves. Returns successful responses only. */
  readonly fetch: typeof globalThis.fetch;
  /** Sends a request. Returns its successful response, with the headers. */
  send(method: string, url: string | URL, options?: RequestOptions): Promise<Response>;
  /** The same; returns the JSON of the response, or undefined if it has no content. */
  request(method: string, url: string | URL, options?: RequestOptions): Promise<unknown>;
  /** The same for what a result can do without, such as an address; null if the request fails. */
  requestOptional(method: string, url: string | URL, options?: RequestOptions): Promise<unknown>;
  /**
   * Opens the file of a media item of a post: the one that the service keeps, or else from its
   * public address, without credentials.
   */
  openMedia(media: MediaReference): Promise<FileStream>;
  /** The same; null if the service does not keep the file. */
  openStoredMedia(media: MediaReference): Promise<FileStream | null>;
  /** The same as `openMedia`, with the whole file in memory: for pictures. */
  readMedia(media: MediaReference): Promise<FileContent>;
  /** A picture that the post does not need, such as that of a link; null if it cannot be read. */
  readOptionalPicture(url: string): Promise<FileContent | null>;
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

  const fetchWith =
    (one: RequestSender): Fetch =>
    async (input, init) => {
      const request = await prepareRequest(input, init);
      const raw = await one.send(request, {
        name: errors.networkName,
        blockedCode: 'NETWORK_NOT_CONNECTED',
      });
      hasResponse = true;
      const response = toNetworkResponse(request.method, request.url, raw);
      const failure = classifyResponse(response, errors, remoteId);
      if (failure !== null)
        one.fail(toResponseFailure(failure, response, { errors, now: http.clock.now(), redact }));
      return new Response(response.text === '' ? null : response.text, {
        status: response.status,
        headers: raw.headers,
      });
    };
  const fetch = fetchWith(sender);
  /** Runs requests with a sender of their own: their failure must not end the other requests. */
  async function optional<T>(send: (other: RequestSender) => Promise<T>): Promise<T | null> {
    const other = new RequestSender(http, errors.networkName);
    try {
      return await send(other);
    } catch (error) {
      if (error instanceof NetworkRequestError) return null;
      throw error;
    } finally {
      other.stop();
    }
  }

  try {
    return await work({
      http,
      networkName: errors.networkName,
      fetch,
      send: (method, url, options) => sendRequest(fetch, url, { method, ...options }),
      request: (method, url, options) => requestJson(fetch, url, { method, ...options }),
      openMedia: async (media) =>
        (await openStored(http, media)) ??
        bytesStream(await download(sender, media.url, errors.networkName)),
      openStoredMedia: (media) => openStored(http, media),
      readMedia: async (media) => {
        const stored = await openStored(http, media);
        return stored ? readAll(stored, media) : download(sender, media.url, errors.networkName);
      },
      requestOptional: (method, url, options) =>
        optional((other) => requestJson(fetchWith(other), url, { method, ...options })),
      readOptionalPicture: (url) => optional((other) => download(other, url, errors.networkName)),
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
  } finally {
    sender.stop();
  }
}

const isUpload = (body: unknown): body is UploadBody =>
  typeof body === 'object' && body !== null && 'chunks' in body;

async function requestJson(...request: Parameters<typeof sendRequest>): Promise<unknown> {
  const text = await (await sendRequest(...request)).text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function sendRequest(
  fetch: Fetch,
  url: string | URL,
  { method, headers = {}, json, body }: RequestOptions & { readonly method: string },
): Promise<Response> {
  const init =
    json === undefined
      ? {
          headers: isUpload(body) ? { 'Content-Type': body.type, ...headers } : headers,
          body: body ?? null,
        }
      : {
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(json),
        };
  return fetch(url, { method, ...init });
}

/** A file that cannot be sent: the network has got nothing of it that it could use. */
function throwUnreadable(
  { url }: MediaReference,
  code: NetworkFailure['code'],
  why: string,
): never {
  const message = `The file ${url} ${why}.`;
  throw new NetworkRequestError({ kind: 'failed', code, message, isUnsent: true });
}

/** @throws NetworkRequestError if the file cannot be read, also from its stream */
async function openStored(http: HttpClient, media: MediaReference): Promise<FileStream | null> {
  const unreadable = (): never =>
    throwUnreadable(media, 'NETWORK_UNAVAILABLE', 'cannot be read from the storage');
  const file = await http.storedMedia(media).catch(unreadable);
  return file && { ...file, open: (range) => file.open(range).catch(unreadable) };
}

async function readAll(
  { type, size, open }: FileStream,
  media: MediaReference,
): Promise<FileContent> {
  const { pictureBytes } = MEDIA_FILE_LIMITS;
  if (size > pictureBytes)
    throwUnreadable(media, 'NETWORK_REFUSED', `has more than ${presentBytes(pictureBytes)}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await open()) chunks.push(chunk);
  return { type, bytes: new Uint8Array(Buffer.concat(chunks)) };
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

/** Aborts after a time in which nothing happened. */
class IdleTimeout {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly ms: number) {
    this.restart();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.controller.abort(new DOMException('Timeout', 'TimeoutError')),
      this.ms,
    ).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** No call takes longer, however slowly the bytes of its files flow. */
const MAX_CALL_MS = 600_000;

/** The body of a request; `onProgress` is called whenever the connection takes more of it. */
const withProgress = (body: PreparedRequest['body'], onProgress: () => void) =>
  body instanceof Uint8Array
    ? body
    : {
        ...body,
        async *chunks() {
          for await (const chunk of body.chunks()) {
            onProgress();
            yield chunk;
          }
        },
      };

/**
 * Sends the requests of one edit or check, with a timeout per request and one for all of them. As
 * long as the bytes of a file flow, both begin anew. After the first failure, every request fails.
 */
class RequestSender {
  /** The first failure; null while requests can be sent. */
  error: NetworkRequestError | null = null;
  private readonly total: IdleTimeout;
  private readonly endsAt = Date.now() + MAX_CALL_MS;

  constructor(
    private readonly http: HttpClient,
    private readonly networkName: string,
  ) {
    this.total = new IdleTimeout(http.timeouts.totalMs);
  }

  stop(): void {
    this.total.stop();
  }

  /** @throws NetworkRequestError if there is no response */
  async send(request: PreparedRequest, target: RequestTarget): Promise<RawResponse> {
    // Client libraries may retry: after a failure they get the same failure.
    if (this.error) throw this.error;
    const { requestMs, totalMs } = this.http.timeouts;
    const current = new IdleTimeout(requestMs);
    const body = withProgress(request.body, () => {
      if (Date.now() > this.endsAt) return;
      current.restart();
      this.total.restart();
    });
    try {
      const signal = AbortSignal.any([this.total.signal, current.signal]);
      return await this.http.send({ ...request, body, networkName: this.networkName, signal });
    } catch (error) {
      if (error instanceof NetworkRequestError) return this.fail(error.failure);
      // Reading both signals here keeps them referenced: in Node.js 20 a signal that only
      // AbortSignal.any references may be garbage-collected, and then never fires.
      const isRequestTimeout = current.signal.aborted && !this.total.signal.aborted;
      return this.fail(toConnectionFailure(error, target, isRequestTimeout ? requestMs : totalMs));
    } finally {
      current.stop();
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
  init: FetchInit = {},
): Promise<PreparedRequest> {
  const { method, headers, body } = init;
  if (isUpload(body)) {
    const { body: _empty, ...request } = await prepareRequest(input, {
      ...(method && { method }),
      ...(headers && { headers }),
    });
    return { ...request, body };
  }
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
