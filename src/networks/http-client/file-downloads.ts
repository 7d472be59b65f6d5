import { FetchFailedError } from '../../domain/media/media-file.js';
import { MEDIA_FILE_LIMITS, presentBytes } from '../../domain/media/media-file.js';
import { parseUrl } from '../../domain/input/urls.js';
import type { MediaSource } from '../../services/media/fetch-media.js';
import { assertAllowedUrl } from './http-client.js';
import { toConnectionFailure } from './network-response.js';
import { BlockedAddressError, guardedLookup } from './public-address.js';

/** A server that sends nothing for `idleMs`, or is not done after `totalMs`, is too slow. */
const TIMEOUTS = { connectMs: 10_000, idleMs: 15_000, totalMs: 120_000 } as const;

interface FileDownloadOptions {
  /** Whether files may come from this machine, also over plain http. For tests. */
  readonly allowLoopback: boolean;
  readonly timeouts?: {
    readonly connectMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
  };
  readonly maxBytes?: number;
}

/** Loads undici with the first download, so that it does not delay startup. */
async function loadAgent({ allowLoopback, timeouts = TIMEOUTS }: FileDownloadOptions) {
  const { Agent, request } = await import('undici');
  const { connectMs, idleMs } = timeouts;
  return {
    request,
    dispatcher: new Agent({
      connect: { lookup: guardedLookup(allowLoopback), timeout: connectMs },
      headersTimeout: idleMs,
      bodyTimeout: idleMs,
    }),
  };
}

const isRetryable = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * Downloads files of any size as streams: only from public addresses over https, without redirects
 * and credentials, with limits on size and time.
 */
export function createFileDownloads(options: FileDownloadOptions): MediaSource {
  const { allowLoopback, timeouts = TIMEOUTS, maxBytes = MEDIA_FILE_LIMITS.bytes } = options;
  let agent: ReturnType<typeof loadAgent> | undefined;

  const tooLarge = (host: string): FetchFailedError =>
    new FetchFailedError(`The file at ${host} is larger than ${presentBytes(maxBytes)}.`, false);
  const toFetchError = (error: unknown, host: string): FetchFailedError => {
    if (error instanceof FetchFailedError) return error;
    const { message } = toConnectionFailure(
      error,
      { name: host, blockedCode: 'NETWORK_REFUSED' },
      timeouts.totalMs,
    );
    return new FetchFailedError(message, !(error instanceof BlockedAddressError));
  };

  async function* measured(
    body: AsyncIterable<Uint8Array>,
    host: string,
  ): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(host);
        yield chunk;
      }
    } catch (error) {
      throw toFetchError(error, host);
    }
  }

  return {
    problemOf(text) {
      const url = parseUrl(text);
      if (url === null) return 'is not a URL';
      try {
        assertAllowedUrl(url, allowLoopback);
        return null;
      } catch (error) {
        return `cannot be fetched: ${(error as Error).message}`;
      }
    },
    async open(text) {
      const url = new URL(text);
      const { host } = url;
      try {
        assertAllowedUrl(url, allowLoopback);
        const { request, dispatcher } = await (agent ??= loadAgent(options));
        const { statusCode, headers, body } = await request(url, {
          method: 'GET',
          headers: { 'user-agent': 'posts-gateway' },
          dispatcher,
          signal: AbortSignal.timeout(timeouts.totalMs),
        });
        const isTooLarge = Number(headers['content-length'] ?? 0) > maxBytes;
        if (statusCode === 200 && !isTooLarge) return { content: measured(body, host) };
        body.on('error', () => undefined).destroy();
        if (isTooLarge) throw tooLarge(host);
        throw new FetchFailedError(
          statusCode >= 300 && statusCode < 400
            ? `${host} redirects to another address. Send the address of the file itself.`
            : `${host} responded with status ${statusCode}.`,
          isRetryable(statusCode),
        );
      } catch (error) {
        throw toFetchError(error, host);
      }
    },
  };
}
