import type { NetworkFailure } from '../../services/networks/network-ports.js';
import { toAnswer, verdictOn, type Dialect } from './answer.js';
import { answerFailure, silenceFailure, stop, Stopped, type Correspondent } from './failure.js';
import type { Web, WebAnswer, WebRequest } from './web.js';

interface Ask {
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: URLSearchParams | Uint8Array<ArrayBuffer>;
}

/** One conversation with a network. Whatever is not the answer hoped for ends it: see verdictOn. */
export interface Line {
  readonly web: Web;
  /** For clients that bring requests of their own; hands them nothing but answers of the network itself. */
  readonly fetch: typeof globalThis.fetch;
  /** The JSON of an answer; undefined for one without content. */
  ask(method: string, url: string | URL, ask?: Ask): Promise<unknown>;
  /** A public file: no credentials go with the request. */
  download(url: string): Promise<{ type: string; bytes: Uint8Array<ArrayBuffer> }>;
  /** A value that no message may show. */
  keepSecret(value: string): void;
  /** Ends the conversation where the network answers something else than documented. */
  unreadable(what: string): never;
}

type Outgoing = Omit<WebRequest, 'signal'>;

interface Subject {
  readonly dialect: Dialect;
  /** The network's id of the post; null where none is asked about. */
  readonly about: string | null;
  readonly secrets: readonly string[];
}

const USER_AGENT = 'posts-gateway';
/** Shorter values would be found in ordinary words. */
const SHORTEST_SECRET = 6;

/**
 * Talks to a network until the work is done or something ends it; work that stumbles over an answer was told something
 * else than documented. @throws Error where the work itself is at fault, before any answer
 */
export async function talk<T>(
  web: Web,
  { dialect, about, secrets }: Subject,
  work: (line: Line) => Promise<T>,
): Promise<T | NetworkFailure> {
  const kept = [...secrets];
  const hide = (text: string): string => withoutSecrets(text, kept);
  let ended: Stopped | null = null;
  let isAnswered = false;
  const end = (failure: NetworkFailure): never => {
    ended = new Stopped(failure);
    throw ended;
  };
  const whole = AbortSignal.timeout(web.limits.allMs);

  const sendOnce = (
    request: Outgoing,
    from: Correspondent = { name: dialect.name, closed: 'NETWORK_NOT_CONNECTED' },
  ): Promise<WebAnswer> => {
    // A client that tries again after the end gets the same end.
    if (ended) throw ended;
    const once = AbortSignal.timeout(web.limits.callMs);
    // Both are looked at afterwards and so held till then: what AbortSignal.any alone knows may be collected while it waits, and never fires (Node.js 20).
    return web
      .send({ ...request, signal: AbortSignal.any([whole, once]) })
      .catch((error: unknown) =>
        end(
          silenceFailure(
            error,
            from,
            once.aborted && !whole.aborted ? web.limits.callMs : web.limits.allMs,
          ),
        ),
      );
  };

  const send: Line['fetch'] = async (input, init) => {
    const request = await toRequest(input, init);
    const { method, url } = request;
    const given = await sendOnce(request);
    isAnswered = true;
    const answer = toAnswer(method, url, given);
    const verdict = verdictOn(answer, dialect, about);
    if (verdict !== null)
      return end(answerFailure(verdict, answer, { dialect, now: web.clock.now(), hide }));
    return new Response(answer.text === '' ? null : answer.text, {
      status: answer.status,
      headers: given.headers,
    });
  };

  const line: Line = {
    web,
    fetch: send,
    async ask(method, url, { headers = {}, json, body } = {}) {
      const init =
        json === undefined
          ? { headers, body: body ?? null }
          : {
              headers: { 'Content-Type': 'application/json', ...headers },
              body: JSON.stringify(json),
            };
      const text = await (await send(url, { method, ...init })).text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    },
    async download(url) {
      const { status, headers, bytes } = await sendOnce(await toRequest(url), {
        name: new URL(url).host,
        closed: 'NETWORK_REFUSED',
      });
      if (status !== 200)
        stop(
          status >= 500 || status === 429 ? 'NETWORK_UNAVAILABLE' : 'NETWORK_REFUSED',
          `${url} could not be fetched for ${dialect.name} (${status}).`,
        );
      return {
        type: (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase(),
        bytes,
      };
    },
    keepSecret: (value) => void kept.push(value),
    unreadable: (what) =>
      stop('NETWORK_UNAVAILABLE', `${dialect.name} is not available: its answer has no ${what}.`),
  };

  try {
    return await work(line);
  } catch (error) {
    // Clients wrap what they are given: the end itself is what counts.
    const last = ended ?? error;
    if (last instanceof Stopped) return { ...last.failure, message: hide(last.failure.message) };
    if (isAnswered)
      return {
        kind: 'failed',
        code: 'NETWORK_UNAVAILABLE',
        message: `${dialect.name} is not available: its answer is not as documented.`,
      };
    throw unforeseen(error, hide);
  }
}

/** Clients hand over what `fetch` takes; their own signals and agents stay behind, as the line has its own. */
async function toRequest(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<Outgoing> {
  const { method, headers, body } = init;
  const request = new Request(input, {
    ...(method && { method }),
    ...(headers && { headers }),
    ...(body && { body }),
  });
  const sent = new Headers(request.headers);
  // Answers are read as they come: nothing unpacks them.
  sent.delete('accept-encoding');
  if (!sent.has('user-agent')) sent.set('user-agent', USER_AGENT);
  return {
    method: request.method,
    url: new URL(request.url),
    headers: sent,
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** Networks repeat what they were sent: credentials among it never reach a message. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return hidden.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text);
}

/** A fault of ours goes to the log: without what clients hang on their errors, which are requests with their headers. */
function unforeseen(error: unknown, hide: (text: string) => string): Error {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const fault = new Error(hide(message));
  fault.stack = hide(stack ?? '');
  return fault;
}
