import type { Measurement } from './measure.js';
import { OPERATIONS } from './operations.js';
import { medianOf, ratiosOf, type Standing } from './results.js';
import { PRODUCT, SERVERS } from './servers.js';

type Row = readonly string[];

/** A table in plain text: the first column to the left, the others to the right. */
function table(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (row: Row): string => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ');
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}

const number = (value: number, digits = 0): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');
const ms = (value: number): string => number(value, value < 10 ? 2 : 1);

const cpuOf = ({ serverCpu, databaseCpu }: Measurement): number => serverCpu + databaseCpu;

/** The whole report as text: each operation with its servers, and the servers themselves. */
export function reportOf(measurements: readonly Measurement[], standings: readonly Standing[]): string {
  const ratios = ratiosOf(measurements);
  const tables = OPERATIONS.filter(({ name }) => measurements.some((one) => one.operation === name)).map(({ name, title }) => {
    const ours = medianOf(measurements, PRODUCT, name);
    const rows = SERVERS.flatMap((server): Row[] => {
      const one = medianOf(measurements, server.name, name);
      if (!one) return [];
      const ratio = server.name === PRODUCT ? '' : number(ratios[name]?.[server.name] ?? NaN, 2);
      const cpu = ours && server.name !== PRODUCT ? number(cpuOf(one) / cpuOf(ours), 2) : '';
      return [[server.name, number(one.perSecond), ms(one.p50), ms(one.p99), number(one.serverCpu, 3), number(one.databaseCpu, 3), ratio, cpu]];
    });
    return `${name}: ${title}\n${table(['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms server', 'CPU ms database', `${PRODUCT} is ×`, 'uses CPU ×'], rows)}`;
  });
  const servers = standings.map(({ server, startMs, idleMb, loadedMb }): Row => [server, number(startMs), number(idleMb), number(loadedMb), SERVERS.find(({ name }) => name === server)?.title ?? '']);
  return [...tables, table(['', 'start to first answer ms', 'memory idle MB', 'after load MB', ''], servers)].join('\n\n');
}
