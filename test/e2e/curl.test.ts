import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describedDoor, type DescribedDoor } from '../fixtures/described-proxy.js';
import { freePort } from '../setup/free-port.js';
import { buildWhatIsStarted, killStarted, start, until, type Started } from '../setup/started.js';
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
let gateway: Started;
let door: DescribedDoor;
let settings: Record<string, string>;

/** README's command in a clean folder, and the demo that it makes. */
beforeAll(async () => {
  buildWhatIsStarted();
  settings = { DATA_DIR: folder, PORT: String(await freePort()), RATE_LIMIT_REQUESTS: '10000' };
  gateway = start(settings, ['npm', 'start']);
  await until(() => gateway.output().includes('See it on its network'), gateway);
  door = await describedDoor(`http://127.0.0.1:${settings['PORT']}`);
});
afterAll(async () => {
  await door.close();
  gateway.child.kill('SIGTERM');
  await gateway.exit;
  killStarted();
  removeFolder(folder);
});

/** A block that is run, and what the page says that it prints. */
interface Example {
  readonly commands: string;
  readonly shown: string | null;
}

/** The blocks of a page that are marked `sh run`, each with the JSON right behind it. */
function examplesOf(page: string): Example[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```sh run\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms)].map(
    ([, commands, shown]) => ({ commands: commands!, shown: shown ?? null }),
  );
}

const MARK = '--- end of an example ---';
const START = examplesOf('README.md')[0]!.commands;

const ran = new Map<string, Promise<string[]>>();
/** What each of a page's examples prints; they are run once. */
const printed = (page: string): Promise<string[]> =>
  ran.get(page) ?? ran.set(page, run(page)).get(page)!;

/** Runs all of a page's examples in one shell, after README's start. */
async function run(page: string): Promise<string[]> {
  const examples = examplesOf(page).map(({ commands }) => `${commands}echo '${MARK}'\n`);
  const script = (page === 'README.md' ? examples.join('') : START + examples.join(''))
    .replaceAll('http://127.0.0.1:4000', door.url)
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

/** The bodies in a text, with what differs from one demo to the next, and from one moment to the next, made the same. */
const settled = (text: string): unknown[] =>
  bodiesIn(
    text
      .replace(/\b[0-9a-f]{24}\b/g, 'an id')
      .replace(/\b(acc|usr)_\w+/g, '$1')
      .replace(/"endCursor":"[^"]+"/g, '"endCursor":"a cursor"')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'a time')
      .replace(/"limit":\d+,"remaining":\d+/g, '"limit":0,"remaining":0'),
  );

const withExamples = PAGES.filter((page) => examplesOf(page).length > 0);

it('are run, those of README and of most guides', () => {
  expect(withExamples).toEqual(
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

it.each(withExamples)(
  'the examples of %s work as they stand, and answer what it shows',
  async (page) => {
    const outputs = await printed(page);
    const examples = examplesOf(page);
    expect(outputs).toHaveLength(examples.length);
    for (const [index, { commands, shown }] of examples.entries()) {
      if (shown !== null)
        expect([commands, settled(outputs[index]!)]).toEqual([commands, settled(shown)]);
      // An error that a page does not show is none that it means to meet.
      else
        expect([
          commands,
          bodiesIn(outputs[index]!).filter((body) => (body as { errors?: unknown }).errors),
        ]).toEqual([commands, []]);
    }
  },
);

it('shows an edit that reaches its network, and one that does not', async () => {
  const bodies = (await printed('docs/editing-published-posts.md')).flatMap(bodiesIn) as Record<
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
        [id]: ['The sandbox network says: The network does not accept the change (400, 422).'],
      },
    },
  });
});

it('shows no answer of v1 that the reference does not describe', async () => {
  await Promise.all(withExamples.map(printed));
  expect(door.departures).toEqual([]);
});
