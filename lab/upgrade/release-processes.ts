import path from 'node:path';
import { freePort } from '../../test/setup/free-port.js';
import {
  errorLinesOf,
  startProgram,
  waitUntil,
  type StartedProgram,
} from '../../test/setup/started-program.js';
import { scrapeMetrics, seriesOf } from '../../test/fixtures/metric-series.js';

/** A gateway and a worker of one release. Both run jobs. */
export interface ReleaseProcesses {
  readonly url: string;
  /** Posts that these processes have published so far. */
  publishedPosts(): Promise<number>;
  /** Stops both as a deployment does, and returns what they logged as errors. */
  stop(): Promise<string[]>;
}

/** Runs a release, which was built in this folder. */
export async function startRelease(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<ReleaseProcesses> {
  async function start(file: string, readyText: string, port: number): Promise<StartedProgram> {
    const env = { ...settings, LOG_LEVEL: 'warn', METRICS_PORT: String(port) };
    const program = startProgram(
      { ...env, PORT: '0' },
      [process.execPath, path.join(folder, 'dist', file)],
      folder,
    );
    await waitUntil(() => program.output().includes(readyText), program);
    return program;
  }
  const ports = [await freePort(), await freePort()] as const;
  const gateway = await start('main.js', 'REST v1', ports[0]);
  const worker = await start('worker.js', 'worker is running', ports[1]);
  const programs = [gateway, worker];
  return {
    url: /http:\/\/[\d.]+:\d+/.exec(gateway.output())![0],
    async publishedPosts() {
      const series = await Promise.all(
        ports.map(async (port) =>
          seriesOf(
            await scrapeMetrics(`http://127.0.0.1:${port}`),
            'posts_gateway_publication_attempts_total',
          ),
        ),
      );
      return series
        .flatMap((counts) => Object.entries(counts))
        .reduce((sum, [labels, n]) => sum + (labels.includes('="published"') ? n : 0), 0);
    },
    async stop() {
      for (const { child } of programs) child.kill('SIGTERM');
      await Promise.all(programs.map(({ exit }) => exit));
      return programs.flatMap(errorLinesOf);
    },
  };
}
