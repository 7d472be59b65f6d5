import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { StartedDemo } from '../started-demo.js';
import { removeFolder, temporaryFolder } from '../../setup/test-server.js';
import { blocksOf, ROOT } from './guide-blocks.js';
import { compileRelay } from './relay-project.js';

const run = promisify(execFile);

/** `gateway` is available after it has started. */
export function guideTests(gateway: () => StartedDemo): void {
  const folder = temporaryFolder();
  const withGatewayUrl = (text: string): string =>
    text.replaceAll('http://127.0.0.1:4000', gateway().url);
  beforeAll(() => {
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  });
  afterAll(() => removeFolder(folder));

  /** Runs a program as a separate file. Returns its output by lines. */
  async function outputOf(name: string, program: string): Promise<string[]> {
    writeFileSync(path.join(folder, `${name}.mjs`), withGatewayUrl(program));
    const env = {
      ...process.env,
      KEY: gateway().demo.apiKey,
      WORKSPACE: gateway().demo.workspaceId,
    };
    const { stdout, stderr } = await run(process.execPath, [`${name}.mjs`], { cwd: folder, env });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  }

  const [apollo, urql, graphqlRequest, relay, ...others] = blocksOf('js');

  it('has a program for Apollo Client that merges two pages', async () => {
    expect(others).toEqual([]);
    const lines = await outputOf('apollo', apollo!);
    expect([lines[0], lines.at(-1)]).toEqual(['5', '10']);
  });

  it('has a program for urql', async () => {
    expect(await outputOf('urql', urql!)).toEqual([
      expect.stringMatching(/^[1-9]\d+ \{ limit: 100, remaining: \d+, resetAt: '\S+Z' \}$/),
    ]);
  });

  it('has a program for graphql-request', async () => {
    expect(await outputOf('graphql-request', graphqlRequest!)).toEqual([
      expect.stringMatching(/^[1-9]\d* \d+$/),
      'POST_NOT_FOUND',
    ]);
  });

  it('has a configuration and an environment for Relay', async () => {
    const project = path.join(folder, 'relay');
    compileRelay(project, {
      'list.js':
        "import { graphql } from 'relay-runtime';\ngraphql`query listQuery { posts(first: 1) { edges { node { id } } } }`;\n",
    });
    const program = `${relay}
      import { fetchQuery } from 'relay-runtime';
      import query from './relay/artifacts/listQuery.graphql.js';
      console.log(JSON.stringify(await fetchQuery(environment, query, {}).toPromise()));`;
    expect(await outputOf('relay', program)).toEqual([
      expect.stringMatching(/^\{"posts":\{"edges":\[\{"node":\{"id":"[0-9a-f]{24}"\}\}\]\}\}$/),
    ]);
  });
}
