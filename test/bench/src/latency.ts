import { withBenchEnvironment } from './bench-environment.js';
import { measure, warmUp, type Measurement } from './measure.js';
import type { Operation } from './operations.js';
import type { Options } from './options.js';
import { logProgress } from './progress.js';
import { deepCursors } from './responses.js';
import { operationsOf } from './servers.js';
import { figure, textTable } from './text-table.js';

/** How long each server answers as many requests as it can, to find the slowest one. */
const CAPACITY_SECONDS = 2;
/** Share of the requests per second of the slowest server that every server gets. */
const SHARE_OF_CAPACITY = 0.5;

/**
 * Response times at the same rate of requests to every GraphQL server: half of what the slowest of
 * them answers. Operations with a limited number of requests have no such rate.
 */
export const measureLatency = (options: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const seeded = await environment.openDatabase(options.posts);
    const servers = options.servers.filter(({ apis }) => apis.includes('graphql'));
    const operations = options.operations.filter(
      ({ api, isVariant, name }) => api === 'graphql' && !isVariant && name !== 'M2',
    );
    /** Measures every operation on every server, at a rate that may depend on the operation. */
    const measureAll = async (
      what: string,
      seconds: number,
      perSecond: (operation: Operation) => number | undefined,
    ): Promise<Measurement[]> => {
      const measurements: Measurement[] = [];
      for (const server of servers) {
        logProgress(`${what}: ${server.name}`);
        const running = await environment.start(server, seeded);
        const input = {
          targets: seeded.targets,
          cursors: await deepCursors(running, seeded.targets),
        };
        const own = operationsOf(server, operations);
        await warmUp(environment.bench(seeded, options.pace), running, own, input);
        for (const operation of own) {
          const rate = perSecond(operation);
          const pace = {
            ...options.pace,
            seconds,
            ...(rate !== undefined && { perSecond: rate }),
          };
          const bench = environment.bench(seeded, pace);
          measurements.push(await measure(bench, running, operation, input));
        }
        await running.stop();
      }
      return measurements;
    };

    const capacities = await measureAll('Capacity', CAPACITY_SECONDS, () => undefined);
    const rateOf = ({ name }: Operation): number =>
      Math.floor(
        SHARE_OF_CAPACITY *
          Math.min(
            ...capacities
              .filter(({ operation }) => operation === name)
              .map(({ perSecond }) => perSecond),
          ),
      );
    const measurements = await measureAll('Response times', options.pace.seconds, rateOf);
    const rows = operations.flatMap((operation) =>
      measurements
        .filter((measured) => measured.operation === operation.name)
        .map(({ server, perSecond, p50, p99 }) => [
          operation.name,
          figure(rateOf(operation)),
          server,
          figure(perSecond),
          figure(p50, 1),
          figure(p99, 1),
        ]),
    );
    process.stdout.write(
      `${await environment.machine(seeded)}\n${options.posts.toLocaleString('en')} posts, ${options.pace.connections} connections, ${options.pace.seconds} s per operation and server\n\n${textTable(['', 'offered per second', '', 'answered per second', 'p50 ms', 'p99 ms'], rows)}\n`,
    );
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ latency: measurements.map(({ operation, server, p50, p99 }) => ({ operation, server, p50, p99 })) })}\n`,
      );
  });
