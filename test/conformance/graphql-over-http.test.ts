import { serverAudits } from 'graphql-http';
import { suite } from '../setup/suite.js';
import { withGateway } from '../fixtures/gateway.js';

/**
 * Runs the audits of graphql-http, the reference implementation of the GraphQL-over-HTTP draft,
 * against a gateway.
 */
const gateway = withGateway();

/** Adds the API key to the requests of the audits. */
const fetchWithKey: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer-API ${gateway.owner.apiKey}`);
  return fetch(input, { ...init, headers });
};
const audits = serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn: fetchWithKey });
const passed: Record<string, number> = { MUST: 0, SHOULD: 0, MAY: 0 };

it.each(audits)('$name', async ({ name, fn }) => {
  const result = await fn();
  expect(
    result.status === 'ok' ? 'ok' : `${result.reason}: ${await result.response.clone().text()}`,
  ).toBe('ok');
  passed[name.split(' ')[0]!]! += 1;
});

it('passes every audit of each level', () => {
  suite.report(
    `graphql-http’s audits: ${Object.entries(passed)
      .map(([level, figure]) => `${level} ${figure}`)
      .join(', ')}, none failed.`,
  );
  expect(passed).toEqual({ MUST: 13, SHOULD: 23, MAY: 25 });
});
