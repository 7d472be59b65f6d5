import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));
const editor = forAllTests(() =>
  api.records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' }),
);

describe('a series', () => {
  it('pages through its occurrences, without private drafts of others', async () => {
    const rule = {
      repeat: 'daily' as const,
      repeatRate: 1,
      daysOfWeek: [0, 6],
      startDate: '2030-01-01T09:00:00.000Z',
    };
    const series = await Promise.all(
      [1, 2].map(() =>
        api.records.aPost({ by: editor, storedState: 'recurring', recurring: rule }),
      ),
    );
    for (const { databaseId } of series) {
      for (const day of [1, 2, 3])
        await api.records.aPost({
          by: editor,
          parentId: databaseId,
          scheduledAt: new Date(`2030-01-0${day}T09:00:00Z`),
          text: `day ${day}`,
        });
      await api.records.aPost({
        by: editor,
        storedState: 'draft_private_dated',
        parentId: databaseId,
        text: 'hidden',
      });
    }
    const query = `{ nodes(ids: ["${series[0]!.id}", "${series[1]!.id}"]) { ... on Post { recurring { frequency repeatEvery weekdays startDate endDate } occurrences(first: 2) { totalCount nodes { text parent { id } } pageInfo { hasNextPage } } } } }`;
    const { data } = await api.execute(owner, query);
    expect(data.nodes).toEqual(
      series.map(({ id }) => ({
        recurring: {
          frequency: 'daily',
          repeatEvery: 1,
          weekdays: ['monday', 'sunday'],
          startDate: '2030-01-01T09:00:00.000Z',
          endDate: null,
        },
        occurrences: {
          totalCount: 3,
          nodes: [
            { text: 'day 3', parent: { id } },
            { text: 'day 2', parent: { id } },
          ],
          pageInfo: { hasNextPage: true },
        },
      })),
    );
    expect((await api.execute(editor, query)).data.nodes[0].occurrences.totalCount).toBe(4);
    const facets = '{ totalCount facets { exact states { state count } labels { count } } }';
    const { data: withFacets } = await api.execute(
      owner,
      `{ nodes(ids: ["${series[0]!.id}", "${series[1]!.id}"]) { ... on Post { occurrences ${facets} } } }`,
    );
    expect(withFacets.nodes).toEqual(
      series.map(() => ({
        occurrences: {
          totalCount: 3,
          facets: { exact: true, states: [{ state: 'SCHEDULED', count: 3 }], labels: [] },
        },
      })),
    );
  });

  it('is null as parent for members who cannot see it', async () => {
    const hidden = await api.records.aPost({ by: editor, storedState: 'draft_private_undated' });
    const child = await api.records.aPost({ by: editor, parentId: hidden.databaseId });
    const query = `{ post(id: "${child.id}") { parent { id } } }`;
    expect([
      (await api.execute(owner, query)).data.post.parent,
      (await api.execute(editor, query)).data.post.parent,
    ]).toEqual([null, { id: hidden.id }]);
  });
});

it('sends no more statements to the database for twenty posts than for one', async () => {
  const viewer = await api.records.aViewer({ role: 'owner' });
  const account = await api.records.anAccount({ workspaceId: viewer.workspace.id });
  const label = await api.records.aLabel({ workspaceId: viewer.workspace.id });
  const media = await api.records.aMedia({ workspaceId: viewer.workspace.id });
  const parent = await api.records.aPost({
    by: viewer,
    account,
    storedState: 'recurring',
    recurring: { repeat: 'daily' },
  });
  for (let index = 0; index < 20; index++)
    await api.records.aPost({
      by: viewer,
      account,
      labels: [label],
      media: [media],
      parentId: parent.databaseId,
    });
  const { pool } = api.database;
  const countStatements = async (first: number): Promise<number> => {
    let statements = 0;
    const increment = (): void => void (statements += 1);
    pool.on('acquire', increment);
    const { errors } = await api.execute(
      viewer,
      `{ posts(first: ${first}) { totalCount nodes { text labels { name } media { url } user { name } account { name dailyCaps { used } } parent { text }
      occurrences(first: 1) { nodes { id } } editability { field } deletability { allowed } networkSync { job { id } } content { type } details { type } } } }`,
    );
    pool.off('acquire', increment);
    expect(errors).toBeUndefined();
    return statements;
  };
  const one = await countStatements(1);
  expect(one).toBeLessThanOrEqual(6);
  expect(await countStatements(20)).toBeLessThanOrEqual(one);
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
