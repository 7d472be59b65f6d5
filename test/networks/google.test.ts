import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import { googleCase, youtubeCase } from './stand-ins/google.js';
import type { NetworkCase } from './stand-ins/network-case.js';
import type { Reply } from './stand-ins/stand-in.js';

const web = openTestWeb();

async function editMeeting(network: NetworkCase, request: number, fault: Reply): Promise<string[]> {
  const there = await network.open();
  there.breakAt(request, fault);
  const result = await editAt(web, network, there)({ type: 'video', text: 'New' }, 'text');
  await there.close();
  return told(result);
}
const because = (status: number, reason: string): Reply => ({
  status,
  json: { error: { code: status, message: 'Said so.', errors: [{ reason }] } },
});

it.each([
  [403, 'quotaExceeded', 'NETWORK_RATE_LIMITED'],
  [403, 'rateLimitExceeded', 'NETWORK_RATE_LIMITED'],
  [403, 'forbidden', 'NETWORK_FORBIDDEN'],
  [400, 'invalidTitle', 'NETWORK_REFUSED'],
  [404, 'videoNotFound', 'NETWORK_POST_DELETED'],
])('understands YouTube’s %s %s', async (status, reason, code) => {
  expect(await editMeeting(youtubeCase, 2, because(status, reason))).toEqual([
    code,
    expect.stringMatching(/^YouTube .*: Said so\.$/),
  ]);
});

it('takes a video that is in no list for deleted', async () => {
  expect(await editMeeting(youtubeCase, 1, { status: 200, json: { items: [] } })).toEqual([
    'NETWORK_POST_DELETED',
    'YouTube no longer has the post.',
  ]);
});

it.each([youtubeCase, googleCase])(
  'asks $network’s user to connect again once the leave is withdrawn',
  async (network) => {
    const withdrawn = {
      status: 400,
      json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    };
    expect(await editMeeting(network, 0, withdrawn)).toEqual([
      'NETWORK_REAUTHORIZATION_NEEDED',
      `${network.name} no longer takes the account’s credentials; connect the account again (400): Token has been expired or revoked.`,
    ]);
  },
);

it('connects no user without a channel', async () => {
  const there = await youtubeCase.open();
  there.breakAt(1, { status: 200, json: { items: [] } });
  expect(
    told(await youtubeCase.adapter(web, there.url).check(youtubeCase.credentials(there.url))),
  ).toEqual(['NETWORK_REFUSED', 'YouTube says that the user has no channel.']);
  await there.close();
});
