import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDescribedProxy, type DescribedProxy } from '../fixtures/described-proxy.js';
import { freePort } from '../setup/free-port.js';
import {
  buildIfChanged,
  killStartedPrograms,
  startProgram,
  waitUntil,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

const ROOT = path.resolve(__dirname, '../..');
/** The README and the guides. */
export const PAGES = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** A runnable code block, and the output that the page shows for it. */
export interface Example {
  readonly commands: string;
  readonly expected: string | null;
}

/** Code blocks of a page that are marked `sh run`, each with the JSON block that follows. */
export function examplesOf(page: string): Example[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh run\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)].map(
    ([, commands, expected]) => ({ commands: commands!, expected: expected ?? null }),
  );
}

const MARK = '--- end of an example ---';
const START = examplesOf('README.md')[0]!.commands;

/** A gateway that runs the examples of pages. */
export interface ExampleGateway {
  /** Checks the responses of REST v1 against the OpenAPI document. */
  readonly proxy: DescribedProxy;
  /** Output of each example of a page. Every page is run once. */
  outputsOf(page: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Starts the gateway with the command of the README in an empty folder, with its demo. */
export async function startExampleGateway(
  moreSettings: Readonly<Record<string, string>>,
): Promise<ExampleGateway> {
  buildIfChanged();
  const folder = temporaryFolder();
  const settings: Record<string, string> = {
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT_REQUESTS: '10000',
    ...moreSettings,
  };
  const gateway = startProgram(settings, ['npm', 'start']);
  await waitUntil(() => gateway.output().includes('See it on its network'), gateway);
  const proxy = await openDescribedProxy(`http://127.0.0.1:${settings['PORT']}`);

  /** Runs all examples of a page in one shell, after the first block of the README. */
  async function run(page: string): Promise<string[]> {
    const examples = examplesOf(page).map(({ commands }) => `${commands}echo '${MARK}'\n`);
    const [start, rest] =
      page === 'README.md' ? [examples[0]!, examples.slice(1)] : [START, examples];
    const script = [start, `HOST=${proxy.url}\n`, ...rest]
      .join('')
      .replaceAll('./.data/demo.json', path.join(folder, 'demo.json'));
    const { PATH, HOME } = process.env;
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
      cwd: ROOT,
      env: { PATH, HOME, ...settings } as NodeJS.ProcessEnv,
    });
    return stdout.split(`${MARK}\n`).slice(0, -1);
  }
  const outputsByPage = new Map<string, Promise<string[]>>();

  return {
    proxy,
    outputsOf: (page) => outputsByPage.get(page) ?? outputsByPage.set(page, run(page)).get(page)!,
    async close() {
      await proxy.close();
      gateway.child.kill('SIGTERM');
      await gateway.exit;
      killStartedPrograms();
      removeFolder(folder);
    },
  };
}

/** Response bodies in a text: each in one line, or in lines that end with a brace of its own. */
export const bodiesIn = (text: string): unknown[] =>
  [...text.matchAll(/^(?:\{[^\n]+\}|\{\n[^]*?^\})$/gm)].map(
    ([body]) => JSON.parse(body) as unknown,
  );

/**
 * Response bodies in a text, with everything normalized that differs between demos and over time.
 */
const normalize = (text: string): unknown[] =>
  bodiesIn(
    bodiesIn(text)
      .map((body) => JSON.stringify(body))
      .join('\n')
      .replace(/\b[0-9a-f]{24}\b/g, 'an id')
      .replace(/\b(acc|usr|job|grp)_\w+/g, '$1')
      .replace(/http:[^"]+\/media\/med_[^"]+/g, 'an address of a file')
      .replace(/(sandbox\.example\/acc)\/\d+/g, '$1')
      .replace(/"endCursor":"[^"]+"/g, '"endCursor":"a cursor"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'a time')
      .replace(/"limit":\d+,"remaining":\d+/g, '"limit":0,"remaining":0'),
  );

/** Expects each example of a page to print the output that the page shows, or no errors. */
export async function expectOutputsShown(
  { outputsOf }: Pick<ExampleGateway, 'outputsOf'>,
  page: string,
): Promise<void> {
  const outputs = await outputsOf(page);
  const examples = examplesOf(page);
  expect(outputs).toHaveLength(examples.length);
  for (const [index, { commands, expected }] of examples.entries()) {
    if (expected !== null)
      expect([commands, normalize(outputs[index]!)]).toEqual([commands, normalize(expected)]);
    // An example without output must not return errors.
    else
      expect([
        commands,
        bodiesIn(outputs[index]!).filter((body) => (body as { errors?: unknown }).errors),
      ]).toEqual([commands, []]);
  }
}
