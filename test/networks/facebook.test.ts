import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { SentPost } from '../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../fixtures/posts.js';
import { facebookCase, type FacebookState } from './stand-ins/facebook.js';
import { NOW } from './stand-ins/network-case.js';

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

describe('publication', () => {
  let standIn: Awaited<ReturnType<typeof facebookCase.start>>;
  let state: FacebookState;
  beforeEach(async () => {
    standIn = await facebookCase.start();
    state = standIn.state() as FacebookState;
  });
  afterEach(() => standIn.close());

  const publisher = () => facebookCase.adapter(http, standIn.url).publisher!;
  async function prepare(content: Partial<Post>): Promise<SentPost> {
    const account = { ...aPost().account!, network: 'facebook' as const };
    const post = aPost({ network: 'facebook', account, ...content });
    const target = { account, credentials: facebookCase.credentials(standIn.url), post };
    let prepared = await publisher().prepare(target);
    while (prepared.kind === 'preparing')
      prepared = await publisher().prepare(target, prepared.handle);
    if (prepared.kind === 'failed') throw new Error(prepared.message);
    return { ...target, handle: prepared.handle, sentAt: NOW };
  }
  const photos = (count: number): Partial<Post> => ({
    type: 'photo',
    text: 'Same',
    media: Array.from({ length: count }, (_, index) =>
      anAttachment({ url: `${standIn.url}/elsewhere/${index}.jpg` }),
    ),
  });
  const LOST = { status: 500, json: { error: { message: 'x', code: 2 } } };

  it.each([1, 2])('finds a post by its photos (%d), whatever its text', async (count) => {
    state.publishFault = { reply: LOST, takes: true };
    const sent = await prepare(photos(count));
    const twin = await prepare(photos(count));
    expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    expect(await publisher().look(sent)).toMatchObject({ kind: 'live', remoteId: '1_9001' });
    expect(await publisher().look(twin)).toEqual({ kind: 'not_there' });
    state.lagging = 1;
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
  });

  it('distinguishes a text from photos with the same text', async () => {
    await publisher().publish(await prepare(photos(1)));
    expect(await publisher().look(await prepare({ text: 'Same' }))).toEqual({ kind: 'not_there' });
  });

  it('cannot tell if the page had more posts than are listed', async () => {
    const sent = await prepare({ text: 'Lost' });
    state.posts = Array.from({ length: 50 }, (_, index) => ({
      id: `1_${index}`,
      createdTime: '2026-11-21T08:00:01+0000',
      sent: { message: `Post ${index}` },
      photos: [],
    }));
    expect(await publisher().look(sent)).toEqual({ kind: 'cannot_tell' });
  });

  it.each([
    [{ code: 506 }, 'NETWORK_DUPLICATE'],
    [{ code: 1, error_subcode: 1_366_051 }, 'NETWORK_DUPLICATE'],
    [{ code: 368 }, 'NETWORK_FORBIDDEN'],
    [{ code: 1_609_005 }, 'NETWORK_REFUSED'],
  ])('maps %j of a publication', async (error, code) => {
    const json = { error: { message: 'Error text', ...error } };
    state.publishFault = { reply: { status: 400, json }, takes: false };
    expect(await publisher().publish(await prepare({ text: 'Text' }))).toMatchObject({ code });
  });
});
