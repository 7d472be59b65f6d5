import { createLog } from '../../src/log.js';
import { gatewayWith, type Answer, type TestGateway } from '../fixtures/gateway.js';

/** A whole gateway that is attacked. What it says meanwhile is kept, its log at its most talkative, and searched for secrets when it closes. */
export interface Attacked extends TestGateway {
  /** Texts that may stand in no log line, but for the path that was asked for, in no metric and in no job; the keys of all viewers may stand in no refusal either. */
  guard(...secrets: string[]): void;
}

/** What the log writes in the place of a key or a token that strayed into a line: none should have. */
const REDACTED = '[redacted]';

type Settings = Parameters<typeof gatewayWith>[0];

export async function attackedGateway(settings: Settings = {}): Promise<Attacked> {
  const heard: string[] = [];
  const gateway = await gatewayWith({ log: createLog('trace', (line) => heard.push(line)), metricsPort: 0, ...settings });
  const { apiKeys: keys } = gateway.records;
  const guarded = new Set<string>();
  const refusals: string[] = [];

  const kept = <Arguments extends unknown[], T extends Answer<unknown>>(ask: (...args: Arguments) => Promise<T>) => async (...args: Arguments): Promise<T> => {
    const answer = await ask(...args);
    const { errors = null } = (answer.body ?? {}) as { errors?: unknown };
    refusals.push(JSON.stringify([...answer.headers, answer.status < 400 ? errors : answer.body]));
    return answer;
  };

  /** @throws Error that says where which secret was found */
  async function assertDiscreet(): Promise<void> {
    const jobs = (await gateway.db.pool.query<{ row: string }>('SELECT j::text AS row FROM pgboss.job j UNION ALL SELECT j::text FROM job j')).rows.map(({ row }) => row);
    const metrics = (await (await fetch(`${gateway.metricsUrl}/metrics`)).text()).split('\n');
    const found = (secrets: Iterable<string>, texts: readonly string[]) => [...secrets].flatMap((secret) => texts.filter((text) => text.includes(secret)).slice(0, 3));
    const lines = heard.map((line) => JSON.parse(line) as { path?: string }); // one object a line, whatever was sent
    const all = [...keys, ...guarded];
    expect({
      log: [...found([...keys, REDACTED], heard), ...found(guarded, lines.map(({ path: _asked, ...line }) => JSON.stringify(line)))],
      metrics: found(all, metrics), jobs: found(all, jobs), refusals: found(keys, refusals),
    }).toEqual({ log: [], metrics: [], jobs: [], refusals: [] });
  }

  return {
    ...gateway,
    ask: kept(gateway.ask), graphql: kept(gateway.graphql), v1: kept(gateway.v1),
    guard: (...secrets) => secrets.forEach((secret) => guarded.add(secret)),
    close: () => assertDiscreet().finally(() => gateway.close()),
  };
}
