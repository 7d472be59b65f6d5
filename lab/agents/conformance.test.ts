import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { forAllTests } from '../../test/fixtures/lifecycle.js';
import { withGateway } from '../../test/fixtures/gateway.js';
import { keyAdder, runChecker } from './checkers.js';

const TIMEOUT_MS = 180_000;
const gateway = withGateway();
const proxy = forAllTests(() => keyAdder(gateway), 'close');
const folder = forAllTests(() => {
  const root = mkdtempSync(path.join(tmpdir(), 'agents-'));
  return { root, remove: () => rmSync(root, { recursive: true }) };
}, 'remove');

/** Scenarios that no server may fail. Those of the newer protocol are only in the newer suite. */
const REQUIRED = {
  conformance: [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ],
  'conformance-next': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'server-session-lifecycle',
    'server-stateless',
    'caching',
    'http-header-validation',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
} as const;

/**
 * Scenarios that call the tools, resources and prompts of an example server, or parts of the
 * protocol that this server does not declare: completion, logging, resource subscriptions, tasks.
 */
const OF_EXAMPLE_SERVER =
  /^(completion-complete|elicitation-.*|http-custom-header-.*|input-required-result-.*|json-schema-.*|logging-.*|prompts-get-.*|resources-(read|subscribe|templates|unsubscribe).*|server-sse-polling|tasks-.*|tools-call-.*)$/;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Checks that failed, by the scenario; not those that only an example server can be tested for. */
function failuresBelow(results: string): Map<string, string[]> {
  return new Map(
    readdirSync(results).map((run) => {
      const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
      const checks = JSON.parse(
        readFileSync(path.join(results, run, 'checks.json'), 'utf8'),
      ) as Check[];
      const failed = checks.filter(
        ({ status, errorMessage = '' }) =>
          status === 'FAILURE' && !errorMessage.startsWith('Not testable: '),
      );
      return [scenario, failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`)];
    }),
  );
}

it.each(['conformance', 'conformance-next'] as const)(
  'the server passes the suite %s of the protocol',
  async (checker) => {
    const results = path.join(folder.root, checker);
    const { out, err } = await runChecker(checker, [
      'server',
      `--url=${proxy.url}/mcp`,
      '--suite=all',
      `--output-dir=${results}`,
    ]);
    expect(out + err).toContain('=== SUMMARY ===');
    const failures = failuresBelow(results);
    const required: readonly string[] = REQUIRED[checker];
    const unexpected = [...failures].filter(
      ([scenario, failed]) =>
        failed.length > 0 && (required.includes(scenario) || !OF_EXAMPLE_SERVER.test(scenario)),
    );
    expect(unexpected).toEqual([]);
    expect(required.filter((scenario) => !failures.has(scenario))).toEqual([]);
  },
  TIMEOUT_MS,
);

describe('the inspector', () => {
  const inspect = (era: string, ...args: string[]) =>
    runChecker('inspector', [
      '--cli',
      `${gateway.url}/mcp`,
      '--transport=http',
      `--protocol-era=${era}`,
      `--header=Authorization: Bearer ${gateway.owner.apiKey}`,
      '--format=json',
      '--stored-auth-only',
      ...args,
    ]);
  const call = (era: string, tool: string, args: object) =>
    inspect(
      era,
      '--method=tools/call',
      `--tool-name=${tool}`,
      `--tool-args-json=${JSON.stringify(args)}`,
    );

  it.each(['legacy', 'modern'])(
    'of the generation %s finds nothing in the tools, and tells errors from answers',
    async (era) => {
      const [list, answer, error] = await Promise.all([
        inspect(era, '--method=tools/list', '--strict'),
        call(era, 'get_context', {}),
        call(era, 'get_post', { id: '66f1a2b3c4d5e6f708192a3b' }),
      ]);
      expect([list.code, list.err]).toEqual([0, '']);
      expect(JSON.parse(list.out).result.tools.length).toBe(21);
      expect([answer.code, answer.err]).toEqual([0, '']);
      expect(error.code).toBe(5);
      expect(error.out).toContain('POST_NOT_FOUND');
    },
    TIMEOUT_MS,
  );
});
