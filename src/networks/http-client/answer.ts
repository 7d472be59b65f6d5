import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { WebAnswer } from './web.js';

/** What a network answered to one request. */
export interface Answer {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
}

/** How one network says no, beyond the status codes that all share. */
export interface Dialect {
  /** As users know it. */
  readonly name: string;
  /** The network's own words in the body of a refusal. */
  words(json: unknown): string | null;
  /**
   * What an answer means where its status does not say it; `fine` hands it to whoever asked. Null: as the status says.
   */
  exception?(answer: Answer): NetworkFailureCode | 'fine' | null;
  /** The pause in seconds that a body asks for, where the network says so there. */
  pauseSeconds?(json: unknown): number | null;
}

export function toAnswer(method: string, url: URL, { status, headers, bytes }: WebAnswer): Answer {
  const text = new TextDecoder().decode(bytes);
  return { method, url, status, headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether it is a page for people: an error page of something in between, or a host that is no longer what it was. */
const isPage = ({ headers, text, json }: Answer): boolean =>
  json === undefined && (/html/i.test(headers.get('content-type') ?? '') || /^\s*</.test(text));

const BY_STATUS: Readonly<Record<number, NetworkFailureCode>> = {
  401: 'NETWORK_REAUTHORIZATION_NEEDED',
  403: 'NETWORK_FORBIDDEN',
  408: 'NETWORK_UNAVAILABLE',
  409: 'NETWORK_CONFLICT',
  429: 'NETWORK_RATE_LIMITED',
};

/** The failure that an answer is, and what was odd about it; null where it is the answer hoped for. */
export interface Verdict {
  readonly code: NetworkFailureCode;
  readonly oddity: string | null;
}

/**
 * The one translation of answers. `about` is the network's id of the post: only a request that names it can tell that
 * the post is gone, and only the network itself, not a page of something in between.
 */
export function verdictOn(answer: Answer, dialect: Dialect, about: string | null): Verdict | null {
  const exception = dialect.exception?.(answer) ?? null;
  if (exception !== null) return exception === 'fine' ? null : { code: exception, oddity: null };
  const { status, text, json } = answer;
  const isFine = status >= 200 && status < 300;
  if (isFine && (json !== undefined || text === '')) return null;
  if (status === 429) return { code: 'NETWORK_RATE_LIMITED', oddity: null };
  if (isFine || isPage(answer))
    return {
      code: 'NETWORK_UNAVAILABLE',
      oddity: isPage(answer) ? 'it answered with a web page' : 'its answer is not JSON',
    };
  if (status === 404 || status === 410) {
    return names(answer.url, about)
      ? { code: 'NETWORK_POST_DELETED', oddity: null }
      : { code: 'NETWORK_UNAVAILABLE', oddity: 'it does not know the address asked for' };
  }
  if (status >= 400 && status < 500)
    return { code: BY_STATUS[status] ?? 'NETWORK_REFUSED', oddity: null };
  return {
    code: 'NETWORK_UNAVAILABLE',
    oddity:
      status < 400 ? `it points to ${answer.headers.get('location') ?? 'another address'}` : null,
  };
}

/** Whether the path has the post's id, which may itself be several steps long. */
const names = ({ pathname }: URL, about: string | null): boolean =>
  about !== null && `${decodeURIComponent(pathname)}/`.includes(`/${about}/`);
