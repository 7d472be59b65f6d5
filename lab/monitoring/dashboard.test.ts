import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { gatewayWith } from '../../test/fixtures/gateway.js';
import { expectSeries, scrapeMetrics } from '../../test/fixtures/metric-series.js';
import { testRedis } from '../../test/setup/redis.js';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { readRules, runPromtool } from './prometheus.js';

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const dashboard = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../deploy/grafana/posts-gateway.json'), 'utf8'),
) as { readonly panels: readonly Panel[] };

const queries = dashboard.panels.flatMap(({ targets = [] }) => targets);
const withoutVariables = (expression: string): string =>
  expression.replaceAll('$__rate_interval', '5m').replace(/\$\w+/g, '.*');

const expressions = [...queries, ...readRules()].map(({ expr }) => withoutVariables(expr));

/** Labels and names that Prometheus adds. */
const SCRAPE_LABELS = ['job', 'instance', 'le'];
const SCRAPE_SERIES = ['up'];

const SELECTOR = /([a-z_][\w:]*)\s*(\{[^}]*\}|(?=\[))/g;
const KEYWORDS = /\b(by|on|and|or|unless|without|ignoring)\b/g;

/** The metrics of an expression: names that are no functions, once labels and texts are removed. */
const metricsIn = (expression: string): string[] =>
  [
    ...expression
      .replace(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
      .replace(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
      .replace(KEYWORDS, ' ')
      .matchAll(/\b[a-zA-Z_][\w:]*\b(?!\s*\()/g),
  ].map(([name]) => name);

/** The labels that the selectors of an expression match, with their metric. */
const labelsIn = (expression: string): [metric: string, label: string][] =>
  [...expression.matchAll(SELECTOR)].flatMap(([, metric, selector = '']) =>
    [...selector.matchAll(/(\w+)\s*[=!]~?=?\s*"/g)].map(([, label]): [string, string] => [
      metric!,
      label!,
    ]),
  );

/** The labels of each metric that a gateway with a worker exports. */
async function exportedLabels(): Promise<Map<string, Set<string>>> {
  // a replica that is away has series, too
  const databaseReplicaUrls = ['postgresql://user:password@127.0.0.1:1/posts'];
  const redis = await testRedis();
  const gateway = await gatewayWith({
    metricsPort: 0,
    databaseReplicaUrls,
    redisUrls: [redis.url],
    redisPrefix: redis.prefix,
  });
  try {
    gateway.startWorker();
    await gateway.v1('GET', '/posts');
    await expectSeries(gateway.metricsUrl, 'posts_gateway_requests_total', {
      '{api="rest",operation="GET /v1/posts",status="200"}': 1,
    });
    const labels = new Map<string, Set<string>>();
    for (const series of (await scrapeMetrics(gateway.metricsUrl)).keys()) {
      const [name = '', texts = ''] = series.split('{');
      const names = [...texts.matchAll(/(\w+)="/g)].map(([, label]) => label!);
      labels.set(name, new Set([...(labels.get(name) ?? []), ...names]));
    }
    return labels;
  } finally {
    await gateway.close();
    await redis.close();
  }
}

it('has panels with a title, and queries with a legend', () => {
  expect(queries.length).toBeGreaterThan(30);
  expect(dashboard.panels.filter(({ title }) => title === '')).toEqual([]);
  expect(
    dashboard.panels.filter(
      ({ type, targets = [] }) => (type === 'row') !== (targets.length === 0),
    ),
  ).toEqual([]);
  expect(queries.filter(({ legendFormat }) => legendFormat === '')).toEqual([]);
});

it('has expressions that Prometheus accepts', () => {
  const folder = temporaryFolder();
  try {
    const file = path.join(folder, 'dashboard.yml');
    const rules = expressions.map((expr, index) => ({ record: `dashboard:${index}`, expr }));
    writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(runPromtool('check', 'rules', file)).toContain(`${rules.length} rules found`);
  } finally {
    removeFolder(folder);
  }
});

it('queries only metrics and labels that processes export, like the rules', async () => {
  const exported = await exportedLabels();
  const recorded = readRules().flatMap(({ record }) => record ?? []);
  const known = new Set([...exported.keys(), ...recorded, ...SCRAPE_SERIES]);
  const metrics = [...new Set(expressions.flatMap(metricsIn))];
  expect(metrics.length).toBeGreaterThan(30);
  expect(metrics.filter((name) => !known.has(name))).toEqual([]);
  expect(
    expressions
      .flatMap(labelsIn)
      .filter(([name, label]) => !SCRAPE_LABELS.includes(label) && !exported.get(name)?.has(label)),
  ).toEqual([]);
});

it('shows every metric of the gateway', async () => {
  const shown = new Set(queries.flatMap(({ expr }) => metricsIn(withoutVariables(expr))));
  const families = [...(await exportedLabels()).keys()].filter((name) =>
    /^posts_gateway_.*(?<!_sum|_count)$/.test(name),
  );
  expect(families.filter((name) => !shown.has(name))).toEqual([]);
});
