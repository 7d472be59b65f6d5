import { createLog } from '../../src/log/log.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { suite } from '../setup/suite.js';
import { attackedGateway } from './attacked.js';

/** Every gateway of this suite is searched for secrets when it closes; test/secrets.test.ts does the same for networks' credentials. */
it('would say so where a secret was in the log', async () => {
  const gateway = await attackedGateway();
  gateway.guard('listPosts');
  await gateway.graphql('query listPosts { posts { totalCount } }');
  await gateway.graphql('{ posts { totalCount } }');
  await expect(gateway.close()).resolves.toBeUndefined();
  const talkative = await attackedGateway();
  talkative.guard('query posts');
  await talkative.graphql('{ posts { totalCount } }');
  await expect(talkative.close()).rejects.toThrow('query posts');
});

it('would say so where a secret was in a metric, a job or a refusal, in the refusal of a change too', async () => {
  const gateway = await attackedGateway();
  const { owner: by, records } = gateway;
  const account = await records.anAccount({
    workspaceId: by.workspace.id,
    network: 'facebook',
    type: 'page',
    sandbox: true,
  });
  const { id } = await records.aPost({ by, account, cell: 'published_posted' });
  const { headers } = await gateway.v1('PUT', `/posts/${id}`, {
    body: { post: { text: 'Planted' } },
  });
  const jobId = headers.get('x-job-id')!;
  gateway.guard('process_cpu_seconds_total', jobId);
  await gateway.v1('DELETE', `/posts?post_ids[]=${by.apiKey}`);
  // A client's own alias puts the key where userErrors are read.
  await gateway.graphql(
    'mutation($id: ID!) { deletePosts(input: { ids: [$id] }) { userErrors: results { id } } }',
    { id: by.apiKey },
  );
  const { metrics, jobs, refusals } = await gateway.found();
  expect(metrics.join()).toContain('process_cpu_seconds_total');
  expect(jobs.join()).toContain(jobId);
  expect(refusals.map((text) => text.includes('POST_NOT_FOUND'))).toEqual([true, false]);
  await expect(gateway.close()).rejects.toThrow('process_cpu_seconds_total');
  suite.tell(
    'Secrets: planted in the log, the metrics, a job and two refusals, and found in each.',
  );
});

it('blots out a key that its owner puts where none belongs', async () => {
  const heard: string[] = [];
  const gateway = await gatewayWith({
    log: createLog('trace', (line) => heard.push(line)),
    metricsPort: 0,
  });
  const {
    owner: { apiKey, workspace },
  } = gateway;
  const headers = { 'Content-Type': 'application/json' };
  const misplaced = [
    await gateway.v1('GET', `/posts/${apiKey}`),
    await gateway.v1('GET', `/job_status/${apiKey}`),
    await gateway.ask(`/${apiKey}`),
    await gateway.ask(`/v2/${apiKey}?key=${apiKey}`),
    await gateway.v1('GET', `/posts?query=${apiKey}&state=${apiKey}`),
    await gateway.v1('GET', '/posts', { workspace: apiKey }),
    await gateway.v1('GET', '/posts', { key: `${apiKey}x`, workspace: workspace.id }),
    await gateway.ask('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: `query ${apiKey} { ${apiKey} }`, operationName: apiKey }),
    }),
    await gateway.graphql('query($id: ID!) { post(id: $id) { id } jobStatus(id: $id) { id } }', {
      id: apiKey,
    }),
    await gateway.ask('/graphql', {
      method: 'POST',
      headers,
      body: `{"query":"{ __typename }","${apiKey}":`,
    }),
  ];
  expect(misplaced.filter(({ status }) => status >= 500)).toEqual([]);
  const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  await gateway.close();
  expect(heard.length).toBeGreaterThanOrEqual(misplaced.length);
  expect([...heard, metrics].filter((text) => text.includes(apiKey))).toEqual([]);
});
