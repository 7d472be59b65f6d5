import { createLog } from '../../src/log/log.js';
import { gatewayWith, type Answer, type TestGateway } from '../fixtures/gateway.js';

/** A whole gateway that is attacked. What it says meanwhile is kept, its log at its most talkative, and searched for secrets when it closes. */
export interface Attacked extends TestGateway {
  /** Texts that may stand in no log line, but for the path that was asked for, in no metric and in no job; the keys of all viewers may stand in no refusal either. */
  guard(...secrets: string[]): void;
  /** What of them was found where. */
  found(): Promise<Record<'log' | 'metrics' | 'jobs' | 'refusals', string[]>>;
}

/** What the log writes in the place of a key or a token that strayed into a line: none should have. */
const REDACTED = '[redacted]';

type Settings = Parameters<typeof gatewayWith>[0];

export async function attackedGateway(settings: Settings = {}): Promise<Attacked> {
  const heard: string[] = [];
  const gateway = await gatewayWith({
    log: createLog('trace', (line) => heard.push(line)),
    metricsPort: 0,
    ...settings,
  });
  const { apiKeys: keys } = gateway.records;
  const guarded = new Set<string>();
  const refusals: string[] = [];

  const kept =
    <Arguments extends unknown[], T extends Answer<unknown>>(
      ask: (...args: Arguments) => Promise<T>,
    ) =>
    async (...args: Arguments): Promise<T> => {
      const answer = await ask(...args);
      const { errors = null } = (answer.body ?? {}) as { errors?: unknown };
      refusals.push(
        JSON.stringify([
          ...answer.headers,
          answer.status < 400 ? [errors, userErrorsIn(answer.body)] : answer.body,
        ]),
      );
      return answer;
    };

  async function search(): ReturnType<Attacked['found']> {
    const jobs = (
      await gateway.db.pool.query<{ row: string }>(
        'SELECT j::text AS row FROM pgboss.job j UNION ALL SELECT j::text FROM job j',
      )
    ).rows.map(({ row }) => row);
    const metrics = (await (await fetch(`${gateway.metricsUrl}/metrics`)).text()).split('\n');
    const within = (secrets: Iterable<string>, texts: readonly string[]) =>
      [...secrets].flatMap((secret) => texts.filter((text) => text.includes(secret)).slice(0, 3));
    const lines = heard.map((line) => JSON.parse(line) as { path?: string }); // one object a line, whatever was sent
    const all = [...keys, ...guarded];
    return {
      log: [
        ...within([...keys, REDACTED], heard),
        ...within(
          guarded,
          lines.map(({ path: _asked, ...line }) => JSON.stringify(line)),
        ),
      ],
      metrics: within(all, metrics),
      jobs: within(all, jobs),
      refusals: within(keys, refusals),
    };
  }

  /** @throws Error that says where which secret was found */
  const assertDiscreet = async (): Promise<void> =>
    expect(await search()).toEqual({ log: [], metrics: [], jobs: [], refusals: [] });

  return {
    ...gateway,
    ask: kept(gateway.ask),
    graphql: kept(gateway.graphql),
    v1: kept(gateway.v1),
    guard: (...secrets) => secrets.forEach((secret) => guarded.add(secret)),
    found: search,
    close: () => assertDiscreet().finally(() => gateway.close()),
  };
}

/** The refusals of changes inside an answer that is none itself. */
function userErrorsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'userErrors' ? [inner] : userErrorsIn(inner),
  );
}
