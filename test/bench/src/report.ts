import type { Measurement } from './measure.js';
import { OPERATIONS } from './operations.js';
import { medianOf, ratiosOf, type Standing } from './results.js';
import { VERSIONS } from './product.js';
import { PRODUCT, SERVERS, type Server } from './servers.js';
import { figure, textTable, type Row } from './text-table.js';

const ms = (value: number): string => figure(value, value < 10 ? 2 : 1);

const cpuOf = ({ serverCpu, databaseCpu }: Measurement): number => serverCpu + databaseCpu;

/** What a server is, with the versions of what it is made of. */
const describe = ({ name, title, packages }: Server): string =>
  `${name}: ${title}${packages.length > 0 ? ` (${packages.map((one) => `${one} ${VERSIONS[one]}`).join(', ')})` : ''}`;

/** The whole report as text: each operation with its servers, and the servers themselves. */
export function reportOf(
  measurements: readonly Measurement[],
  standings: readonly Standing[],
): string {
  const ratios = ratiosOf(measurements);
  const tables = OPERATIONS.filter(({ name }) =>
    measurements.some((one) => one.operation === name),
  ).map(({ name, title }) => {
    const ours = medianOf(measurements, PRODUCT, name);
    const rows = SERVERS.flatMap((server): Row[] => {
      const one = medianOf(measurements, server.name, name);
      if (!one) return [];
      const ratio = server.name === PRODUCT ? '' : figure(ratios[name]?.[server.name] ?? NaN, 2);
      const cpu = ours && server.name !== PRODUCT ? figure(cpuOf(one) / cpuOf(ours), 2) : '';
      return [
        [
          server.name,
          figure(one.perSecond),
          ms(one.p50),
          ms(one.p99),
          figure(one.serverCpu, 3),
          figure(one.databaseCpu, 3),
          ratio,
          cpu,
        ],
      ];
    });
    return `${name}: ${title}\n${textTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms server', 'CPU ms database', `${PRODUCT} is ×`, 'uses CPU ×'], rows)}`;
  });
  const servers = standings.map(({ server, startMs, idleMb, loadedMb }): Row => [
    server,
    figure(startMs),
    figure(idleMb),
    figure(loadedMb),
  ]);
  const described = SERVERS.filter(({ name }) =>
    standings.some(({ server }) => server === name),
  ).map(describe);
  return [
    ...tables,
    textTable(['', 'start to first answer ms', 'memory idle MB', 'after load MB'], servers),
    described.join('\n'),
  ].join('\n\n');
}
