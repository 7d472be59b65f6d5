import { gatewaysOn } from '../fixtures/gateways.js';
import { freePort } from '../setup/free-port.js';
import { buildWhatIsStarted, killStarted } from '../setup/started.js';
import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';
import { CHECKS, type Attack } from './checks.js';

/** Most that refusing one attack may cost the gateway's process. */
const MOST_CPU_MS = 50;
const REPEATS = 10;

jest.setTimeout(90_000);

const pathOf = ({ search = '' }: Attack): string => `/graphql${search}`;
/** The same attack in a document that no gateway has seen: what it remembers of one costs it nothing. */
const anew = (attack: Attack, times: number): Attack => ({
  ...attack,
  ...(attack.body !== undefined && {
    body: attack.body.replace(/^\{"query":"/, `$&# ${times}\\n`),
  }),
});
const requestOf = ({ method = 'POST', headers = {}, body }: Attack) => ({
  method,
  headers,
  ...(body !== undefined && { body }),
});

describe('an attack', () => {
  let gateway: Attacked;
  beforeAll(async () => {
    gateway = await attackedGateway();
  });
  afterAll(() => gateway.close());

  it.each(CHECKS)('$source, $name: $code', async ({ status, code, besides, attack }) => {
    const answer = await gateway.ask(pathOf(attack), requestOf(attack));
    const codes = (answer.body.errors as { extensions: { code: string } }[]).map(
      ({ extensions }) => extensions.code,
    );
    expect({
      status: answer.status,
      codes: [...new Set(codes)].sort(),
      data: answer.body.data ?? null,
    }).toEqual({ status, codes: [code, ...besides].sort(), data: null });
  });
});

it('is refused cheaply: CPU of a gateway in a process of its own, which tells it on its metrics page', async () => {
  buildWhatIsStarted();
  const metricsPort = await freePort();
  const gateways = await gatewaysOn(
    { METRICS_PORT: String(metricsPort), RATE_LIMIT_REQUESTS: '1000000' },
    1,
  );
  try {
    const { url } = gateways.processes[0]!;
    const { apiKey, workspace } = await gateways.records.aViewer();
    const cpuMs = async (): Promise<number> => {
      const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(/^process_cpu_seconds_total (\S+)/m.exec(page)![1]) * 1_000;
    };
    let times = 0;
    const send = async ({ attack: first, status }: (typeof CHECKS)[number]): Promise<void> => {
      const attack = anew(first, times++);
      const { headers, ...request } = requestOf(attack);
      const answer = await fetch(url + pathOf(attack), {
        ...request,
        headers: {
          Authorization: `Bearer-API ${apiKey}`,
          'Service-Workspace-Id': workspace.id,
          ...headers,
        },
      });
      await answer.text();
      expect(answer.status).toBe(status);
    };

    for (const check of CHECKS) await send(check); // what a process compiles at first is no cost of an attack
    const costs: { name: string; cpu: number }[] = [];
    for (const check of CHECKS) {
      const before = await cpuMs();
      for (let repeat = 0; repeat < REPEATS; repeat++) await send(check);
      costs.push({
        name: `${check.source}’s ${check.name}`,
        cpu: ((await cpuMs()) - before) / REPEATS,
      });
    }
    const [dearest] = costs.sort((a, b) => b.cpu - a.cpu);
    suite.tell(
      `Attacks: ${costs.length}, the dearest ${dearest!.cpu.toFixed(1)} ms of CPU (${dearest!.name}).`,
    );
    expect(costs.filter(({ cpu }) => cpu >= MOST_CPU_MS)).toEqual([]);
    expect(gateways.processes[0]!.output() + gateways.processes[0]!.errors()).not.toContain(
      apiKey.slice(-20),
    );
  } finally {
    await gateways.close();
    killStarted();
  }
});
