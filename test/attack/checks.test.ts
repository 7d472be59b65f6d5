import { suite } from '../setup/suite.js';
import { attackedGateway, type Attacked } from './attacked.js';
import { CHECKS, type Attack } from './checks.js';

/** Most that refusing one attack may cost, with what it costs the test to send it. */
const MOST_CPU_MS = 50;
const REPEATS = 7;

let gateway: Attacked;
beforeAll(async () => {
  gateway = await attackedGateway();
  for (const { attack } of CHECKS) await send(attack); // what a process compiles at first is no cost of an attack
});
afterAll(() => gateway.close());

const costs: { name: string; cpu: number }[] = [];
const send = ({ method = 'POST', search = '', headers = {}, body }: Attack) => gateway.ask(`/graphql${search}`, { method, headers, ...(body !== undefined && { body }) });

/** CPU time of this process while something runs, in milliseconds: unlike the clock's, it does not count what others do meanwhile. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it.each(CHECKS)('$source, $name: $code', async ({ source, name, status, code, attack }) => {
  const cpus: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    cpus.push(await cpuOf(async () => {
      const answer = await send(attack);
      const codes = (answer.body.errors as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code);
      expect({ status: answer.status, codes, data: answer.body.data ?? null }).toEqual({ status, codes: expect.arrayContaining([code]), data: null });
    }));
  }
  const median = cpus.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!;
  costs.push({ name: `${source}’s ${name}`, cpu: median });
  expect(median).toBeLessThan(MOST_CPU_MS);
});

it('refuses all of them cheaply', () => {
  const [dearest] = costs.sort((a, b) => b.cpu - a.cpu);
  suite.tell(`Attacks: ${costs.length}, the dearest ${dearest!.cpu.toFixed(1)} ms of CPU (${dearest!.name}).`);
  expect(costs).toHaveLength(CHECKS.length);
});
