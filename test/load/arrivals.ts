import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { headersIn, holdToReference } from '../fixtures/described.js';

/** A request as it goes out; the mix makes them. */
export interface Shot {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What became of one. */
export interface Hit {
  /** When it was due, in milliseconds from the begin of the run. */
  readonly dueAt: number;
  /** From when it was due to the last byte of its answer, in milliseconds: how late it was sent counts, too. */
  readonly took: number;
  /** How much of that passed before it was sent: the fault of this process, or of the cores that it shares. */
  readonly late: number;
  /** HTTP's; null where no answer came. */
  readonly status: number | null;
  /** Of an answer that is none of success, or why there is none. */
  readonly trouble: string | null;
}

const TICK_MS = 5;
/** Where this process stood still for longer, it goes on as if that time had not been: all that was due meanwhile at once would be a crowd that nobody sent. */
const STANDSTILL_MS = 250;
/** More than may ever wait: a request is sent when it is due, whoever else has no answer yet. */
const CONNECTIONS = 4_096;
const GIVES_UP_MS = 20_000;

/** Each answer of so many is held to the reference: all would take the generator's time. */
const HELD_OF = 200;

/** Says no, although HTTP says yes. */
const REFUSAL = /"errors":|"userErrors":\[\{/;

const troubleOf = (
  status: number,
  headers: Dispatcher.ResponseData['headers'],
  text: string,
): string | null => {
  if (status === 200) return REFUSAL.test(text) ? text.slice(0, 200) : null;
  const { code, message, errors } = JSON.parse(text) as {
    code?: string;
    message?: string;
    errors?: { message?: string; extensions?: { code?: string } }[];
  };
  const { extensions, message: said = message } = (errors?.[0] ?? {}) as {
    message?: string;
    extensions?: { code?: string };
  };
  return `${code ?? extensions?.code}: ${said}${headers['retry-after'] === undefined ? ' Without Retry-After' : ''}`;
};

/** Sends requests to one gateway over connections that are kept until `close`. */
export function aGun(url: string) {
  const dispatcher = new Agent({
    connections: CONNECTIONS,
    headersTimeout: GIVES_UP_MS,
    bodyTimeout: GIVES_UP_MS,
  });

  let answers = 0;
  async function fire(shot: Shot, dueAt: number, since: number): Promise<Hit> {
    const late = performance.now() - since - dueAt;
    const took = (): number => performance.now() - since - dueAt;
    try {
      const { method, path, headers, body } = shot;
      const response = await request(url + path, {
        method,
        headers,
        dispatcher,
        ...(body !== undefined && { body }),
      });
      const text = await response.body.text();
      const hit = {
        dueAt,
        late,
        took: took(),
        status: response.statusCode,
        trouble: troubleOf(response.statusCode, response.headers, text),
      };
      if (++answers % HELD_OF === 0)
        await holdToReference({
          method,
          path,
          status: response.statusCode,
          headers: headersIn(response.headers),
          text: () => text,
        });
      return hit;
    } catch (error) {
      return {
        dueAt,
        late,
        took: took(),
        status: null,
        trouble: (error as { code?: string }).code ?? String(error),
      };
    }
  }

  return {
    /**
     * So many requests a second at even distances, whatever becomes of them: who waits for answers before asking again
     * would not see how long others wait meanwhile.
     */
    async atRate(perSecond: number, seconds: number, next: () => Shot): Promise<Hit[]> {
      let [since, looked] = [performance.now(), performance.now()];
      const hits: Hit[] = [];
      const underWay = new Set<Promise<unknown>>();
      let sent = 0;
      for (const all = Math.floor(perSecond * seconds); sent < all; await sleep(TICK_MS)) {
        const now = performance.now();
        if (now - looked > STANDSTILL_MS) since += now - looked;
        looked = now;
        for (const due = Math.min(all, ((now - since) / 1000) * perSecond); sent < due; sent += 1) {
          const one = fire(next(), (sent / perSecond) * 1000, since).then((hit) => {
            hits.push(hit);
            underWay.delete(one);
          });
          underWay.add(one);
        }
      }
      await Promise.all(underWay);
      return hits;
    },

    /** As many a second as are answered where so many clients ask one after another. */
    async capacity(clients: number, seconds: number, next: () => Shot): Promise<number> {
      const since = performance.now();
      const last = since + seconds * 1000;
      let answered = 0;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (performance.now() < last) {
            const { trouble } = await fire(next(), 0, performance.now());
            if (trouble !== null) throw new Error(`A request of the mix was refused: ${trouble}`);
            answered += 1;
          }
        }),
      );
      return (answered / (performance.now() - since)) * 1000;
    },

    close: (): Promise<void> => dispatcher.destroy(),
  };
}
