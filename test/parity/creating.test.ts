import { CREATING } from './creating.js';
import { openScenarioRunner, type ScenarioRunner, type Step } from './environment.js';
import { graphqlApi } from './graphql-api.js';
import { restApi } from './rest-api.js';

let v1: ScenarioRunner;
let graphql: ScenarioRunner;
beforeAll(async () => {
  [v1, graphql] = await Promise.all([openScenarioRunner(restApi), openScenarioRunner(graphqlApi)]);
});
afterAll(() => Promise.all([v1.close(), graphql.close()]));

/**
 * A step without the job, which every creation of v1 has, and its event; and without the API that
 * each post names.
 */
const withoutJobs = (step: Step): Step => ({
  ...step,
  inserted: step.inserted
    .filter((row) => !row.startsWith('job ') && !row.includes('job.finished'))
    .map((row) =>
      row
        .replace(/""sequence"": \d+/, '')
        .replace(/^(post_body .*,)(?:graphql|rest)\)$/, '$1this API)'),
    ),
});
const kindOf = ({ outcome }: Step): string => (outcome.kind === 'ok' ? 'ok' : outcome.code);

it.each(CREATING)('both APIs create the same: %s', async (_name, outcomes, scenario) => {
  const [throughV1, throughGraphql] = await Promise.all([v1.run(scenario), graphql.run(scenario)]);
  expect(throughGraphql.map(kindOf)).toEqual(outcomes);
  expect(throughV1.map(withoutJobs)).toEqual(throughGraphql.map(withoutJobs));
});
