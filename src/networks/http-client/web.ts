import type { Clock } from '../../services/ports.js';
import { addressIn, ClosedAddress, guardedLookup, isLoopback, mayReach } from './public-address.js';

/** Below the 30 seconds in which every adapter answers, and a job's lease with it. */
const LIMITS = { callMs: 10_000, allMs: 25_000 } as const;
/** No answer of a network and no picture is larger; what is would fill the memory. */
const MAX_BYTES = 20 * 1024 * 1024;

/** How the world outside is reached. */
export interface WebOptions {
  /** Whether hosts on this machine may be asked, and over plain http: for tests. */
  readonly allowLoopback: boolean;
  readonly clock: Clock;
  /** The longest wait for one answer, and for all of one edit. */
  readonly limits?: { readonly callMs: number; readonly allMs: number };
}

export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}
/** An answer, read to its end. */
export interface WebAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The way out: guarded, bounded, without redirects. Connections stay open a few seconds for the next edit, and keep no process alive. */
export interface Web extends Required<WebOptions> {
  /** @throws ClosedAddress, and whatever a connection fails with */
  send(request: WebRequest): Promise<WebAnswer>;
}

/** Opens the way out that all adapters share. */
export function openWeb({ allowLoopback, clock, limits = LIMITS }: WebOptions): Web {
  let opened: ReturnType<typeof openAgent> | undefined;
  return {
    allowLoopback,
    clock,
    limits,
    async send({ method, url, headers, body, signal }) {
      assertOpen(url, allowLoopback);
      const { request, dispatcher } = await (opened ??= openAgent({
        allowLoopback,
        callMs: limits.callMs,
      }));
      const answer = await request(url, {
        method,
        headers: Object.fromEntries(headers),
        body: body.length > 0 ? body : null,
        dispatcher,
        signal,
      });
      const bytes = new Uint8Array(await answer.body.arrayBuffer());
      return { status: answer.statusCode, headers: toHeaders(answer.headers), bytes };
    },
  };
}

/** With the first request: no start waits for the client to load. */
async function openAgent({ allowLoopback, callMs }: { allowLoopback: boolean; callMs: number }) {
  const { Agent, request } = await import('undici');
  return {
    request,
    dispatcher: new Agent({
      connect: { lookup: guardedLookup(allowLoopback), timeout: callMs },
      maxResponseSize: MAX_BYTES,
    }),
  };
}

/** Names are judged when they are looked up; an address in the URL itself is never looked up. */
function assertOpen(url: URL, allowLoopback: boolean): void {
  const address = addressIn(url.hostname);
  if (address !== null && !mayReach(address, allowLoopback)) throw new ClosedAddress(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowLoopback && isOwnHost(url)))
    throw new ClosedAddress(url.origin, 'does not begin with https://');
}

/** Whether a URL leads to this machine by its own words. */
export const isOwnHost = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopback(addressIn(hostname) ?? '0.0.0.0');

function toHeaders(given: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}
