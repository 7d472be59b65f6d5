import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import type { Post } from '../../src/domain/posts/post.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { bytesStream } from '../../src/networks/http-client/upload-body.js';
import type {
  PreparedPost,
  PublicationTarget,
  SentPost,
} from '../../src/services/networks/network-ports.js';
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
  function target(content: Partial<Post>): PublicationTarget {
    const account = { ...aPost().account!, network: 'facebook' as const };
    const post = aPost({ network: 'facebook', account, ...content });
    return { account, credentials: facebookCase.credentials(standIn.url), post };
  }
  async function prepare(content: Partial<Post>): Promise<SentPost> {
    const to = target(content);
    let prepared = await publisher().prepare(to);
    while (prepared.kind === 'preparing') prepared = await publisher().prepare(to, prepared.handle);
    if (prepared.kind === 'failed') throw new Error(prepared.message);
    return { ...to, handle: prepared.handle, sentAt: NOW };
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

  /** Ten megabytes, which the gateway keeps. */
  const file = bytesStream({ type: 'video/mp4', bytes: new Uint8Array(10 * 1_048_576) });
  const withFile = () =>
    facebookCase.adapter(
      createHttpClient({
        allowLoopback: true,
        clock: { now: () => NOW },
        storedMedia: async () => file,
      }),
      standIn.url,
    ).publisher!;
  const aVideo = (type: 'video' | 'reel' | 'story'): Partial<Post> => ({
    type,
    text: 'Film',
    media: [anAttachment({ type: 'video', url: `${standIn.url}/elsewhere/v.mp4` })],
  });

  it.each(['reel', 'story'] as const)(
    'sends the bytes of a %s, and goes on where the connection broke, in another process',
    async (type) => {
      const sent = target(aVideo(type));
      let prepared = await withFile().prepare(sent);
      state.breaksAfter = 3 * 1_048_576;
      if (prepared.kind !== 'preparing') throw new Error('it did not begin');
      const begun = prepared.handle;
      prepared = await withFile().prepare(sent, begun);
      expect(prepared).toMatchObject({ kind: 'failed', code: 'NETWORK_UNAVAILABLE' });
      expect(state.videos).toMatchObject([{ bytes: 3 * 1_048_576, uploading: 'in_progress' }]);
      prepared = await withFile().prepare(sent, begun);
      while (prepared.kind === 'preparing')
        prepared = await withFile().prepare(sent, prepared.handle);
      expect(prepared).toMatchObject({
        kind: 'prepared',
        guarantee: 'exact',
        handle: { video: '7001' },
      });
      expect(state.videos).toMatchObject([{ bytes: 10 * 1_048_576, sent: null }]);
      expect(standIn.violations).toEqual([]);
    },
  );

  it('sends the bytes of a video, and goes on where the connection broke', async () => {
    const to = target(aVideo('video'));
    const begun = await withFile().prepare(to);
    if (begun.kind !== 'preparing') throw new Error('it did not begin');
    state.breaksAfter = 1_048_576;
    expect(await withFile().prepare(to, begun.handle)).toMatchObject({ kind: 'failed' });
    expect(state.fileOffset).toBe(1_048_576);
    const prepared = await withFile().prepare(to, begun.handle);
    expect(prepared).toMatchObject({ kind: 'prepared', guarantee: 'compared' });
    const { handle } = prepared as PreparedPost;
    const result = await withFile().publish({ ...to, handle, sentAt: NOW });
    expect(result).toEqual({ kind: 'processing', handle: { ...handle, video: '7001' } });
    expect(state.files).toEqual(new Map([['4:file-1', 10 * 1_048_576]]));
    expect(standIn.violations).toEqual([]);
  });

  it.each(['reel', 'story'] as const)(
    'knows of a %s whether it was published, and publishes it once however often it is asked to',
    async (type) => {
      const sent = await prepare(aVideo(type));
      expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
      state.processingPolls = 3;
      state.publishFault = { reply: LOST, takes: true };
      expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
      expect(await publisher().look(sent)).toEqual({ kind: 'processing' });
      state.publishFault = null;
      expect(await publisher().publish(sent)).toEqual({ kind: 'processing' });
      expect(await publisher().look(sent)).toEqual({ kind: 'processing' });
      expect(await publisher().look(sent)).toMatchObject({
        kind: 'live',
        remoteId: type === 'reel' ? '7001' : '8001',
      });
      expect(state.videos).toHaveLength(1);
      expect(state.stories).toHaveLength(type === 'reel' ? 0 : 1);
    },
  );

  it('rejects a video that Facebook could not process, in its words', async () => {
    state.outcome = 'error';
    for (const type of ['video', 'reel'] as const) {
      const sent = await prepare(aVideo(type));
      const result = await publisher().publish(sent);
      const { handle = sent.handle } = result as { handle?: SentPost['handle'] };
      expect(await publisher().look({ ...sent, handle })).toEqual({
        kind: 'rejected',
        message: 'Facebook could not process the video: The video is too short.',
      });
    }
  });

  it('finds nothing of an upload that has expired, and begins anew', async () => {
    const sent = await prepare(aVideo('reel'));
    state.videos[0]!.sent = {};
    state.outcome = 'expired';
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there', isCompared: true });
    expect(await publisher().prepare(sent, sent.handle)).toMatchObject({
      kind: 'preparing',
      handle: { video: '', upload: '' },
    });
    state.videos = [];
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there', isCompared: true });
  });

  it('looks for a video without an answer among those of the page, by its words', async () => {
    state.publishFault = { reply: LOST, takes: true };
    const sent = await prepare(aVideo('video'));
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there', isCompared: true });
    expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    expect(await publisher().look(sent)).toMatchObject({
      kind: 'live',
      remoteId: '7001',
      url: 'https://www.facebook.com/watch/7001/',
    });
    expect(await publisher().look(await prepare({ ...aVideo('video'), text: 'Other' }))).toEqual({
      kind: 'not_there',
      isCompared: true,
    });
  });

  it('compares reels after a backup was restored, and cannot tell of stories', async () => {
    const published = await prepare(aVideo('reel'));
    await publisher().publish(published);
    const sentAt = new Date(NOW.getTime() - 600_000);
    const again = { ...(await prepare(aVideo('reel'))), sentAt };
    expect(await publisher().look(again)).toMatchObject({ kind: 'live', remoteId: '7001' });
    const story = { ...(await prepare(aVideo('story'))), sentAt };
    expect(await publisher().look(story)).toEqual({ kind: 'cannot_tell' });
  });

  it('knows that a photo which was used already is in its story', async () => {
    state.publishFault = { reply: LOST, takes: true };
    const sent = await prepare({ ...photos(1), type: 'story' });
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
    expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    state.lagging = 1;
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
    state.publishFault = null;
    expect(await publisher().publish(sent)).toEqual({ kind: 'live', remoteId: '501', url: null });
    state.lagging = 0;
    expect(await publisher().look(sent)).toMatchObject({ kind: 'live', remoteId: '8001' });
    expect(state.stories).toHaveLength(1);
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
