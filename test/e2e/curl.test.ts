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
  type StartedProgram,
} from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';

jest.setTimeout(120_000);

const ROOT = path.resolve(__dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const folder = temporaryFolder();
let gateway: StartedProgram;
let proxy: DescribedProxy;
let settings: Record<string, string>;

/** Starts the gateway with the command of the README in an empty folder, with its demo. */
beforeAll(async () => {
  buildIfChanged();
  settings = {
    DATA_DIR: folder,
    PORT: String(await freePort()),
    RATE_LIMIT_REQUESTS: '10000',
    PUBLISH_POSTS: '0', // the posts stay as they are while the commands run
  };
  gateway = startProgram(settings, ['npm', 'start']);
  await waitUntil(() => gateway.output().includes('See it on its network'), gateway);
  proxy = await openDescribedProxy(`http://127.0.0.1:${settings['PORT']}`);
});
afterAll(async () => {
  await proxy.close();
  gateway.child.kill('SIGTERM');
  await gateway.exit;
  killStartedPrograms();
  removeFolder(folder);
});

/** A runnable code block, and the output that the page shows for it. */
interface Example {
  readonly commands: string;
  readonly expected: string | null;
}

/** Code blocks of a page that are marked `sh run`, each with the JSON block that follows. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh run\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)].map(
    ([, commands, expected]) => ({ commands: commands!, expected: expected ?? null }),
  );
}

const MARK = '--- end of an example ---';
const START = examplesOf('README.md')[0]!.commands;

const outputsByPage = new Map<string, Promise<string[]>>();
/** Output of each example of a page. Every page is run once. */
const outputsOf = (page: string): Promise<string[]> =>
  outputsByPage.get(page) ?? outputsByPage.set(page, run(page)).get(page)!;

/** Runs all examples of a page in one shell, after the first block of the README. */
async function run(page: string): Promise<string[]> {
  const examples = examplesOf(page).map(({ commands }) => `${commands}echo '${MARK}'\n`);
  const script = (page === 'README.md' ? examples.join('') : START + examples.join(''))
    .replaceAll('http://127.0.0.1:4000', proxy.url)
    .replaceAll('./.data/demo.json', path.join(folder, 'demo.json'));
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings } as NodeJS.ProcessEnv,
  });
  return stdout.split(`${MARK}\n`).slice(0, -1);
}

const bodiesIn = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as unknown);

/**
 * Response bodies in a text, with everything normalized that differs between demos and over time.
 */
const normalize = (text: string): unknown[] =>
  bodiesIn(
    text
      .replace(/\b[0-9a-f]{24}\b/g, 'an id')
      .replace(/\b(acc|usr)_\w+/g, '$1')
      .replace(/"endCursor":"[^"]+"/g, '"endCursor":"a cursor"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'a time')
      .replace(/"limit":\d+,"remaining":\d+/g, '"limit":0,"remaining":0'),
  );

const pagesWithExamples = PAGES.filter((page) => examplesOf(page).length > 0);

it('runs the examples of the README and of the guides', () => {
  expect(pagesWithExamples).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/first-query.md',
      'docs/filters.md',
      'docs/editing-published-posts.md',
      'docs/bulk-delete.md',
      'docs/limits.md',
      'docs/keys.md',
    ]),
  );
});

it.each(pagesWithExamples)(
  'the examples of %s work unchanged and print the output shown',
  async (page) => {
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
  },
);

it('shows an edit that the network accepts, and one that it rejects', async () => {
  const bodies = (await outputsOf('docs/editing-published-posts.md')).flatMap(bodiesIn) as Record<
    string,
    any
  >[];
  expect(bodies).toContainEqual({ status: 'completed', payload: { failures: {} } });
  expect(bodies).toContainEqual(
    expect.objectContaining({
      network: 'mastodon',
      type: 'poll',
      text: 'Which milk in your flat white?',
    }),
  );
  const { id } = bodies.find(({ text }) => text === 'Which milk in your flat white?')!;
  expect(bodies).toContainEqual({
    status: 'failed',
    payload: {
      failures: {
        [id]: ['Sandbox network: The network rejected the change.'],
      },
    },
  });
});

it('receives only REST responses that match the OpenAPI document', async () => {
  await Promise.all(pagesWithExamples.map(outputsOf));
  expect(proxy.violations).toEqual([]);
});
