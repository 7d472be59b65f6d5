import { Agent, request } from 'undici';
import { headersIn, holdToReference } from '../fixtures/described.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { Attempt } from './journal.js';

export interface Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export interface Answer extends Omit<Attempt, 'hasTwin' | 'retryAfter'> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}

/** Longer than the longest wait that is promised, for a twin of the same idempotency key: beyond it a request hangs. */
const HANGS_MS = 20_000;

/** What a client sees as the code of an answer, through either door. */
function codeOf(status: number, body: any): string {
  const code = body?.errors?.[0]?.extensions?.code ?? body?.code;
  return typeof code === 'string' ? code : status === 200 ? 'OK' : `status ${status}`;
}

const messageOf = (body: any): string => body?.errors?.[0]?.message ?? body?.message ?? '';

/** The answer without its content, for the journal. */
export const toAttempt = (
  { headers, body: _body, ...attempt }: Answer,
  hasTwin = false,
): Attempt => ({ ...attempt, retryAfter: headers['retry-after']?.toString() ?? null, hasTwin });

/** Asks gateways as a member does, each over connections that are kept. */
export function anAsker(urls: readonly string[], { apiKey, workspace }: KeyedViewer) {
  const dispatcher = new Agent({
    headersTimeout: HANGS_MS,
    bodyTimeout: HANGS_MS,
    connections: 64,
  });
  const own = {
    Authorization: `Bearer-API ${apiKey}`,
    'Service-Workspace-Id': workspace.id,
    'Content-Type': 'application/json',
  };
  return {
    count: urls.length,
    /** @throws Error where an answer departs from the reference, which no fault excuses */
    async ask(gateway: number, { method, path, headers = {}, body }: Request): Promise<Answer> {
      const startedAt = performance.now();
      const ended = () => ({ startedAt, endedAt: performance.now(), gateway });
      let answer: Answer;
      let text = '';
      try {
        const response = await request(urls[gateway]! + path, {
          method,
          dispatcher,
          headers: { ...own, ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        text = await response.body.text();
        const read = JSON.parse(text) as unknown;
        answer = {
          ...ended(),
          status: response.statusCode,
          code: codeOf(response.statusCode, read),
          message: messageOf(read),
          headers: response.headers,
          body: read,
        };
      } catch (error) {
        answer = {
          ...ended(),
          status: null,
          code: (error as { code?: string }).code ?? (error as Error).name,
          message: (error as Error).message,
          headers: {},
          body: null,
        };
      }
      if (answer.status !== null)
        await holdToReference({
          method,
          path,
          status: answer.status,
          headers: headersIn(answer.headers),
          text: () => text,
        });
      return answer;
    },
    close: (): Promise<void> => dispatcher.destroy(),
  };
}
export type Asker = ReturnType<typeof anAsker>;
