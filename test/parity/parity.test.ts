import { gatewayWith } from '../fixtures/gateway.js';
import { ACTING } from './acting.js';
import { DELETING } from './deleting.js';
import { graphqlApi } from './graphql-api.js';
import { restApi } from './rest-api.js';
import { READING } from './reading.js';
import { openScenarioRunner, type Step, type ScenarioRunner } from './environment.js';
import { UPDATE_FIELDS } from './update-fields.js';
import { UPDATE_REQUESTS } from './update-requests.js';
import { UPDATE_STATES } from './update-states.js';

let v1: ScenarioRunner;
let graphql: ScenarioRunner;
beforeAll(async () => {
  [v1, graphql] = await Promise.all([openScenarioRunner(restApi), openScenarioRunner(graphqlApi)]);
});
afterAll(() => Promise.all([v1.close(), graphql.close()]));

const kindOf = ({ outcome }: Step): string => (outcome.kind === 'ok' ? 'ok' : outcome.code);

describe('both APIs return the same results and write the same rows', () => {
  it.each([
    ...READING,
    ...UPDATE_FIELDS,
    ...UPDATE_STATES,
    ...UPDATE_REQUESTS,
    ...ACTING,
    ...DELETING,
  ])('%s', async (_name, outcomes, scenario) => {
    const [throughV1, throughGraphql] = await Promise.all([
      v1.run(scenario),
      graphql.run(scenario),
    ]);
    expect(throughGraphql.map(kindOf)).toEqual(outcomes);
    expect(throughV1).toEqual(throughGraphql);
    const refusals = throughV1.filter(({ outcome }) => outcome.kind === 'refused');
    for (const { inserted, deleted } of refusals)
      expect([...inserted, ...deleted].filter((row) => !row.startsWith('idempotency '))).toEqual(
        [],
      );
  });
});

it('recognizes an idempotency key that was used in the other API', async () => {
  const gateway = await gatewayWith();
  const [first, second] = [restApi(gateway), graphqlApi(gateway)];
  const post = await gateway.records.aPost({ by: gateway.owner });
  const patch = {
    text: 'Once',
    labels: [{ name: 'one' }],
    recycling: { gapFreq: 'days' as const },
  };
  const saved = await first.update(gateway.owner, post.id, patch, { key: 'k', expectedVersion: 1 });
  expect(
    await second.update(gateway.owner, post.id, patch, { key: 'k', expectedVersion: 1 }),
  ).toEqual(saved);
  expect(await second.update(gateway.owner, post.id, patch, { key: 'k' })).toMatchObject({
    code: 'IDEMPOTENCY_MISMATCH',
  });
  const deletion = await second.remove(gateway.owner, [post.id], { key: 'k' });
  expect(await first.remove(gateway.owner, [post.id], { key: 'k' })).toEqual(deletion);
  await gateway.close();
});
