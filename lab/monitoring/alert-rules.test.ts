import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { removeFolder, temporaryFolder } from '../../test/setup/test-server.js';
import { ALERT_CASES, type AlertCase } from './alert-cases.js';
import { readRules, RULES_FILE, runPromtool } from './prometheus.js';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const alerts = readRules().flatMap(({ alert }) => alert ?? []);

/** How many instances of the alert fire at a minute. */
const firingAt = ({ alert }: AlertCase, minute: number, value: 0 | 1) => ({
  expr: `count(ALERTS{alertname="PostsGateway${alert}", alertstate="firing"}) or vector(0)`,
  eval_time: `${minute}m`,
  exp_samples: [{ labels: '{}', value }],
});

it('the rules are valid', () => {
  expect(runPromtool('check', 'rules', RULES_FILE)).toContain('SUCCESS');
});

it('every alert has a case', () => {
  const names = new Set(ALERT_CASES.map(({ alert }) => `PostsGateway${alert}`));
  expect([...names].sort()).toEqual(alerts.toSorted());
});

it.each(ALERT_CASES.map((alertCase, index) => [alertCase.alert, index, alertCase] as const))(
  '%s fires while its condition holds (case %i)',
  (_alert, index, alertCase) => {
    const { series, silentAt, firesAt } = alertCase;
    const file = path.join(folder, `case-${index}.yml`);
    const test = {
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        ...silentAt.map((minute) => firingAt(alertCase, minute, 0)),
        ...firesAt.map((minute) => firingAt(alertCase, minute, 1)),
      ],
    };
    writeFileSync(
      file,
      stringify({ rule_files: [RULES_FILE], evaluation_interval: '1m', tests: [test] }),
    );
    expect(runPromtool('test', 'rules', file)).toContain('SUCCESS');
  },
);

it('docs/monitoring.md lists every alert with its severity', () => {
  const page = readFileSync(path.resolve(__dirname, '../../docs/monitoring.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `(PostsGateway\w+)`[^|]*\| (\w+) \|/gm)].map(
    ([, alert, severity]) => [alert, severity],
  );
  const defined = readRules().flatMap(({ alert, labels }) =>
    alert === undefined ? [] : [[alert, labels?.severity]],
  );
  expect(listed).toEqual(defined);
});
