import { inDays, openCreationRequests } from './creation-requests.js';
import { forAllTests } from '../fixtures/lifecycle.js';

jest.setTimeout(240_000);
const requests = forAllTests(() => openCreationRequests());
afterAll(() => requests?.gateway.close());

describe('times', () => {
  it.each([
    ['in the past', inDays(-1), 'scheduled_at must be at least one minute in the future.'],
    [
      'in a few seconds',
      new Date(Date.now() + 5_000).toISOString(),
      'scheduled_at must be at least one minute in the future.',
    ],
  ])('%s are refused', async (_name, time, message) => {
    await requests.expectNoEffect(async () => {
      const accounts = [{ id: requests.account.id, scheduled_at: time }];
      const { body } = await requests.create([requests.entryOf({ accounts })], '?dry_run=true');
      expect(body).toMatchObject({
        posts: [],
        failures: { [requests.account.id]: [`posts[0]: ${message}`] },
      });
      expect((await requests.createInGraphql({ scheduledAt: time })).userErrors).toMatchObject([
        { field: ['input', 'targets', '0', 'scheduledAt'], rule: 'D48' },
      ]);
    });
  });

  it.each(['9999-12-31T23:59:59Z', '2101-01-01T00:00:00Z', '1999-12-31T23:59:59Z'])(
    '%s is out of range',
    async (time) => {
      await requests.expectNoEffect(async () => {
        const { status, body } = await requests.create([
          requests.entryOf({ accounts: [{ id: requests.account.id, scheduled_at: time }] }),
        ]);
        expect([status, body.errors]).toEqual([
          400,
          ['bulk.posts[0].accounts[0].scheduled_at: must be a time in the years 2000 to 2100'],
        ]);
        expect((await requests.createInGraphql({ scheduledAt: time })).code).toBe('BAD_USER_INPUT');
      });
    },
  );

  it.each([
    '2027-03-28T02:30:00',
    '2027-02-30T10:00:00Z',
    '2027-03-28',
    '2027-03-28T25:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])('%s is no time', async (time) => {
    await requests.expectNoEffect(async () => {
      const { status } = await requests.create([
        requests.entryOf({ accounts: [{ id: requests.account.id, scheduled_at: time }] }),
      ]);
      expect(status).toBe(400);
      expect((await requests.createInGraphql({ scheduledAt: time })).code).toBe('BAD_USER_INPUT');
    });
  });

  it('a date whose midnight does not exist starts a series an hour later', async () => {
    // Daylight saving time begins at 00:00 on 30 April 2027 in Cairo.
    const { id: workspaceId, ownerId } = await requests.gateway.records.aWorkspace({
      timeZone: 'Africa/Cairo',
    });
    const owner = await requests.gateway.records.aViewer({
      workspaceId,
      userId: ownerId,
      role: 'owner',
    });
    const cairo = await requests.anAccount({ workspaceId: owner.workspace.id });
    const { status, body } = await requests.gateway.v1('POST', '/posts/schedule?dry_run=true', {
      as: owner,
      body: {
        bulk: {
          state: 'recurring',
          posts: [
            requests.entryOf({
              accounts: [{ id: cairo.id }],
              recurring: { start_date: '2027-04-30', repeat: 'daily', end_date: '2027-05-02' },
            }),
          ],
        },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      posts: [{ state: 'recurring', scheduled_at: '2027-04-29T22:00:00+00:00' }],
      failures: {},
    });
  });
});
