import { editOn, createTestHttpClient, outcomeOf } from '../stand-ins/edit-requests.js';
import { googleCase } from '../stand-ins/google.js';
import type { NetworkCase } from '../stand-ins/network-case.js';
import type { Reply } from '../stand-ins/stand-in.js';
import { youtubeCase } from '../stand-ins/youtube.js';

const http = createTestHttpClient();

async function editWithFault(
  network: NetworkCase,
  request: number,
  fault: Reply,
): Promise<string[]> {
  const standIn = await network.start();
  standIn.injectFault(request, fault);
  const result = await editOn(http, network, standIn)({ type: 'video', text: 'New' }, 'text');
  await standIn.close();
  return outcomeOf(result);
}
const errorReply = (status: number, reason: string): Reply => ({
  status,
  json: { error: { code: status, message: 'Error text.', errors: [{ reason }] } },
});

it.each([
  [403, 'quotaExceeded', 'NETWORK_RATE_LIMITED'],
  [403, 'rateLimitExceeded', 'NETWORK_RATE_LIMITED'],
  [403, 'forbidden', 'NETWORK_FORBIDDEN'],
  [400, 'invalidTitle', 'NETWORK_REFUSED'],
  [404, 'videoNotFound', 'NETWORK_POST_DELETED'],
])('maps YouTube’s %s %s', async (status, reason, code) => {
  expect(await editWithFault(youtubeCase, 2, errorReply(status, reason))).toEqual([
    code,
    expect.stringMatching(/^YouTube .*: Error text\.$/),
  ]);
});

it('treats a video missing from the list as deleted', async () => {
  expect(await editWithFault(youtubeCase, 1, { status: 200, json: { items: [] } })).toEqual([
    'NETWORK_POST_DELETED',
    'YouTube no longer has the post.',
  ]);
});

it.each([youtubeCase, googleCase])(
  'requires reauthorization of $network once the grant is revoked',
  async (network) => {
    const revoked = {
      status: 400,
      json: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    };
    expect(await editWithFault(network, 0, revoked)).toEqual([
      'NETWORK_REAUTHORIZATION_NEEDED',
      `${network.name} rejected the account’s credentials; connect the account again (400): Token has been expired or revoked.`,
    ]);
  },
);

it('does not connect a user without a channel', async () => {
  const standIn = await youtubeCase.start();
  standIn.injectFault(1, { status: 200, json: { items: [] } });
  expect(
    outcomeOf(
      await youtubeCase.adapter(http, standIn.url).check(youtubeCase.credentials(standIn.url)),
    ),
  ).toEqual(['NETWORK_REFUSED', 'The user has no YouTube channel.']);
  await standIn.close();
});
