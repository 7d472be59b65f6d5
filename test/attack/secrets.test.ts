import { createLog } from '../../src/log/log.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { suite } from '../setup/suite.js';
import { openAuditedGateway } from './audited-gateway.js';

/**
 * Verifies the search for secrets in which every gateway of this suite ends; test/secrets.test.ts
 * checks credentials of networks.
 */
it('reports a secret in the log, which contains no operation name of a client', async () => {
  const gateway = await openAuditedGateway();
  gateway.addSecrets('listPosts');
  await gateway.graphql('query listPosts { posts { totalCount } }');
  await gateway.graphql('{ posts { totalCount } }');
  await expect(gateway.close()).resolves.toBeUndefined();
  const leaking = await openAuditedGateway();
  leaking.addSecrets('query posts');
  await leaking.graphql('{ posts { totalCount } }');
  await expect(leaking.close()).rejects.toThrow('query posts');
});

it('reports a secret in a metric, a job or an error, and in userErrors', async () => {
  const gateway = await openAuditedGateway();
  const { owner: by, records } = gateway;
  const account = await records.anAccount({
    workspaceId: by.workspace.id,
    network: 'facebook',
    type: 'page',
    sandbox: true,
  });
  const { id } = await records.aPost({ by, account, storedState: 'published_posted' });
  const { headers } = await gateway.v1('PUT', `/posts/${id}`, {
    body: { post: { text: 'Planted' } },
  });
  const jobId = headers.get('x-job-id')!;
  gateway.addSecrets('process_cpu_seconds_total', jobId);
  await gateway.v1('DELETE', `/posts?post_ids[]=${by.apiKey}`);
  // An alias places the key in a field called userErrors.
  await gateway.graphql(
    'mutation($id: ID!) { deletePosts(input: { ids: [$id] }) { userErrors: results { id } } }',
    { id: by.apiKey },
  );
  const { metrics, jobs, errors } = await gateway.findSecrets();
  expect(metrics.join()).toContain('process_cpu_seconds_total');
  expect(jobs.join()).toContain(jobId);
  expect(errors.map((text) => text.includes('POST_NOT_FOUND'))).toEqual([true, false]);
  await expect(gateway.close()).rejects.toThrow('process_cpu_seconds_total');
  suite.report('Secrets: placed in the log, the metrics, a job and two errors, and found in each.');
});

it('redacts a valid key that a request contains in a wrong location', async () => {
  const logLines: string[] = [];
  const gateway = await gatewayWith({
    log: createLog('trace', (line) => logLines.push(line)),
    metricsPort: 0,
  });
  const {
    owner: { apiKey, workspace },
  } = gateway;
  const headers = { 'Content-Type': 'application/json' };
  const responses = [
    await gateway.v1('GET', `/posts/${apiKey}`),
    await gateway.v1('GET', `/job_status/${apiKey}`),
    await gateway.request(`/${apiKey}`),
    await gateway.request(`/v2/${apiKey}?key=${apiKey}`),
    await gateway.v1('GET', `/posts?query=${apiKey}&state=${apiKey}`),
    await gateway.v1('GET', '/posts', { workspace: apiKey }),
    await gateway.v1('GET', '/posts', { key: `${apiKey}x`, workspace: workspace.id }),
    await gateway.request('/graphql', {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: `query ${apiKey} { ${apiKey} }`, operationName: apiKey }),
    }),
    await gateway.graphql('query($id: ID!) { post(id: $id) { id } jobStatus(id: $id) { id } }', {
      id: apiKey,
    }),
    await gateway.request('/graphql', {
      method: 'POST',
      headers,
      body: `{"query":"{ __typename }","${apiKey}":`,
    }),
  ];
  expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
  const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
  await gateway.close();
  expect(logLines.length).toBeGreaterThanOrEqual(responses.length);
  expect([...logLines, metrics].filter((text) => text.includes(apiKey))).toEqual([]);
});
