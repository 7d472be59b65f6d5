import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort } from '../../test/setup/free-port.js';
import { startProgram, waitUntil } from '../../test/setup/started-program.js';
import { findProgram } from '../../test/setup/system-program.js';

const ROOT = path.resolve(__dirname, '../..');
export const RULES_FILE = path.join(ROOT, 'deploy', 'prometheus', 'posts-gateway.rules.yml');

const PACKAGE = { neededBy: 'monitoring', debianPackage: 'prometheus' };

/** A rule of the rules file: a recorded series or an alert. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
}

export const readRules = (): Rule[] =>
  (parse(readFileSync(RULES_FILE, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );

/** Runs promtool and returns its output. @throws Error with its output if it fails */
export function runPromtool(...args: string[]): string {
  const program = findProgram({ ...PACKAGE, names: ['promtool'] });
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

const MS_PER_UNIT: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000 };

/** The rules with all windows and waiting times divided by `factor`. */
export const shortenRules = (rules: string, factor: number): string =>
  rules.replace(
    /(?<=\[|for: )(\d+)([mh])\b/g,
    (_text, count: string, unit: string) => `${(+count * MS_PER_UNIT[unit]!) / factor}ms`,
  );

/** A Prometheus server that scrapes processes of the gateway. */
export interface Prometheus {
  /** The values of an expression by its labels. */
  query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]>;
  /** Names of the firing alerts, without the prefix PostsGateway. */
  firingAlerts(): Promise<string[]>;
  stop(): Promise<void>;
}

interface PrometheusOptions {
  /** For its configuration and data. */
  readonly folder: string;
  /** `host:port` of each METRICS_PORT. */
  readonly targets: readonly string[];
  /** Divides the windows and waiting times of the rules. */
  readonly factor: number;
}

const SCRAPE_INTERVAL = '500ms';

/** Starts Prometheus with the rules of the gateway, and waits until it is ready. */
export async function startPrometheus({
  folder,
  targets,
  factor,
}: PrometheusOptions): Promise<Prometheus> {
  const [rulesFile, configFile] = [path.join(folder, 'rules.yml'), path.join(folder, 'config.yml')];
  writeFileSync(rulesFile, shortenRules(readFileSync(RULES_FILE, 'utf8'), factor));
  writeFileSync(
    configFile,
    stringify({
      global: {
        scrape_interval: SCRAPE_INTERVAL,
        scrape_timeout: SCRAPE_INTERVAL,
        evaluation_interval: SCRAPE_INTERVAL,
      },
      rule_files: [rulesFile],
      scrape_configs: [{ job_name: 'posts-gateway', static_configs: [{ targets }] }],
    }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const started = startProgram({}, [
    findProgram({ ...PACKAGE, names: ['prometheus'] }),
    `--config.file=${configFile}`,
    `--storage.tsdb.path=${path.join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  const get = (target: string): Promise<Response> => fetch(`http://${address}${target}`);
  await waitUntil(async () => (await get('/-/ready').catch(() => null))?.ok === true, started);

  async function query(expression: string) {
    const response = await get(`/api/v1/query?${new URLSearchParams({ query: expression })}`);
    const { data, error } = (await response.json()) as {
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
      error?: string;
    };
    if (!data) throw new Error(`${expression}: ${error}`);
    return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  return {
    query,
    async firingAlerts() {
      const firing = await query('count by (alertname) (ALERTS{alertstate="firing"})');
      return firing.map(({ labels }) => labels.alertname!.replace(/^PostsGateway/, '')).sort();
    },
    async stop() {
      started.child.kill('SIGTERM');
      await started.exit;
    },
  };
}
