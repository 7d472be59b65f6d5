import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Options } from '../options.js';
import { BENCH } from '../product.js';
import { textTable } from '../text-table.js';
import type { Costs } from './costs.js';
import { needRows, bottleneckRows } from './needs-report.js';
import { needsOf } from './needs.js';
import { GOAL } from './scenario.js';

/** The costs that docs/scaling.md is computed from. */
const RECORDED = path.join(BENCH, 'measured', 'costs.json');

/** Reads the costs from a JSON file, or from the output of the command `costs`, which ends with them. */
function readCosts(file: string): Costs {
  const text = readFileSync(file, 'utf8');
  return JSON.parse(text.slice(text.search(/^\{/m))) as Costs;
}

/** Prints what the goal needs, and which limits of a single database server are reached first. */
export async function printNeeds({ costs: file, json }: Options): Promise<void> {
  const costs = readCosts(file ?? RECORDED);
  const needs = needsOf(costs, GOAL);
  const { processes, databaseServers } = needs;
  process.stdout.write(
    `${costs.machine}\n\n${textTable(['', 'needed', 'one server', 'servers'], needRows(needs))}\n\n` +
      `${processes.gateways} gateways, ${processes.workers} workers, ${processes.redis} Redis servers and ${databaseServers} database servers without replicas\n\n` +
      `${textTable(['reached at', 'load', 'bottleneck', 'what is done'], bottleneckRows(needs, GOAL))}\n`,
  );
  if (json) process.stdout.write(`${JSON.stringify(needs)}\n`);
}
