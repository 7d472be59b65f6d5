import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import { facebookCase } from './stand-ins/facebook.js';

const web = openTestWeb();

async function editMeeting(request: 0 | 1, status: number, error: object): Promise<string[]> {
  const there = await facebookCase.open();
  there.breakAt(request, {
    status,
    json: { error: { message: 'Said so', type: 'OAuthException', ...error } },
  });
  const result = await editAt(web, facebookCase, there)({ type: 'status', text: 'New' }, 'text');
  await there.close();
  return told(result);
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
])('understands %s with %j', async (status, error, code) => {
  expect(await editMeeting(1, status, error)).toEqual([
    code,
    expect.stringMatching(/^Facebook .*: Said so\.$/),
  ]);
});

it('takes a post that it cannot even read for deleted', async () => {
  expect(await editMeeting(0, 400, { code: 100, error_subcode: 33 })).toEqual([
    'NETWORK_POST_DELETED',
    'Facebook no longer has the post (400): Said so.',
  ]);
});

it('shows the words that are meant for users', async () => {
  expect(
    await editMeeting(1, 400, { code: 100, error_user_msg: 'Your post is too long.' }),
  ).toEqual([
    'NETWORK_REFUSED',
    'Facebook does not accept the change (400): Your post is too long.',
  ]);
});

it('tells a person’s token from a page’s', async () => {
  const there = await facebookCase.open();
  there.breakAt(0, { status: 200, json: { id: '7', name: 'Ada', metadata: { type: 'user' } } });
  expect(
    await facebookCase.adapter(web, there.url).check(facebookCase.credentials(there.url)),
  ).toEqual({ kind: 'connected', socialId: '7', name: 'Ada', type: 'profile', picture: null });
  await there.close();
});
