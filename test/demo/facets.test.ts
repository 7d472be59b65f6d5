import { openMatrixGateway, type MatrixGateway } from '../matrix/matrix-gateway.js';

type Json = any;

let matrix: MatrixGateway;
beforeAll(async () => {
  matrix = await openMatrixGateway();
});
afterAll(() => matrix?.close());

const FACETS = `query($filter: PostFilter) { posts(filter: $filter) { totalCount facets {
  exact states { state count } networks { network count } types { type count } labels { label { id } count }
} } }`;

/** The filter of each count, as the descriptions of the schema name it. */
const filtersOf = ({ states, networks, types, labels }: Json): [filter: Json, count: number][] => [
  ...states.map(({ state, count }: Json) => [{ exactStates: [state] }, count]),
  ...networks.map(({ network, count }: Json) => [{ networks: [network] }, count]),
  ...types.map(({ type, count }: Json) => [{ types: [type] }, count]),
  ...labels.map(({ label, count }: Json) => [{ labelIds: [label.id] }, count]),
];

const LISTS: readonly Json[] = [
  {},
  { states: ['SCHEDULED', 'DRAFT_DATED'] },
  { exactStates: ['SCHEDULED', 'DRAFT_PRIVATE'], networks: ['MASTODON', 'LINKEDIN'] },
  { query: 'e', types: ['STATUS', 'PHOTO', 'ARTICLE'] },
];

it.each(LISTS)('each facet of the demo is what its filter finds: %j', async (filter) => {
  const compared = new Set<string>();
  for (const { keyName, viewer } of matrix.callers) {
    if (!['owner', 'editor'].includes(keyName)) continue;
    const posts = async (extra: Json): Promise<Json> => {
      const { body } = await matrix.gateway.graphql(
        FACETS,
        { filter: { ...filter, ...extra } },
        { as: viewer },
      );
      return body.data.posts;
    };
    const { facets, totalCount } = await posts({});
    expect(facets.exact).toBe(true);
    const sum = (counts: Json[]): number => counts.reduce((all, { count }) => all + count, 0);
    expect([sum(facets.states), sum(facets.types)]).toEqual([totalCount, totalCount]);
    for (const [found, count] of filtersOf(facets)) {
      expect([found, (await posts(found)).totalCount]).toEqual([found, count]);
      compared.add(JSON.stringify(found));
    }
  }
  expect(compared.size).toBeGreaterThan(5);
});
