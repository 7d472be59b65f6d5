import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { NetworkFailure } from '../../services/networks/network-ports.js';
import type { Answer, Dialect, Verdict } from './answer.js';
import { ClosedAddress } from './public-address.js';

/** Ends a conversation: what went wrong, as the caller of the adapter is told. */
export class Stopped extends Error {
  constructor(readonly failure: NetworkFailure) {
    super(failure.message);
  }
}

/** Ends a conversation for a reason of our own. */
export function stop(code: NetworkFailureCode, message: string): never {
  throw new Stopped({ kind: 'failed', code, message });
}

/** What each failure says, after the network's name. */
const SENTENCES: Readonly<Record<NetworkFailureCode, string>> = {
  NETWORK_NOT_CONNECTED: 'cannot be asked with these credentials',
  NETWORK_POST_UNKNOWN: 'has no such id of a post',
  NETWORK_REAUTHORIZATION_NEEDED:
    'no longer takes the account’s credentials; connect the account again',
  NETWORK_FORBIDDEN: 'does not let the account do this',
  NETWORK_POST_DELETED: 'no longer has the post',
  NETWORK_CONFLICT: 'was changing the post at the same time',
  NETWORK_REFUSED: 'does not accept the change',
  NETWORK_RATE_LIMITED: 'asks for a pause',
  NETWORK_UNAVAILABLE: 'is not available',
};

/** What a network says is shown to users: short, and in one line of plain text. Each step reads a hostile text of any size once. */
const MAX_WORDS = 300;
const plainWords = (words: string): string => {
  const plain = words
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > MAX_WORDS ? `${plain.slice(0, MAX_WORDS - 1)}…` : plain;
};

interface Hearing {
  readonly dialect: Dialect;
  readonly now: Date;
  /** Takes what must not be shown out of a text. */
  hide(text: string): string;
}

/** An answer as the failure that it is. */
export function answerFailure(
  { code, oddity }: Verdict,
  answer: Answer,
  { dialect, now, hide }: Hearing,
): NetworkFailure {
  // Hidden first: a text is cut, and half a secret would not be known for one.
  const words = plainWords(hide(oddity ?? dialect.words(answer.json) ?? ''));
  const message = `${dialect.name} ${SENTENCES[code]} (${answer.status})${words === '' ? '.' : `: ${words.replace(/(?<![.…])$/, '.')}`}`;
  const retryAfterMs = pauseOf(answer, dialect, now);
  return { kind: 'failed', code, message, ...(retryAfterMs !== null && { retryAfterMs }) };
}

/** Longer pauses are taken for a day: a date far ahead must not keep an edit waiting for ever. */
const MAX_PAUSE_MS = 86_400_000;

/** What the network asks for: in the body, or as Retry-After in seconds or as a date, or as the date at which its window ends. */
function pauseOf({ status, headers, json }: Answer, dialect: Dialect, now: Date): number | null {
  const header = headers.get('retry-after')?.trim() ?? '';
  const seconds = dialect.pauseSeconds?.(json) ?? (/^\d+$/.test(header) ? Number(header) : null);
  // A number here counts from different moments on different networks.
  const windowEnd =
    status === 429 && !/^\d*$/.test(headers.get('x-ratelimit-reset') ?? '')
      ? headers.get('x-ratelimit-reset')!
      : '';
  const ms = seconds !== null ? seconds * 1000 : Date.parse(header || windowEnd) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_PAUSE_MS);
}

/** Why there was no answer, by what the connection failed with. */
const NO_ANSWER: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, 'its address is not known'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'it could not be reached'],
  [/CERT|^ERR_(TLS|SSL)|^EPROTO|SELF_SIGNED|UNABLE_TO_/, 'its certificate is not valid'],
  [/^UND_ERR_RES_EXCEEDED_MAX_SIZE$/, 'its answer was too large'],
];

/** Who was asked, and what it means where it must not be. */
export interface Correspondent {
  readonly name: string;
  readonly closed: NetworkFailureCode;
}

/** A request that got no answer, as the failure that it is. */
export function silenceFailure(
  error: unknown,
  from: Correspondent,
  waitedMs: number,
): NetworkFailure {
  if (error instanceof ClosedAddress) {
    return {
      kind: 'failed',
      code: from.closed,
      message: `${from.name} cannot be asked: ${error.message}.`,
    };
  }
  const { name, code = '' } = error as Error & { code?: unknown };
  const reason =
    name === 'TimeoutError'
      ? `it did not answer within ${waitedMs / 1000} seconds`
      : NO_ANSWER.find(([pattern]) => pattern.test(String(code)))?.[1];
  return {
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    message: `${from.name} is not available: ${reason ?? 'the connection was cut'}.`,
  };
}
