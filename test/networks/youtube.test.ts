import type { Post } from '../../src/domain/posts/post.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { bytesStream } from '../../src/networks/http-client/upload-body.js';
import type { PublicationHandle } from '../../src/domain/networks/network-definition.js';
import type { SentPost } from '../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../fixtures/posts.js';
import { NOW } from './stand-ins/network-case.js';
import { startYoutube, youtubeCase, youtubeError } from './stand-ins/youtube.js';

const UNIT = 262_144;
/** A video of 33 MB and 5 bytes: two pieces before the last one. */
const LONG = 132 * UNIT + 5;
let bytes: Uint8Array<ArrayBuffer>;
let now = NOW;
/** The file of the posts: one piece before the last one, unless a test needs more. */
const storedMedia = async () => bytesStream({ type: 'video/quicktime', bytes });

let standIn: Awaited<ReturnType<typeof startYoutube>>;
let adapter: ReturnType<typeof youtubeCase.adapter>;
beforeEach(async () => {
  [now, bytes] = [NOW, new Uint8Array(UNIT + 5)];
  standIn = await startYoutube();
  adapter = anAdapter();
});
afterEach(() => standIn.close());

/** An adapter with clients of its own, as in another process. */
const anAdapter = () =>
  youtubeCase.adapter(
    createHttpClient({
      allowLoopback: true,
      clock: { now: () => now },
      storedMedia,
    }),
    standIn.url,
  );

function target(content: Partial<Post> = {}) {
  const account = { ...aPost().account!, network: 'youtube' as const };
  const post = aPost({
    network: 'youtube',
    account,
    type: 'video',
    title: 'Roasting',
    text: 'How',
    scheduledAt: NOW,
    media: [anAttachment({ type: 'video' })],
    ...content,
  });
  return { account, credentials: youtubeCase.credentials(standIn.url), post };
}

async function prepare(content: Partial<Post> = {}): Promise<SentPost> {
  const to = target(content);
  let prepared = await adapter.publisher!.prepare(to);
  while (prepared.kind === 'preparing')
    prepared = await adapter.publisher!.prepare(to, prepared.handle);
  if (prepared.kind === 'failed') throw new Error(prepared.message);
  return { ...to, handle: prepared.handle, sentAt: NOW };
}
const publish = (sent: SentPost) => adapter.publisher!.publish(sent);
const look = (sent: SentPost) => adapter.publisher!.look(sent);
const handleOf = (result: object) => (result as { handle: PublicationHandle }).handle;

it('sends all but the last piece before, and goes on in another process', async () => {
  bytes = new Uint8Array(LONG);
  const to = target();
  const opened = await adapter.publisher!.prepare(to);
  const half = await anAdapter().publisher!.prepare(to, handleOf(opened));
  expect(half).toMatchObject({ kind: 'preparing', againInMs: 0 });
  const whole = await anAdapter().publisher!.prepare(to, handleOf(half));
  expect(whole).toMatchObject({ kind: 'prepared', guarantee: 'exact' });
  expect(standIn.state().videos).toEqual([]);
  await publish({ ...to, handle: handleOf(whole), sentAt: NOW });
  expect(standIn.state().sessions).toMatchObject([
    { size: LONG, pieces: [128 * UNIT, 4 * UNIT, 5], video: 'upload-0001' },
  ]);
  expect(standIn.violations).toEqual([]);
});

it('goes on with what YouTube has after the connection broke', async () => {
  bytes = new Uint8Array(LONG);
  const to = target();
  const opened = await adapter.publisher!.prepare(to);
  // After the token and the question.
  standIn.injectFault(2, 'lost-response');
  const impatient = youtubeCase.adapter(
    createHttpClient({
      allowLoopback: true,
      clock: { now: () => now },
      storedMedia,
      timeouts: { requestMs: 2_000, totalMs: 60_000 },
    }),
    standIn.url,
  );
  const broken = await impatient.publisher!.prepare(to, handleOf(opened));
  expect(broken).toMatchObject({
    kind: 'preparing',
    againInMs: 5_000,
    handle: { interruptions: '1' },
  });
  const whole = await adapter.publisher!.prepare(to, handleOf(broken));
  expect(whole).toMatchObject({ kind: 'prepared' });
  expect(handleOf(whole)).not.toHaveProperty('interruptions');
  expect(standIn.state().sessions).toMatchObject([{ pieces: [128 * UNIT, 4 * UNIT] }]);
});

it('gives up an upload that breaks again and again', async () => {
  const to = target();
  let result = await adapter.publisher!.prepare(to);
  const pauses: number[] = [];
  while (result.kind === 'preparing') {
    standIn.injectFault(1, { status: 503, text: '' });
    result = await adapter.publisher!.prepare(to, result.handle);
    if (result.kind === 'preparing') pauses.push(result.againInMs / 1_000);
  }
  expect(result).toMatchObject({ kind: 'failed', code: 'NETWORK_UNAVAILABLE' });
  expect(pauses).toEqual([5, 10, 20, 40, 80, 160]);
});

it('begins anew if the session has ended before the video was complete', async () => {
  const to = target();
  const opened = await adapter.publisher!.prepare(to);
  standIn.state().areSessionsLost = true;
  const again = await adapter.publisher!.prepare(to, handleOf(opened));
  expect(again).toMatchObject({ kind: 'preparing' });
  expect(handleOf(again)['session']).not.toBe(handleOf(opened)['session']);
  expect(standIn.state().sessions).toHaveLength(2);
});

it('gives up if YouTube ends each session', async () => {
  const to = target();
  let result = await adapter.publisher!.prepare(to);
  standIn.state().areSessionsLost = true;
  for (let call = 0; call < 3; call += 1)
    result = await adapter.publisher!.prepare(to, handleOf(result));
  expect(result).toMatchObject({ kind: 'preparing', againInMs: 0, handle: { restarts: '3' } });
  expect(await adapter.publisher!.prepare(to, handleOf(result))).toMatchObject({
    kind: 'preparing',
    againInMs: 5_000,
  });
  expect(standIn.state().sessions).toHaveLength(4);
});

it('begins anew if the file has changed', async () => {
  const to = target();
  const opened = handleOf(await adapter.publisher!.prepare(to));
  const again = await adapter.publisher!.prepare(to, { ...opened, size: '7' });
  expect(handleOf(again)).toMatchObject({ size: String(bytes.length) });
  expect(standIn.state().sessions).toHaveLength(2);
});

describe('after a lost answer', () => {
  /** Publishes without an answer; `hasEffect`: whether the last piece arrived. */
  async function publishInDoubt(hasEffect: boolean): Promise<SentPost> {
    const sent = await prepare();
    if (hasEffect) await publish(sent);
    else {
      standIn.injectFault(1, { status: 503, text: '' });
      expect(await publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    }
    return sent;
  }
  const LIVE = {
    kind: 'live',
    remoteId: 'upload-0001',
    url: 'https://www.youtube.com/watch?v=upload-0001',
  };

  it('the session tells that the last piece is missing, which is sent again', async () => {
    const sent = await publishInDoubt(false);
    expect(await look(sent)).toEqual({ kind: 'not_there' });
    expect(await publish(sent)).toEqual({ kind: 'processing' });
    expect(await look(sent)).toEqual(LIVE);
    expect(standIn.state().videos).toHaveLength(1);
  });

  it('the session tells that the video is there', async () => {
    expect(await look(await publishInDoubt(true))).toEqual(LIVE);
  });

  it('a video without its session is found by the name of its file', async () => {
    const sent = await publishInDoubt(true);
    // The same words, but another post.
    const twin = await prepare({ id: 'b'.repeat(24) });
    standIn.state().areSessionsLost = true;
    expect(await look(sent)).toEqual(LIVE);
    expect(await look(twin)).toEqual({
      kind: 'not_there',
      isCompared: true,
    });
  });

  it('a video without its session is found by its words if YouTube shows no names', async () => {
    const sent = await publishInDoubt(true);
    Object.assign(standIn.state(), { areSessionsLost: true, showsNames: false });
    expect(await look(sent)).toEqual(LIVE);
    standIn.state().lagging = 1;
    expect(await look(sent)).toEqual({ kind: 'not_there', isCompared: true });
  });

  it('nothing can be told if the channel had more videos than are listed', async () => {
    const sent = await publishInDoubt(false);
    const state = standIn.state();
    state.areSessionsLost = true;
    for (let index = 0; index < 50; index += 1)
      state.videos.push({
        id: `other-${index}`,
        name: 'other.mp4',
        publishedAt: NOW.toISOString(),
        parts: { snippet: { title: `Other ${index}` }, status: { privacyStatus: 'public' } },
        asked: 1,
        thumbnail: null,
      });
    expect(await look(sent)).toEqual({ kind: 'cannot_tell' });
  });

  it('a video that was deleted meanwhile is not waited for without end', async () => {
    const sent = await publishInDoubt(true);
    const state = standIn.state();
    const [deleted] = state.videos;
    standIn.injectFault(2, { status: 200, json: { items: [] } });
    expect(await look(sent)).toEqual({ kind: 'processing' });
    now = new Date(NOW.getTime() + 3_600_001);
    standIn.injectFault(2, { status: 200, json: { items: [] } });
    expect(await look(sent)).toEqual({ kind: 'cannot_tell' });
    expect(state.videos).toEqual([deleted]);
  });
});

describe('processing', () => {
  it('is waited for', async () => {
    standIn.state().processingPolls = 2;
    const sent = await prepare();
    expect(await publish(sent)).toEqual({ kind: 'processing' });
    expect([await look(sent), await look(sent)].map(({ kind }) => kind)).toEqual([
      'processing',
      'processing',
    ]);
    expect(await look(sent)).toMatchObject({ kind: 'live' });
  });

  it.each([
    [
      { uploadStatus: 'failed', failureReason: 'codec' },
      'YouTube could not process the video: codec.',
    ],
    [
      { uploadStatus: 'rejected', rejectionReason: 'duplicate' },
      'YouTube rejected the video: duplicate.',
    ],
    [{ uploadStatus: 'deleted' }, 'The video was deleted on YouTube.'],
  ])('that ends with %j is told', async (outcome, message) => {
    standIn.state().outcome = outcome;
    const sent = await prepare();
    await publish(sent);
    expect(await look(sent)).toEqual({ kind: 'rejected', message });
  });

  it('of a video that YouTube keeps private is no publication', async () => {
    standIn.state().forcedPrivacy = 'private';
    const sent = await prepare();
    await publish(sent);
    expect(await look(sent)).toEqual({
      kind: 'rejected',
      message:
        'YouTube made the video private instead of public, as it does for apps that Google has not audited. It is at https://www.youtube.com/watch?v=upload-0001.',
    });
  });

  it('is followed by thumbnail and playlist, whose failure leaves the video published', async () => {
    const sent = await prepare({
      networkOptions: { playlistId: 'PLgone' },
      media: [
        {
          ...anAttachment({ type: 'video' }),
          thumbnails: { real: `${standIn.url}/elsewhere/cover.mp4` },
        },
      ],
    });
    await publish(sent);
    expect(await look(sent)).toMatchObject({ kind: 'live' });
    expect(standIn.state()).toMatchObject({ playlist: [], videos: [{ thumbnail: null }] });
    const listed = { ...sent, post: { ...sent.post, networkOptions: { playlistId: 'PL1' } } };
    await look(listed);
    // Once, however often it is asked for.
    await look(listed);
    expect(standIn.state().playlist).toEqual([{ playlistId: 'PL1', videoId: 'upload-0001' }]);
  });
});

describe('limits', () => {
  it('of the client stop the uploads of all its accounts until midnight Pacific Time', async () => {
    standIn.state().refusal = youtubeError(403, 'quotaExceeded');
    // NOW is midnight in California: the next one is 24 hours later.
    const failure = {
      kind: 'failed',
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 86_400_000,
      isUnsent: true,
    };
    expect(await adapter.publisher!.prepare(target())).toMatchObject(failure);
    standIn.state().refusal = null;
    now = new Date(NOW.getTime() + 60_000);
    const asked = standIn.requests.length;
    expect(await adapter.publisher!.prepare(target())).toMatchObject({
      ...failure,
      retryAfterMs: 86_340_000,
    });
    expect(standIn.requests.slice(asked)).toEqual(['POST /token']);
    now = new Date(NOW.getTime() + 86_400_000);
    expect(await adapter.publisher!.prepare(target())).toMatchObject({ kind: 'preparing' });
  });

  it.each([
    [youtubeError(400, 'uploadLimitExceeded'), 'NETWORK_RATE_LIMITED', 86_400_000],
    [youtubeError(403, 'rateLimitExceeded'), 'NETWORK_RATE_LIMITED', undefined],
    [youtubeError(400, 'invalidTitle'), 'NETWORK_REFUSED', undefined],
    [youtubeError(403, 'forbiddenPrivacySetting'), 'NETWORK_FORBIDDEN', undefined],
    [youtubeError(401, 'youtubeSignupRequired'), 'NETWORK_REAUTHORIZATION_NEEDED', undefined],
  ])('%j is %s', async (refusal, code, retryAfterMs) => {
    standIn.state().refusal = refusal;
    const failure = await adapter.publisher!.prepare(target());
    expect(failure).toMatchObject({ kind: 'failed', code });
    expect((failure as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  it('of other calls last until midnight Pacific Time, too', async () => {
    const sent = await prepare();
    await publish(sent);
    standIn.injectFault(2, youtubeError(403, 'dailyLimitExceeded'));
    expect(await look(sent)).toMatchObject({
      code: 'NETWORK_RATE_LIMITED',
      retryAfterMs: 86_400_000,
    });
  });
});

it('refuses an address of a session on another host', async () => {
  standIn.injectFault(1, {
    status: 200,
    text: '',
    headers: { Location: 'https://googleapis.com.example/upload?upload_id=1' },
  });
  expect(await adapter.publisher!.prepare(target())).toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
    message: 'YouTube is unavailable: its response has no upload address on a host of the network.',
  });
});
