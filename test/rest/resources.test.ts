import { withGateway } from '../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../fixtures/records.js';
import { createV1Client, expectError, type V1Client } from './v1-client.js';

let records: Records;
let owner: KeyedViewer;
let get: V1Client['get'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records, owner } = gateway);
  ({ get } = createV1Client(gateway));
});

describe('workspaces, accounts and media (D43)', () => {
  it('are listed', async () => {
    const viewer = await records.aViewer();
    const account = await records.anAccount({ workspaceId: viewer.workspace.id, socialId: 's1' });
    const media = await records.aMedia({ workspaceId: viewer.workspace.id });
    expect((await get('/workspaces', viewer)).body).toEqual({
      workspaces: [
        {
          id: viewer.workspace.id,
          name: 'Kiosk',
          picture: null,
          plan: 'business',
          time_zone: 'Europe/Berlin',
          requires_approval: false,
          locked: false,
        },
      ],
    });
    expect((await get('/accounts', viewer)).body).toEqual({
      accounts: [
        {
          id: account.id,
          provider: 'mastodon',
          name: 'Kiosk',
          social_id: 's1',
          picture: null,
          type: 'profile',
        },
      ],
    });
    expect((await get('/media', viewer)).body).toEqual({
      media: [{ id: media.id, type: 'photo', url: media.url, alt_text: null }],
    });
  });

  it('hide the social ID from editors (D44)', async () => {
    const editor = await records.aViewer({ workspaceId: owner.workspace.id, role: 'editor' });
    await records.anAccount({ workspaceId: owner.workspace.id });
    const { accounts } = (await get('/accounts', editor)).body as {
      accounts: { social_id: string | null }[];
    };
    expect(accounts.every(({ social_id }) => social_id === null)).toBe(true);
  });

  it.each(['/workspaces', '/accounts', '/media'])('%s is paginated', async (path) => {
    const [list] = Object.values(
      (await get(`${path}?page=2147483647`)).body as Record<string, unknown[]>,
    );
    expect(list).toEqual([]);
    expectError(await get(`${path}?page=x`), 400, 'BAD_USER_INPUT');
  });
});
