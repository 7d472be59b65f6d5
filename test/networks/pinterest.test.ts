import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { bytesStream, jsonBody } from '../../src/networks/http-client/upload-body.js';
import type { PreparedPost, SentPost } from '../../src/services/networks/network-ports.js';
import { aPost } from '../fixtures/posts.js';
import { NOW, type NetworkStandIn } from './stand-ins/network-case.js';
import { http } from './stand-ins/network-suite.js';
import { pinterestCase, type PinterestState } from './stand-ins/pinterest.js';
import type { Reply } from './stand-ins/stand-in.js';

let standIn: NetworkStandIn;
const state = () => standIn.state() as PinterestState;
beforeEach(async () => {
  standIn = await pinterestCase.start();
});
afterEach(() => standIn.close());

const [video, , picture] = pinterestCase.publication!.cases;
const account = { ...aPost().account!, network: 'pinterest' as const };
const credentials = pinterestCase.credentials('');
const publisher = () => pinterestCase.adapter(http, standIn.url).publisher!;
const targetOf = (post = picture!.post(standIn.url)) => ({
  account,
  credentials,
  post: aPost({ network: 'pinterest', account, scheduledAt: NOW, ...post }),
});

async function prepare(target = targetOf()): Promise<SentPost> {
  const prepared = await publisher().prepare(target);
  expect(prepared).toMatchObject({ kind: 'prepared' });
  return { ...target, handle: (prepared as PreparedPost).handle, sentAt: NOW };
}

const answer = (status: number, code: number, message: string): Reply => ({
  status,
  json: { code, message },
});

it('returns the account of the token', async () => {
  expect(await pinterestCase.adapter(http, standIn.url).check(credentials)).toEqual({
    kind: 'connected',
    ...pinterestCase.account,
  });
});

const TRIAL = 'Apps with Trial access may not create Pins in production.';
it.each([
  [
    'a token that is refused',
    answer(401, 2, 'Authentication failed.'),
    'NETWORK_REAUTHORIZATION_NEEDED',
  ],
  ['a permission that is missing', answer(401, 3, 'Not sufficient.'), 'NETWORK_FORBIDDEN'],
  ['an app on trial', answer(403, 29, TRIAL), 'NETWORK_FORBIDDEN'],
  ['an account that is blocked for spam', answer(429, 9, 'Blocked for spam.'), 'NETWORK_FORBIDDEN'],
  [
    'a cover that was not fetched',
    answer(400, 1, 'Unable to reach the URL.'),
    'NETWORK_UNAVAILABLE',
  ],
  ['a board that is gone', answer(404, 40, 'Board not found.'), 'NETWORK_REFUSED'],
])('maps %s', async (_name, fault, code) => {
  standIn.injectFault(0, fault);
  const { message } = fault.json as { message: string };
  expect(await publisher().prepare(targetOf())).toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

it.each([
  ['seconds', '12', 12_000],
  ['a Unix time', String(NOW.getTime() / 1_000 + 30), 30_000],
])('pauses until the end of its rate window, in %s', async (_name, reset, retryAfterMs) => {
  const headers = { 'x-ratelimit-reset': reset };
  standIn.injectFault(0, { ...answer(429, 8, 'Too many requests.'), headers });
  expect(await publisher().prepare(targetOf())).toMatchObject({
    code: 'NETWORK_RATE_LIMITED',
    retryAfterMs,
  });
});

describe('after a call without a response', () => {
  it('does not take a pin of before for the post', async () => {
    const earlier = await prepare();
    await publisher().publish(earlier);
    const sent = await prepare();
    expect(await publisher().look(sent)).toEqual({ kind: 'not_there' });
    await publisher().publish(sent);
    expect(await publisher().look(sent)).toMatchObject({
      kind: 'live',
      remoteId: state().published[0]!.id,
    });
  });

  it('leaves it to a person if only the link or the alternative text differs', async () => {
    const sent = await prepare();
    const target = targetOf({ ...picture!.post(standIn.url), url: 'https://kiosk.example/b' });
    await publisher().publish({ ...sent, ...target });
    expect(await publisher().look(sent)).toEqual({ kind: 'cannot_tell' });
  });

  const pin = (index: number, daysAgo: number) => ({
    id: String(index),
    created_at: new Date(NOW.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 19),
    media: { media_type: 'image' },
  });
  const page = (pins: readonly object[], bookmark: string | null): Reply => ({
    status: 200,
    json: { items: pins, bookmark },
  });
  it.each([
    ['ends with older pins, newest first', [pin(2, 0.1), pin(1, 3)], { kind: 'not_there' }, 1],
    ['has no order', [pin(1, 3), pin(2, 0.1), pin(3, 3)], { kind: 'not_there' }, 2],
  ])('reads a list that %s', async (_name, pins, expected, pages) => {
    const sent = await prepare();
    standIn.injectFault(0, page(pins, 'next'));
    expect(await publisher().look(sent)).toEqual(expected);
    expect(standIn.requests).toHaveLength(pages);
  });
});

it('publishes no video that Pinterest could not process', async () => {
  state().outcome = 'failed';
  const target = targetOf(video!.post(standIn.url));
  let prepared = await publisher().prepare(target);
  while (prepared.kind === 'preparing')
    prepared = await publisher().prepare(target, prepared.handle);
  expect(prepared).toMatchObject({
    code: 'NETWORK_REFUSED',
    message: 'Pinterest could not process the video.',
  });
});

it.each([
  'https://files.example/',
  'http://x.amazonaws.com/',
  'https://amazonaws.com.example/',
  '',
])('sends no video to %j', async (uploadUrl) => {
  state().uploadUrl = uploadUrl;
  expect(await publisher().prepare(targetOf(video!.post(standIn.url)))).toMatchObject({
    code: 'NETWORK_UNAVAILABLE',
    message: expect.stringContaining('no upload address on a host of the network'),
  });
  expect(standIn.requests.at(-1)).toBe('POST /v5/media');
});

it.each([0, 1, 2, 3, 65_536, 200_001])('sends a file of %s bytes as Base64', async (size) => {
  const bytes = new Uint8Array(size).map((_value, index) => index % 251);
  const file = bytesStream({ type: 'image/png', bytes });
  const body = jsonBody({ ä: [{ data: file }, { data: file }], end: null });
  const sent = await buffer(Readable.from(body.chunks()));
  const data = Buffer.from(bytes).toString('base64');
  expect(JSON.parse(sent.toString())).toEqual({ ä: [{ data }, { data }], end: null });
  expect(sent).toHaveLength(body.length);
});
