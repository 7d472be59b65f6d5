import type { Post } from '../../src/domain/posts/post.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { bytesStream } from '../../src/networks/http-client/upload-body.js';
import type { SentPost } from '../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../fixtures/posts.js';
import { NOW, type NetworkStandIn } from './stand-ins/network-case.js';
import {
  aTwitterState,
  problem,
  startTwitter,
  twitterCase,
  type TwitterState,
} from './stand-ins/twitter.js';

let state: TwitterState;
let standIn: NetworkStandIn;
beforeEach(async () => {
  state = aTwitterState();
  standIn = await startTwitter(state);
});
afterEach(() => standIn.close());

/** A video of 37 MB: ten pieces. */
const video = bytesStream({ type: 'video/mp4', bytes: new Uint8Array(37 * 1_048_576) });
const clock = { now: () => NOW };
/** A publisher with clients of its own, as in another process. */
const publisher = () =>
  twitterCase.adapter(
    createHttpClient({ allowLoopback: true, clock, storedMedia: async () => video }),
    standIn.url,
  ).publisher!;

function target(content: Partial<Post>) {
  const account = { ...aPost().account!, network: 'twitter' as const };
  const post = aPost({ network: 'twitter', account, ...content });
  return { account, credentials: twitterCase.credentials(standIn.url), post };
}
const VIDEO: Partial<Post> = { type: 'video', media: [anAttachment({ type: 'video' })] };

/** Prepares a post; `asked`: the pauses that were asked for. */
async function prepare(content: Partial<Post>, asked: number[] = []): Promise<SentPost> {
  const to = target(content);
  let prepared = await publisher().prepare(to);
  while (prepared.kind === 'preparing') {
    if (prepared.againInMs > 0) asked.push(prepared.againInMs);
    prepared = await publisher().prepare(to, prepared.handle);
  }
  if (prepared.kind === 'failed') throw new Error(prepared.message);
  return { ...to, handle: prepared.handle, sentAt: NOW };
}

test('a video is sent in pieces, and an upload goes on in another process', async () => {
  const to = target(VIDEO);
  const begun = await publisher().prepare(to);
  const half = await publisher().prepare(to, (begun as { handle: Record<string, string> }).handle);
  expect(half).toMatchObject({ kind: 'preparing', handle: { pieces: '8' } });
  const asked: number[] = [];
  let prepared = half;
  while (prepared.kind === 'preparing') {
    if (prepared.againInMs > 0) asked.push(prepared.againInMs);
    prepared = await publisher().prepare(to, prepared.handle);
  }
  expect(prepared).toMatchObject({ kind: 'prepared', handle: { media: '711', processing: '' } });
  const piece = 4 * 1_048_576;
  expect(state.uploads.map(({ pieces }) => pieces)).toEqual([[...Array(9).fill(piece), 1_048_576]]);
  expect(asked).toEqual([3_000]);
  expect(standIn.violations).toEqual([]);
});

test('an upload that took longer than X keeps files begins anew', async () => {
  const handle = {
    media: '711',
    processing: '',
    uploading: '',
    pieces: '0',
    preparedAt: new Date(NOW.getTime() - 86_400_000).toISOString(),
  };
  expect(await publisher().prepare(target(VIDEO), handle)).toMatchObject({
    kind: 'preparing',
    handle: { media: '', uploading: '711', preparedAt: NOW.toISOString() },
  });
});

test('a video that X cannot process is refused', async () => {
  state.outcome = 'failed';
  await expect(prepare(VIDEO)).rejects.toThrow('X could not process a media item of the post.');
});

test('a post with media is found by its files, whatever its text', async () => {
  state.publishFault = { reply: { status: 503, text: '' }, takes: true };
  const sent = await prepare({ ...VIDEO, text: 'Same' });
  const twin = await prepare({ ...VIDEO, text: 'Same' });
  expect(await publisher().publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
  expect(await publisher().look(sent)).toMatchObject({ kind: 'live', remoteId: '1001' });
  expect(await publisher().look(twin)).toEqual({ kind: 'not_there' });
  state.lagging = 1;
  expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
});

test('a poll is no status with the same text', async () => {
  const poll: Partial<Post> = { type: 'poll', text: 'Which?', options: ['Bean', 'Leaf'] };
  await publisher().publish(await prepare(poll));
  expect(await publisher().look(await prepare({ text: 'Which?' }))).toEqual({ kind: 'not_there' });
  expect(await publisher().look(await prepare(poll))).toMatchObject({ kind: 'live' });
});

test('nothing can be told if the account had more posts than are listed', async () => {
  for (let index = 0; index < 21; index += 1)
    await publisher().publish(await prepare({ text: `Post ${index}` }));
  expect(await publisher().look(await prepare({ text: 'Lost' }))).toEqual({ kind: 'cannot_tell' });
});

const type = (name: string): string => `https://api.x.com/2/problems/${name}`;
const inSeconds = (seconds: number): string => String(NOW.getTime() / 1_000 + seconds);
test.each([
  [
    problem(403, 'You are not allowed to create a Tweet with duplicate content.'),
    'NETWORK_DUPLICATE',
    null,
  ],
  [problem(403, 'Not allowed.'), 'NETWORK_FORBIDDEN', null],
  [problem(402, 'Your credits are used up.'), 'NETWORK_FORBIDDEN', null],
  [problem(429, 'Usage cap exceeded', type('usage-capped')), 'NETWORK_FORBIDDEN', null],
  [problem(403, 'Suspended', type('user-suspended')), 'NETWORK_REAUTHORIZATION_NEEDED', null],
  [
    problem(403, 'Unsupported', type('unsupported-authentication')),
    'NETWORK_REAUTHORIZATION_NEEDED',
    null,
  ],
  [
    {
      ...problem(429, 'Too many'),
      headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': inSeconds(90) },
    },
    'NETWORK_RATE_LIMITED',
    90_000,
  ],
  [
    {
      ...problem(429, 'Too many'),
      headers: {
        'x-rate-limit-remaining': '5',
        'x-rate-limit-reset': inSeconds(90),
        'x-user-limit-24hour-remaining': '0',
        'x-user-limit-24hour-reset': inSeconds(7_200),
      },
    },
    'NETWORK_RATE_LIMITED',
    7_200_000,
  ],
] as const)('%j is %s', async (reply, code, retryAfterMs) => {
  state.publishFault = { reply, takes: false };
  const failure = await publisher().publish(await prepare({ text: 'Text' }));
  expect(failure).toMatchObject({ kind: 'failed', code });
  expect((failure as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs ?? undefined);
});

test('a response that has errors instead of a post leaves a doubt', async () => {
  state.publishFault = { reply: { status: 200, json: { errors: [{ title: 'x' }] } }, takes: true };
  expect(await publisher().publish(await prepare({ text: 'Text' }))).toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
  });
});

test('the account of the credentials is returned', async () => {
  const adapter = twitterCase.adapter(
    createHttpClient({ allowLoopback: true, clock }),
    standIn.url,
  );
  expect(await adapter.check(twitterCase.credentials(standIn.url))).toEqual({
    kind: 'connected',
    ...twitterCase.account,
  });
  expect(standIn.violations).toEqual([]);
});
