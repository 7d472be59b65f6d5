import path from 'node:path';
import type { StartedDemo } from '../started-demo.js';
import { blocksOf } from './guide-blocks.js';
import { openProgramFolder } from './guide-programs.js';
import { compileRelay } from './relay-project.js';

/** `gateway` is available after it has started. */
export function guideTests(gateway: () => StartedDemo): void {
  const folder = openProgramFolder(gateway);
  afterAll(() => folder.remove());
  const { outputOf } = folder;

  const [apollo, apolloNodes, urql, graphqlRequest, relay, ...others] = blocksOf('js');

  it('has a program for Apollo Client that merges two pages', async () => {
    expect(others).toEqual([]);
    const lines = await outputOf('apollo', apollo!);
    expect([lines[0], lines.at(-1)]).toEqual(['5', '10']);
  });

  it('has a cache for Apollo Client that merges parts of objects without IDs', async () => {
    const program = `${apollo}
      const parts = [
        ['LINK', 'link', 'url', 'title'],
        ['STATUS', 'details', 'language', 'comment'],
        ['STATUS', 'networkSync', 'status', 'error'],
      ];
      const read = async (query) => {
        await client.query({ query, fetchPolicy: 'network-only' });
        return query;
      };
      for (const [type, field, first, second] of parts) {
        const { data } = await client.query({
          query: gql\`{ posts(first: 100, filter: { types: [\${type}], states: [PUBLISHED_POSTED] }) { edges { node { id \${field} { \${first} } } } } }\`,
        });
        const { id } = data.posts.edges.find(({ node }) => node[field]).node;
        const of = (part) => gql\`{ post(id: "\${id}") { id \${field} { \${part} } } }\`;
        const firstQuery = await read(of(first));
        await read(of(second));
        console.log(field, first in client.readQuery({ query: firstQuery }).post[field]);
      }
      const viewerQuery = await read(gql\`{ viewer { plan } }\`);
      await read(gql\`{ viewer { role } }\`);
      console.log('viewer', client.readQuery({ query: viewerQuery }).viewer.plan);`;
    expect((await outputOf('apollo-parts', program)).slice(-4)).toEqual([
      'link true',
      'details true',
      'networkSync true',
      'viewer BUSINESS',
    ]);
  });

  it('has a policy for Apollo Client that merges pages of nodes', async () => {
    const lines = await outputOf('apollo-nodes', apolloNodes!);
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
    const project = path.join(folder.path, 'relay');
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
