import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import { facebookCase } from './stand-ins/facebook.js';

const http = createTestHttpClient();

async function editWithFault(request: 0 | 1, status: number, error: object): Promise<string[]> {
  const standIn = await facebookCase.start();
  standIn.injectFault(request, {
    status,
    json: { error: { message: 'Error text', type: 'OAuthException', ...error } },
  });
  const result = await editOn(http, facebookCase, standIn)({ type: 'status', text: 'New' }, 'text');
  await standIn.close();
  return outcomeOf(result);
}

it.each([
  [400, { code: 190, error_subcode: 463 }, 'NETWORK_REAUTHORIZATION_NEEDED'],
  [400, { code: 102 }, 'NETWORK_REAUTHORIZATION_NEEDED'],
  [400, { code: 10 }, 'NETWORK_FORBIDDEN'],
  [400, { code: 200 }, 'NETWORK_FORBIDDEN'],
  [403, { code: 299 }, 'NETWORK_FORBIDDEN'],
  [400, { code: 4 }, 'NETWORK_RATE_LIMITED'],
  [403, { code: 32 }, 'NETWORK_RATE_LIMITED'],
  [400, { code: 613 }, 'NETWORK_RATE_LIMITED'],
  [500, { code: 2, is_transient: true }, 'NETWORK_UNAVAILABLE'],
  [400, { code: 100 }, 'NETWORK_REFUSED'],
  [400, { code: 100, error_subcode: 33 }, 'NETWORK_REFUSED'],
])('maps %s with %j', async (status, error, code) => {
  expect(await editWithFault(1, status, error)).toEqual([
    code,
    expect.stringMatching(/^Facebook .*: Error text\.$/),
  ]);
});

it('treats a post that cannot be read as deleted', async () => {
  expect(await editWithFault(0, 400, { code: 100, error_subcode: 33 })).toEqual([
    'NETWORK_POST_DELETED',
    'Facebook no longer has the post (400): Error text.',
  ]);
});

it('shows the error message for users', async () => {
  expect(
    await editWithFault(1, 400, { code: 100, error_user_msg: 'Your post is too long.' }),
  ).toEqual(['NETWORK_REFUSED', 'Facebook rejected the change (400): Your post is too long.']);
});

it('distinguishes the token of a profile from that of a page', async () => {
  const standIn = await facebookCase.start();
  standIn.injectFault(0, {
    status: 200,
    json: { id: '7', name: 'Ada', metadata: { type: 'user' } },
  });
  expect(
    await facebookCase.adapter(http, standIn.url).check(facebookCase.credentials(standIn.url)),
  ).toEqual({ kind: 'connected', socialId: '7', name: 'Ada', type: 'profile', picture: null });
  await standIn.close();
});
