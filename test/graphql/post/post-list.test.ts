import { toAnalytics } from '../../../src/domain/numbers/numbers.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

describe('a list', () => {
  it('pages forward and backward over the same posts', async () => {
    const viewer = await api.records.aViewer({ role: 'owner' });
    const account = await api.records.anAccount({ workspaceId: viewer.workspace.id });
    for (const day of [3, 1, 4, 2, 5])
      await api.records.aPost({
        by: viewer,
        account,
        scheduledAt: new Date(`2030-01-0${day}T10:00:00Z`),
        text: String(day),
      });
    await api.records.aPost({ by: viewer, storedState: 'draft_undated', text: 'undated' });
    const PART =
      '{ nodes { text } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }';
    const page = async (args: string) =>
      (await api.execute(viewer, `{ posts(${args}) ${PART} }`)).data.posts;
    const texts = (part: { nodes: { text: string }[] }) => part.nodes.map(({ text }) => text);

    const first = await page('first: 2');
    expect({
      texts: texts(first),
      total: first.totalCount,
      next: first.pageInfo.hasNextPage,
      previous: first.pageInfo.hasPreviousPage,
    }).toEqual({ texts: ['5', '4'], total: 6, next: true, previous: false });
    const second = await page(`first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(texts(second)).toEqual(['3', '2', '1']);
    expect(texts(await page(`first: 3, after: "${second.pageInfo.endCursor}"`))).toEqual([
      'undated',
    ]);
    expect(texts(await page(`last: 2, before: "${second.pageInfo.startCursor}"`))).toEqual([
      '5',
      '4',
    ]);
    expect(texts(await page('orderBy: { direction: ASC }, last: 2'))).toEqual(['5', 'undated']);
    expect(
      (
        await api.execute(
          viewer,
          `{ posts(orderBy: { field: CREATED_AT }, after: "${first.pageInfo.endCursor}") { totalCount } }`,
        )
      ).codes,
    ).toEqual(['BAD_USER_INPUT']);
  });

  it('filters, counts and computes facets', async () => {
    const viewer = await api.records.aViewer({ role: 'owner' });
    const label = await api.records.aLabel({ workspaceId: viewer.workspace.id, name: 'spring' });
    await api.records.aPost({ by: viewer, labels: [label], text: 'tulips bloom' });
    await api.records.aPost({ by: viewer, storedState: 'published_posted' });
    await api.records.aPost({ by: viewer, storedState: 'draft_private_undated' });
    const otherMember = await api.records.aViewer({
      workspaceId: viewer.workspace.id,
      role: 'admin',
    });
    const facets = 'facets { exact states { state count } labels { label { id name } count } }';
    const { data } = await api.execute(
      otherMember,
      `{ all: posts { totalCount ${facets} } tulips: posts(filter: { query: "TULIPS", labelIds: ["${label.id}"] }) { nodes { labels { name } } } }`,
    );
    expect(data.all.totalCount).toBe(2);
    expect(data.all.facets.exact).toBe(true);
    expect(new Set(data.all.facets.states)).toEqual(
      new Set([
        { state: 'SCHEDULED', count: 1 },
        { state: 'PUBLISHED_POSTED', count: 1 },
      ]),
    );
    expect(data.all.facets.labels).toEqual([{ label: { id: label.id, name: 'spring' }, count: 1 }]);
    expect(data.tulips.nodes).toEqual([{ labels: [{ name: 'spring' }] }]);
  });

  it('finds the posts of a group, and those with a status of their publication', async () => {
    const by = await api.records.aViewer({ role: 'owner' });
    const group = await api.records.aPost({ by, groupId: 'grp_1', storedState: 'failed' });
    await api.records.aPost({ by });
    const { data } = await api.execute(
      by,
      `{ group: posts(filter: { groupIds: ["grp_1"] }) { totalCount nodes { id } }
         waiting: posts(filter: { publication: [WAITING, FAILED] }) { totalCount }
         sending: posts(filter: { publication: [SENDING] }) { totalCount } }`,
    );
    expect(data).toEqual({
      group: { totalCount: 1, nodes: [{ id: group.id }] },
      waiting: { totalCount: 1 },
      sending: { totalCount: 0 },
    });
  });

  it('by engagement has the posts whose engagement is known, from either end', async () => {
    const by = await api.records.aViewer({ role: 'owner' });
    const numbers = { seven: { likes: 5, shares: 2 }, none: { likes: 0 }, unknown: { reach: 9 } };
    for (const [text, counted] of Object.entries({ ...numbers, 'seven, too': { comments: 7 } }))
      await api.records.aPost({
        by,
        text,
        storedState: 'published_posted',
        analytics: toAnalytics(counted, new Date()),
      });
    await api.records.aPost({ by, text: 'not read' });
    const list = async (args: string) =>
      (
        await api.execute(
          by,
          `{ posts(${args}) { totalCount nodes { text } facets { states { count } } pageInfo { hasNextPage startCursor endCursor } } }`,
        )
      ).data.posts;
    const texts = ({ nodes }: { nodes: { text: string }[] }) => nodes.map(({ text }) => text);
    const ORDER = 'orderBy: { field: ENGAGEMENT }';

    const first = await list(`${ORDER}, first: 2`);
    expect([texts(first), first.totalCount, first.facets, first.pageInfo.hasNextPage]).toEqual([
      ['seven, too', 'seven'],
      3,
      { states: [{ count: 3 }] },
      true,
    ]);
    const second = await list(`${ORDER}, after: "${first.pageInfo.endCursor}"`);
    expect(texts(second)).toEqual(['none']);
    expect(
      texts(await list(`${ORDER}, last: 1, before: "${second.pageInfo.startCursor}"`)),
    ).toEqual(['seven']);
    expect(texts(await list('orderBy: { field: ENGAGEMENT, direction: ASC }'))).toEqual([
      'none',
      'seven',
      'seven, too',
    ]);
    const filtered = await list('filter: { minEngagement: 1, query: "too" }');
    expect([texts(filtered), filtered.totalCount]).toEqual([['seven, too'], 1]);
  });

  it.each([
    ['{ posts(filter: { groupIds: ["grp_none", "x\\u0000"] }) { totalCount } }'],
    ['{ posts(filter: { accountIds: ["acc_none", "x\\u0000"] }) { totalCount } }'],
    ['{ posts(filter: { memberId: "1" }) { totalCount } }'],
    ['{ posts(filter: { labelIds: ["lbl_none"] }) { totalCount } }'],
  ])('matches nothing with unknown ids: %s', async (query) =>
    expect((await api.execute(owner, query)).data).toEqual({ posts: { totalCount: 0 } }),
  );

  it('reports every problem of a filter', async () => {
    const { errors } = await api.execute(
      owner,
      'query($f: PostFilter) { posts(filter: $f) { totalCount } }',
      {
        f: {
          from: '2030-01-02T00:00:00Z',
          to: '2030-01-01T00:00:00Z',
          query: 'a\0b',
          minEngagement: -1,
        },
      },
    );
    expect(errors[0].extensions).toEqual({
      code: 'BAD_USER_INPUT',
      problems: [
        { path: ['filter', 'from'], message: 'filter.from must not be after filter.to.' },
        {
          path: ['filter', 'query'],
          message: 'filter.query must be text without NUL characters and lone surrogates.',
        },
        {
          path: ['filter', 'minEngagement'],
          message: 'filter.minEngagement must be 0 or more.',
        },
      ],
    });
  });

  it.each(['2026-02-30T10:00:00Z', '2026-01-01T10:00:00', '2026-01-01', 'yesterday'])(
    'rejects %s as a time',
    async (from) => {
      expect(
        (
          await api.execute(
            owner,
            'query($from: DateTime) { posts(filter: { from: $from }) { totalCount } }',
            { from },
          )
        ).codes,
      ).toEqual(['BAD_USER_INPUT']);
    },
  );
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
