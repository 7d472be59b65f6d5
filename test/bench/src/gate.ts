import path from 'node:path';
import { v1, type Request } from './dialects.js';
import type { Options } from './options.js';
import { BENCH } from './product.js';
import { median } from './results.js';
import type { Server } from './servers.js';
import { withStage } from './stage.js';
import { figure, textTable } from './text-table.js';
import { cpuSeconds } from './usage.js';

const GATE_SERVER: Server = {
  name: 'gate',
  title: 'the gate',
  packages: [],
  dialect: 'contract',
  doors: ['v1'],
  command: ['node', path.join(BENCH, 'dist', 'gate-server.js')],
  folder: BENCH,
  wantsIndex: false,
};
const POSTS = 10_000;
/** Milliseconds of CPU a request, of gate and rate window together. */
const GOAL = 0.08;

interface Costs {
  readonly open: number;
  readonly gated: number;
}

/** What the gate takes of its own process: answers behind it beside answers without it, round by round in turn; the first round warms up. */
export const gate = ({ rounds, pace: { connections, seconds }, json }: Options): Promise<void> =>
  withStage(async (stage) => {
    const scene = await stage.scene(POSTS);
    const { origin, pid } = await stage.start(GATE_SERVER, scene);
    const behind = v1.list(scene.facts.readers[0]!);
    const cpuEach = async (request: Request): Promise<number> => {
      const before = cpuSeconds(pid);
      const { requests, failures, failure } = await stage.load.run({
        origins: [origin],
        sends: { requests: [request] },
        connections,
        seconds,
        atLeast: 200,
      });
      if (failures > 0) throw new Error(`${failures} answers were none: ${failure}`);
      return ((cpuSeconds(pid) - before) * 1000) / requests;
    };
    const costs: Costs[] = [];
    for (let round = 0; round <= rounds; round++)
      costs.push({
        open: await cpuEach({ ...behind, path: '/open' }),
        gated: await cpuEach(behind),
      });
    const figureOf = (read: (one: Costs) => number): number => median(costs.slice(1).map(read));
    const [open, gated, cost] = [
      figureOf((one) => one.open),
      figureOf((one) => one.gated),
      figureOf((one) => one.gated - one.open),
    ];
    process.stdout.write(
      `${await stage.machine(scene)}\n${connections} connections, medians of ${rounds} rounds of ${seconds} s\n\n`,
    );
    process.stdout.write(
      `${textTable(['CPU ms a request', 'without', 'with', 'gate', 'goal', 'met'], [['gate and rate window', figure(open, 3), figure(gated, 3), figure(cost, 3), `≤ ${GOAL}`, cost <= GOAL ? 'yes' : 'no']])}\n`,
    );
    if (json)
      process.stdout.write(`${JSON.stringify({ gate: { cpuMs: Number(cost.toFixed(4)) } })}\n`);
  });
