import { NOW } from '../../fixtures/services.js';
import { withApi } from '../test-api.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const api = withApi();
const owner = forAllTests(() => api.records.aViewer({ role: 'owner' }));

it('returns the rules of every network', async () => {
  const { data } = await api.execute(
    owner,
    '{ networks { network kind editable { field maxLength types appliesTo } dailyCaps { postKind plan limit accountTypes } adapter { edits verified note publishes unpublishes guarantee guarantees { type guarantee reason } limits { type field max unit } } } }',
  );
  expect(data.networks).toHaveLength(13);
  const youtube = data.networks.find(({ network }: { network: string }) => network === 'YOUTUBE');
  expect(youtube).toMatchObject({
    kind: 'VIDEO',
    adapter: { edits: true, verified: false },
    editable: [
      { field: 'title', maxLength: 100, types: [], appliesTo: 'SERVICE_AND_NETWORK' },
      { field: 'text', maxLength: 5000 },
      { field: 'labels', appliesTo: 'SERVICE' },
    ],
  });
  const adapters = Object.fromEntries(
    data.networks.map(({ network, adapter }: any) => [network, adapter]),
  );
  expect(adapters.WORDPRESS).toEqual({
    edits: true,
    verified: true,
    note: expect.stringMatching(/featured image/),
    publishes: true,
    unpublishes: true,
    guarantee: 'COMPARED',
    guarantees: [{ type: 'ARTICLE', guarantee: 'COMPARED', reason: expect.stringMatching(/slug/) }],
    limits: [],
  });
  expect(adapters.FACEBOOK.guarantees).toContainEqual({
    type: 'REEL',
    guarantee: 'EXACT',
    reason: expect.stringMatching(/has its ID before it is published/),
  });
  expect(adapters.TIKTOK).toMatchObject({
    publishes: true,
    unpublishes: false,
    guarantee: 'EXACT',
  });
  expect(adapters.BLUESKY).toMatchObject({
    edits: false,
    verified: true,
    note: expect.stringMatching(/cannot be edited/),
    publishes: true,
    guarantee: 'EXACT',
  });
  expect(adapters.TWITTER.limits.filter(({ type }: { type: string }) => type === 'POLL')).toEqual([
    { type: 'POLL', field: 'text', max: 280, unit: 'WEIGHTED' },
    { type: 'POLL', field: 'options', max: 4, unit: 'ITEMS' },
    { type: 'POLL', field: 'options', max: 25, unit: 'CODE_POINTS' },
  ]);
  const labelsOnly = {
    edits: false,
    verified: false,
    note: expect.stringMatching(/Published posts cannot be edited on the network/),
  };
  const unedited = data.networks
    .filter(({ network, adapter }: any) => !adapter.edits && network !== 'BLUESKY')
    .map(({ network, adapter }: any) => [network, adapter]);
  expect(Object.fromEntries(unedited)).toMatchObject(
    Object.fromEntries(['INSTAGRAM', 'TIKTOK', 'TWITTER'].map((network) => [network, labelsOnly])),
  );
  expect(
    data.networks.filter(({ adapter }: any) => adapter.verified).map(({ network }: any) => network),
  ).toEqual(['BLUESKY', 'WORDPRESS']);
  expect(
    youtube.dailyCaps.map(({ plan, limit }: { plan: string; limit: number }) => [plan, limit]),
  ).toEqual([
    ['FREE', 5],
    ['PROFESSIONAL', 10],
    ['BUSINESS', 15],
  ]);
});

it('returns limit, used and remaining publications of the last 24 hours, and the time of the next free one', async () => {
  const viewer = await api.records.aViewer({ role: 'owner' });
  const account = await api.records.anAccount({
    workspaceId: viewer.workspace.id,
    network: 'facebook',
    type: 'page',
  });
  const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
  const caps = async (): Promise<unknown> =>
    (
      await api.execute(
        viewer,
        '{ accounts { dailyCaps { postKind limit used remaining nextFreeAt } } }',
      )
    ).data.accounts[0].dailyCaps;
  const stories = { postKind: 'story', limit: 36, used: 0, remaining: 36, nextFreeAt: null };
  for (let n = 0; n < 35; n++)
    await api.records.aPost({
      by: viewer,
      account,
      storedState: 'published_posted',
      scheduledAt: ago(60 + n),
    });
  await api.records.aPost({
    by: viewer,
    account,
    storedState: 'published_posted',
    scheduledAt: ago(24 * 60),
  });
  expect(await caps()).toEqual([
    { postKind: 'post', limit: 36, used: 35, remaining: 1, nextFreeAt: null },
    stories,
  ]);
  await api.records.aPost({
    by: viewer,
    account,
    storedState: 'published_posted',
    scheduledAt: ago(23 * 60),
  });
  expect(await caps()).toEqual([
    { postKind: 'post', limit: 36, used: 36, remaining: 0, nextFreeAt: '2026-11-21T09:00:00.000Z' },
    stories,
  ]);
});

it('logs no errors', () => expect(api.loggedErrors).toEqual([]));
