import { gatewayWith } from './fixtures/gateway.js';
import { DELETING } from './parity/deleting.js';
import { graphqlDoor, v1Door } from './parity/apis.js';
import { READING } from './parity/reading.js';
import { openTheatre, type Entry, type Theatre } from './parity/stage.js';
import { UPDATING } from './parity/updating.js';

let v1: Theatre;
let graphql: Theatre;
beforeAll(async () => {
  [v1, graphql] = await Promise.all([openTheatre(v1Door), openTheatre(graphqlDoor)]);
});
afterAll(() => Promise.all([v1.close(), graphql.close()]));

const kindOf = ({ outcome }: Entry): string => (outcome.kind === 'ok' ? 'ok' : outcome.code);

describe('both doors give the same answers and leave the same behind', () => {
  it.each([...READING, ...UPDATING, ...DELETING])('%s', async (_name, outcomes, scenario) => {
    const [throughV1, throughGraphql] = await Promise.all([
      v1.play(scenario),
      graphql.play(scenario),
    ]);
    expect(throughGraphql.map(kindOf)).toEqual(outcomes);
    expect(throughV1).toEqual(throughGraphql);
    const refusals = throughV1.filter(({ outcome }) => outcome.kind === 'refused');
    for (const { came, went } of refusals)
      expect([...came, ...went].filter((row) => !row.startsWith('idempotency '))).toEqual([]);
  });
});

it('knows a key again that came through the other door', async () => {
  const gateway = await gatewayWith();
  const [first, second] = [v1Door(gateway), graphqlDoor(gateway)];
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
  const gone = await second.remove(gateway.owner, [post.id], { key: 'k' });
  expect(await first.remove(gateway.owner, [post.id], { key: 'k' })).toEqual(gone);
  await gateway.close();
});
