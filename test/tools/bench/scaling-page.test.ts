import { readText } from '../../architecture/source-files.js';
import { costRows, processRows } from '../../../lab/bench/src/scaling/costs-report.js';
import type { Costs } from '../../../lab/bench/src/scaling/costs.js';
import { bottleneckRows, needRows } from '../../../lab/bench/src/scaling/needs-report.js';
import { needsOf } from '../../../lab/bench/src/scaling/needs.js';
import { GOAL } from '../../../lab/bench/src/scaling/scenario.js';

const page = readText('docs/scaling.md');
const costs = JSON.parse(readText('lab/bench/measured/costs.json')) as Costs;
const needs = needsOf(costs, GOAL);

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const missing = (rows: readonly (readonly string[])[]): string[] =>
  rows.map(line).filter((row) => !page.includes(`\n${row}\n`));

it.each([
  ['costs', costRows(costs)],
  ['memory and connections', processRows(costs)],
  ['needs', needRows(needs)],
  ['bottlenecks', bottleneckRows(needs, GOAL)],
])('docs/scaling.md contains the %s that follow from the recorded measurement', (_, rows) => {
  expect(rows.length).toBeGreaterThan(0);
  expect(missing(rows)).toEqual([]);
});

it('docs/scaling.md states the number of servers', () => {
  const { databaseServers, processes } = needs;
  expect(page).toContain(
    `${processes.gateways} gateways, ${processes.workers} workers, ${processes.redis} Redis servers and ${databaseServers} database servers`,
  );
});
