import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { StartedDemo } from '../started-demo.js';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';
import { blocksOf, README, ROOT } from './readme-blocks.js';
import { compileRelay } from './relay-project.js';

const run = promisify(execFile);

/** The curl commands of the whole file, each with the answer that is shown for it. */
const curls = [...README.matchAll(/```sh\n(curl .*?)```\n\n```json\n(.*?)\n```/gs)].map(([, command, answer]) => ({ command: command!, answer: answer! }));

/** What differs from one demo to the next, and from one moment to the next, made the same. */
const settled = (json: string): unknown => JSON.parse(json
  .replace(/\b[0-9a-f]{24}\b/g, 'an id').replace(/\b(acc|usr)_\w+/g, '$1')
  .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'a time').replace(/"remaining":\d+/g, '"remaining":0'));

/** `gateway` is there once it has started. */
export function readmeTests(gateway: () => StartedDemo): void {
  const folder = temporaryFolder();
  const here = (text: string): string => text.replaceAll('http://127.0.0.1:4000', gateway().url);
  beforeAll(() => {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    mkdirSync(path.join(folder, '.data'));
    writeFileSync(path.join(folder, '.data/demo.json'), JSON.stringify(gateway().demo));
  });
  afterAll(() => removeFolder(folder));

  /** A program as a file of its own, run by Node.js. */
  async function linesOf(name: string, program: string): Promise<string[]> {
    writeFileSync(path.join(folder, `${name}.mjs`), here(program));
    const env = { ...process.env, KEY: gateway().demo.apiKey, WORKSPACE: gateway().demo.workspaceId };
    const { stdout, stderr } = await run(process.execPath, [`${name}.mjs`], { cwd: folder, env });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  it('has curl commands that work as they stand, and answer what it shows', async () => {
    expect(curls).toHaveLength([...README.matchAll(/^curl /gm)].length);
    expect(curls).toHaveLength(3);
    const variables = blocksOf('sh', 'Start').find((block) => block.startsWith('KEY='))!;
    const shownId = /"id":"([0-9a-f]{24})"/.exec(curls[0]!.answer)![1]!;
    let ownId = shownId;
    for (const { command, answer } of curls) {
      const { stdout } = await run('sh', ['-ec', variables + here(command).replace(shownId, ownId)], { cwd: folder });
      expect(settled(stdout)).toEqual(settled(answer));
      ownId = /"id":"([0-9a-f]{24})"/.exec(stdout)?.[1] ?? ownId;
    }
  });

  const [apollo, urql, graphqlRequest, relay, ...others] = blocksOf('js', 'With your client');

  it('has a program for Apollo Client that puts two pages together', async () => {
    expect(others).toEqual([]);
    const lines = await linesOf('apollo', apollo!);
    expect([lines[0], lines.at(-1)]).toEqual(['5', '10']);
  });

  it('has a program for urql', async () => {
    expect(await linesOf('urql', urql!)).toEqual([expect.stringMatching(/^[1-9]\d+ \{ limit: 100, remaining: \d+, resetAt: '\S+Z' \}$/)]);
  });

  it('has a program for graphql-request', async () => {
    expect(await linesOf('graphql-request', graphqlRequest!)).toEqual([expect.stringMatching(/^[1-9]\d* \d+$/), 'POST_NOT_FOUND']);
  });

  it('has a configuration and an environment for Relay', async () => {
    const project = path.join(folder, 'relay');
    compileRelay(project, { 'list.js': "import { graphql } from 'relay-runtime';\ngraphql`query listQuery { posts(first: 1) { edges { node { id } } } }`;\n" });
    const program = `${relay}
      import { fetchQuery } from 'relay-runtime';
      import query from './relay/artifacts/listQuery.graphql.js';
      console.log(JSON.stringify(await fetchQuery(environment, query, {}).toPromise()));`;
    expect(await linesOf('relay', program)).toEqual([expect.stringMatching(/^\{"posts":\{"edges":\[\{"node":\{"id":"[0-9a-f]{24}"\}\}\]\}\}$/)]);
  });
}
