import type { Measurement } from './measure.js';
import { OPERATIONS } from './operations.js';
import { cpuRatiosOf, medianOf, ratiosOf, type Ratios, type ServerFigures } from './results.js';
import { VERSIONS } from './product.js';
import { PRODUCT, SERVERS, type Server } from './servers.js';
import { figure, textTable, type Row } from './text-table.js';

const ms = (value: number): string => figure(value, value < 10 ? 2 : 1);

/** Title of a server and the versions of its packages. */
const describe = ({ name, title, packages }: Server): string =>
  `${name}: ${title}${packages.length > 0 ? ` (${packages.map((pkg) => `${pkg} ${VERSIONS[pkg]}`).join(', ')})` : ''}`;

/** The report: a table for each operation, and measured for the servers. */
export function reportOf(
  measurements: readonly Measurement[],
  serverFigures: readonly ServerFigures[],
): string {
  const ratios = ratiosOf(measurements);
  const cpuRatios = cpuRatiosOf(measurements);
  const tables = OPERATIONS.filter(({ name }) =>
    measurements.some((measured) => measured.operation === name),
  ).map(({ name, title }) => {
    const rows = SERVERS.flatMap((server): Row[] => {
      const measured = medianOf(measurements, server.name, name);
      if (!measured) return [];
      const toGateway = (all: Ratios): string =>
        server.name === PRODUCT ? '' : figure(all[name]?.[server.name] ?? NaN, 2);
      return [
        [
          server.name,
          figure(measured.perSecond),
          ms(measured.p50),
          ms(measured.p99),
          figure(measured.serverCpu, 3),
          figure(measured.databaseCpu, 3),
          toGateway(ratios),
          toGateway(cpuRatios),
        ],
      ];
    });
    return `${name}: ${title}\n${textTable(['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms server', 'CPU ms database', `${PRODUCT} is ×`, 'uses CPU ×'], rows)}`;
  });
  const servers = serverFigures.map(({ server, startMs, idleMb, loadedMb }): Row => [
    server,
    figure(startMs),
    figure(idleMb),
    figure(loadedMb),
  ]);
  const described = SERVERS.filter(({ name }) =>
    serverFigures.some(({ server }) => server === name),
  ).map(describe);
  return [
    ...tables,
    textTable(['', 'start to first response ms', 'memory idle MB', 'after load MB'], servers),
    described.join('\n'),
  ].join('\n\n');
}
