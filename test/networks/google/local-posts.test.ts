import { localPostOf } from '../../../src/domain/networks/google.js';
import type { SentPost } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import type { LocalPostState } from '../stand-ins/google-posts.js';
import { googleCase } from '../stand-ins/google.js';
import { NOW, type NetworkStandIn } from '../stand-ins/network-case.js';
import { http } from '../stand-ins/network-suite.js';

let standIn: NetworkStandIn;
beforeEach(async () => {
  standIn = await googleCase.start();
});
afterEach(() => standIn.close());
const state = () => standIn.state() as LocalPostState;
const publisher = () => googleCase.adapter(http, standIn.url).publisher!;
const account = { ...aPost().account!, network: 'google' as const };
const sent = (credentials = googleCase.credentials('')): SentPost => ({
  account,
  credentials,
  post: aPost({ network: 'google', account, scheduledAt: NOW, type: 'status', text: 'Beans' }),
  handle: { preparedAt: NOW.toISOString() },
  sentAt: NOW,
});

it('waits for the end of a check, and publishes or fails then', async () => {
  state().newState = 'PROCESSING';
  expect(await publisher().publish(sent())).toEqual({ kind: 'processing' });
  expect(await publisher().look(sent())).toEqual({ kind: 'processing' });
  state().published[0]!.state = 'LIVE';
  expect(await publisher().look(sent())).toMatchObject({ kind: 'live' });
  state().published[0]!.state = 'REJECTED';
  expect(await publisher().look(sent())).toEqual({
    kind: 'rejected',
    message: expect.stringContaining('Google rejected the post'),
  });
});

it('fails if Google takes the post and rejects it at once', async () => {
  state().newState = 'REJECTED';
  expect(await publisher().publish(sent())).toMatchObject({
    code: 'NETWORK_REFUSED',
    message: expect.stringContaining('Google rejected the post'),
  });
});

it('shows what Google says of a field', async () => {
  standIn.injectFault(1, {
    status: 400,
    json: {
      error: {
        code: 400,
        message: 'Request contains an invalid argument.',
        details: [{ errorDetails: [{ code: 1000, message: 'Fetching image failed.' }] }],
      },
    },
  });
  expect(await publisher().publish(sent())).toMatchObject({
    code: 'NETWORK_REFUSED',
    message: expect.stringContaining('Fetching image failed.'),
  });
});

it('publishes only with the account of the location', async () => {
  const credentials = { ...googleCase.credentials(''), location: 'locations/22' };
  expect(await publisher().publish(sent(credentials))).toMatchObject({
    code: 'NETWORK_NOT_CONNECTED',
    isUnsent: true,
  });
  expect(standIn.requests).toEqual([]);
});

it('reads the next page of a list', async () => {
  const page = { status: 200, json: { localPosts: [], nextPageToken: 'next' } };
  standIn.injectFault(1, page);
  expect(await publisher().look(sent())).toEqual({ kind: 'not_there' });
  expect(standIn.requests).toHaveLength(3);
});

it('writes the times of an event as clocks of the workspace show them', () => {
  const details = {
    type: 'event',
    title: 'Tasting',
    start: '2026-12-31T23:30:00.000Z',
    end: '2027-01-01',
  };
  expect(localPostOf({ ...sent().post, details }, 'Europe/Berlin')).toMatchObject({
    event: {
      schedule: {
        startDate: { year: 2027, month: 1, day: 1 },
        startTime: { hours: 0, minutes: 30 },
        endDate: { year: 2027, month: 1, day: 1 },
        endTime: { hours: 23, minutes: 59 },
      },
    },
  });
});
