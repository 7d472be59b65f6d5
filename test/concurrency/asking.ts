import { Agent } from 'undici';
import { headersIn, holdToReference } from '../fixtures/described.js';
import type { KeyedViewer } from '../fixtures/records.js';

/** What came back, read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}
export interface Request {
  readonly as: KeyedViewer;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longer than a twin waits for another (D27), and than a line of two dozen changes of one series on a machine that has much else to do. */
const BOUND_MS = 60_000;

/** Asks several gateways over connections that stay. */
export function createAsker(urls: readonly string[]) {
  const agent = new Agent({ pipelining: 1 });
  let slowest = 0;
  return {
    /** @param gateway which of them, counted round */
    async ask(gateway: number, { as, method, path, body, headers = {} }: Request): Promise<Answer> {
      const startedAt = performance.now();
      const reply = await agent.request({
        origin: urls[gateway % urls.length]!,
        path,
        method: method as 'GET',
        signal: AbortSignal.timeout(BOUND_MS),
        body: body === undefined ? null : JSON.stringify(body),
        headers: {
          authorization: `Bearer-API ${as.apiKey}`,
          'service-workspace-id': as.workspace.id,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      });
      const text = await reply.body.text();
      slowest = Math.max(slowest, performance.now() - startedAt);
      await holdToReference({
        method,
        path,
        status: reply.statusCode,
        headers: headersIn(reply.headers),
        text: () => text,
      });
      return {
        status: reply.statusCode,
        headers: reply.headers,
        body: text === '' ? null : (JSON.parse(text) as unknown),
      };
    },
    /** How long the slowest answer since the last look took, in milliseconds. */
    slowest(): number {
      const ms = Math.round(slowest);
      slowest = 0;
      return ms;
    },
    close: () => agent.close(),
  };
}

/** More often nobody has to ask who wants to know what became of it. */
const MOST_TIMES = 20;

/**
 * Asks until it is clear what became of it: only for what may be asked twice.
 * @param heard is told what the first answer was
 * @throws Error where it does not become clear
 */
export async function insist<Said>(
  ask: () => Promise<Said>,
  codeOfSaid: (said: Said) => string,
  heard: string[] = [],
): Promise<Said> {
  for (let times = 1; times <= MOST_TIMES; times += 1) {
    const said = await ask();
    if (times === 1) heard.push(codeOfSaid(said));
    if (!['IDEMPOTENCY_IN_FLIGHT', UNCLEAR].includes(codeOfSaid(said))) return said;
  }
  throw new Error(`asked ${MOST_TIMES} times, and it is still unclear what became of it`);
}
export type Asker = ReturnType<typeof createAsker>;

/** A mutation of one root field. */
export const mutation = (
  as: KeyedViewer,
  field: string,
  input: object,
  selection: string,
): Request => ({
  as,
  method: 'POST',
  path: '/graphql',
  body: {
    query: `mutation($input: ${field[0]!.toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) { ${selection} userErrors { code message } } }`,
    variables: { input },
  },
});

/** The service was too busy to say what became of it: it may have been done or not, but not by half. */
export const UNCLEAR = 'UNAVAILABLE';

/** What v1 says no with here. */
export const REFUSALS: Readonly<Record<number, string>> = {
  409: 'IDEMPOTENCY_IN_FLIGHT',
  412: 'CONFLICT',
  422: 'POST_NOT_FOUND',
  503: UNCLEAR,
};

/** What a mutation came to: `done`, or the code of the first refusal. */
export function codeOf({ status, body }: Answer): string {
  const payload = body.data?.updatePost ?? body.data?.deletePosts;
  if (payload) return payload.userErrors[0]?.code ?? 'done';
  const code = body.errors?.[0]?.extensions?.code;
  return code === UNCLEAR || code === 'IDEMPOTENCY_IN_FLIGHT'
    ? code
    : `${status} ${JSON.stringify(body.errors)}`;
}

/** What answers may not be: other than the explained ones, or too busy more often than not. */
export function amiss(codes: readonly string[], explained: ReadonlySet<string>): string[] {
  const unclear = codes.filter((code) => code === UNCLEAR).length;
  return [
    ...codes
      .filter((code) => !explained.has(code))
      .map((code) => `an answer that nothing explains: ${code}`),
    ...(unclear > codes.length / 2
      ? [`${unclear} of ${codes.length} answers were ${UNCLEAR}`]
      : []),
  ];
}

/** How many of each, for people. */
export function tally(words: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    .map(([word, count]) => `${word}: ${count}`)
    .join(', ');
}
