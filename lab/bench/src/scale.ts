import { withBenchEnvironment } from './bench-environment.js';
import type { Options } from './options.js';
import { byDepth } from './scale-by-depth.js';
import { byProcesses } from './scale-by-processes.js';
import { byRecords } from './scale-by-records.js';
import { bySize } from './scale-by-size.js';
import { product, ROUNDS, type MeasuredGateway } from './scale-comparison.js';
import { figure, textTable } from './text-table.js';

const SMALL_POSTS = 10_000;

/** Measures how the gateway's cost grows with the amount of data. */
export const scale = (options: Options): Promise<void> =>
  withBenchEnvironment(async (environment) => {
    const startGateway = async (posts: number): Promise<MeasuredGateway> => {
      const seeded = await environment.openDatabase(posts);
      return { seeded, running: await environment.start(product, seeded) };
    };
    const small = await startGateway(SMALL_POSTS);
    const context = { environment, options, large: await startGateway(options.posts) };
    const growths = [
      ...(await bySize(context, small)),
      ...(await byDepth(context)),
      await byRecords(context),
      await byProcesses(context),
    ];
    const rows = growths.map(({ name, from, to, goal }) => {
      const ratio = to / from;
      const [limit, isReached] =
        'max' in goal ? [`≤ ${goal.max}`, ratio <= goal.max] : [`≥ ${goal.min}`, ratio >= goal.min];
      return [
        name,
        figure(from, 2),
        figure(to, 2),
        figure(ratio, 2),
        limit,
        isReached ? 'yes' : 'no',
      ];
    });
    process.stdout.write(
      `${await environment.machine(small.seeded)}\n${SMALL_POSTS.toLocaleString('en')} and ${options.posts.toLocaleString('en')} posts, medians of ${ROUNDS} rounds of ${options.pace.seconds} s\n\n`,
    );
    process.stdout.write(`${textTable(['', 'from', 'to', 'ratio', 'goal', 'met'], rows)}\n`);
    if (options.json)
      process.stdout.write(
        `${JSON.stringify({ scale: Object.fromEntries(growths.map(({ name, from, to }) => [name, { from, to, ratio: to / from }])) })}\n`,
      );
  });
