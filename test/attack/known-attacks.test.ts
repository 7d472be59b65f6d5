import { startGateways } from '../fixtures/gateway-processes.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { freePort } from '../setup/free-port.js';
import { buildIfChanged, killStartedPrograms } from '../setup/started-program.js';
import { suite } from '../setup/suite.js';
import { openAuditedGateway, type AuditedGateway } from './audited-gateway.js';
import type { AttackRequest, KnownAttack } from './attack-builders.js';
import { KNOWN_ATTACKS } from './known-attacks.js';

/** Maximum CPU time of the gateway process to reject one attack. */
const MAX_CPU_MS = 50;
const REPEATS = 10;

const pathOf = ({ search = '' }: AttackRequest): string => `/graphql${search}`;
/** Adds a comment to the document, so that the gateway cannot use its cache of documents. */
const withUniqueComment = (request: AttackRequest, count: number): AttackRequest => ({
  ...request,
  ...(request.body !== undefined && {
    body: request.body.replace(/^\{"query":"/, `$&# ${count}\\n`),
  }),
});
const requestOf = ({ method = 'POST', headers = {}, body }: AttackRequest) => ({
  method,
  headers,
  ...(body !== undefined && { body }),
});

describe('a known attack', () => {
  let gateway: AuditedGateway;
  beforeAll(async () => {
    gateway = await openAuditedGateway();
  });
  afterAll(() => gateway.close());

  it.each(KNOWN_ATTACKS)('$source, $name: $code', async ({ status, code, otherCodes, request }) => {
    const response = await gateway.request(pathOf(request), requestOf(request));
    const codes = (response.body.errors as { extensions: { code: string } }[]).map(
      ({ extensions }) => extensions.code,
    );
    expect({
      status: response.status,
      codes: [...new Set(codes)].sort(),
      data: response.body.data ?? null,
    }).toEqual({ status, codes: [code, ...otherCodes].sort(), data: null });
  });
});

it(`is rejected within ${MAX_CPU_MS} ms of CPU time, by the metrics of a separate gateway process`, async () => {
  buildIfChanged();
  const metricsPort = await freePort();
  const gateways = await startGateways(
    { METRICS_PORT: String(metricsPort), RATE_LIMIT_REQUESTS: '1000000' },
    1,
  );
  const { url, output, errors } = gateways.processes[0]!;
  try {
    const viewer = await gateways.records.aViewer();
    const send = createSender(url, viewer);
    // warms up: compilation is not part of the cost
    for (const attack of KNOWN_ATTACKS) await send(attack);
    const costs: { name: string; cpu: number }[] = [];
    for (const attack of KNOWN_ATTACKS) {
      const before = await readCpuMs(metricsPort);
      for (let repeat = 0; repeat < REPEATS; repeat++) await send(attack);
      costs.push({
        name: `${attack.source}: ${attack.name}`,
        cpu: ((await readCpuMs(metricsPort)) - before) / REPEATS,
      });
    }
    const [mostExpensive] = costs.sort((a, b) => b.cpu - a.cpu);
    suite.report(
      `Attacks: ${costs.length}, the most expensive ${mostExpensive!.cpu.toFixed(1)} ms of CPU (${mostExpensive!.name}).`,
    );
    expect(costs.filter(({ cpu }) => cpu >= MAX_CPU_MS)).toEqual([]);
    expect(output() + errors()).not.toContain(viewer.apiKey.slice(-20));
  } finally {
    await gateways.close();
    killStartedPrograms();
  }
});

/** CPU time of the process since its start. */
async function readCpuMs(metricsPort: number): Promise<number> {
  const page = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(page)![1]) * 1_000;
}

/** Sends each request with a different document, and asserts the status. */
function createSender(
  url: string,
  { apiKey, workspace }: KeyedViewer,
): (attack: KnownAttack) => Promise<void> {
  let sent = 0;
  return async ({ request, status }) => {
    const unique = withUniqueComment(request, sent++);
    const { headers, ...init } = requestOf(unique);
    const response = await fetch(url + pathOf(unique), {
      ...init,
      headers: {
        Authorization: `Bearer-API ${apiKey}`,
        'Service-Workspace-Id': workspace.id,
        ...headers,
      },
    });
    await response.text();
    expect(response.status).toBe(status);
  };
}
