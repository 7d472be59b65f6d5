import type { PublicationHandle } from '../../src/domain/networks/network-definition.js';
import type { Post } from '../../src/domain/posts/post.js';
import { createHttpClient } from '../../src/networks/http-client/http-client.js';
import { bytesStream } from '../../src/networks/http-client/upload-body.js';
import type { SentPost } from '../../src/services/networks/network-ports.js';
import { anAttachment, aPost } from '../fixtures/posts.js';
import { NOW } from './stand-ins/network-case.js';
import { startTiktok, tiktokCase, tiktokError } from './stand-ins/tiktok.js';

const MIB = 1_048_576;
const PIECE = 5 * MIB;
const MINUTE = 60_000;
const LONG = 43 * MIB;
let bytes = MIB;
let now = NOW;
let standIn: Awaited<ReturnType<typeof startTiktok>>;
beforeEach(async () => {
  [bytes, now] = [MIB, NOW];
  standIn = await startTiktok();
});
afterEach(() => standIn.close());

/** A publisher with clients of its own, as in another process. */
const publisher = () =>
  tiktokCase.adapter(
    createHttpClient({
      allowLoopback: true,
      clock: { now: () => now },
      storedMedia: async () => bytesStream({ type: 'video/mp4', bytes: new Uint8Array(bytes) }),
    }),
    standIn.url,
  ).publisher!;

const PUBLIC = { privacy: 'PUBLIC_TO_EVERYONE' } as const;
function target(content: Partial<Post> = {}) {
  const account = { ...aPost().account!, network: 'tiktok' as const };
  const post = aPost({
    network: 'tiktok',
    account,
    type: 'video',
    text: 'Roasting',
    details: PUBLIC,
    media: [anAttachment({ type: 'video' })],
    ...content,
  });
  return { account, credentials: tiktokCase.credentials(standIn.url), post };
}
const PHOTOS: Partial<Post> = {
  type: 'carousel',
  title: 'Beans',
  text: 'All of them',
  details: { ...PUBLIC, autoAddMusic: true },
  media: ['a.jpg', 'b.webp'].map((name) => anAttachment({ url: `https://files.example/${name}` })),
};
const handleOf = (result: object) => (result as { handle: PublicationHandle }).handle;

async function prepare(content: Partial<Post> = {}): Promise<SentPost> {
  const to = target(content);
  let prepared = await publisher().prepare(to);
  while (prepared.kind === 'preparing') prepared = await publisher().prepare(to, prepared.handle);
  if (prepared.kind === 'failed') throw new Error(prepared.message);
  return { ...to, handle: prepared.handle, sentAt: NOW };
}
const publish = (sent: SentPost) => publisher().publish(sent);
const look = (sent: SentPost) => publisher().look(sent);
const LIVE = { kind: 'live', ...tiktokCase.publication!.live };

describe('a video', () => {
  it('is sent in pieces, and goes on in another process', async () => {
    bytes = LONG;
    const to = target();
    const opened = await publisher().prepare(to);
    const half = await publisher().prepare(to, handleOf(opened));
    expect([opened.kind, half.kind]).toEqual(['preparing', 'preparing']);
    const whole = await publisher().prepare(to, handleOf(half));
    expect(whole).toMatchObject({ kind: 'prepared', guarantee: 'exact' });
    await publish({ ...to, handle: handleOf(whole), sentAt: NOW });
    expect(standIn.state().publications).toMatchObject([
      { size: bytes, pieceSize: PIECE, count: 8, pieces: [...Array(7).fill(PIECE), 8 * MIB] },
    ]);
    expect(standIn.violations).toEqual([]);
  });

  it.each([
    [2 * PIECE - 1, [2 * PIECE - 1]],
    [2 * PIECE, [PIECE, PIECE]],
    [3 * PIECE - 1, [PIECE, 2 * PIECE - 1]],
    [1, [1]],
  ])('of %d bytes is sent as %j', async (size, pieces) => {
    bytes = size;
    await publish(await prepare());
    expect(standIn.state().publications).toMatchObject([{ pieces }]);
    expect(standIn.violations).toEqual([]);
  });

  it('goes on after the connection broke', async () => {
    bytes = LONG;
    const to = target();
    const opened = await publisher().prepare(to);
    standIn.injectFault(1, { status: 503, text: '' });
    const broken = await publisher().prepare(to, handleOf(opened));
    expect(broken).toMatchObject({ kind: 'preparing', againInMs: 5_000 });
    expect(await publisher().prepare(to, handleOf(broken))).toMatchObject({ kind: 'preparing' });
    expect(standIn.state().publications).toHaveLength(1);
  });

  it.each([403, 404, 410])('begins anew if the upload is not taken (%d)', async (status) => {
    bytes = 2 * PIECE;
    const to = target();
    const opened = await publisher().prepare(to);
    standIn.state().uploadStatus = status;
    const again = await publisher().prepare(to, handleOf(opened));
    expect(again).toMatchObject({ kind: 'preparing' });
    expect(handleOf(again)['publishId']).not.toBe(handleOf(opened)['publishId']);
  });

  it('begins anew before the address of its upload expires', async () => {
    bytes = 2 * PIECE;
    const to = target();
    const opened = await publisher().prepare(to);
    now = new Date(NOW.getTime() + 51 * MINUTE);
    expect(handleOf(await publisher().prepare(to, handleOf(opened)))).toMatchObject({
      publishId: 'v_pub_file~v2.2',
      preparedAt: now.toISOString(),
    });
  });

  it('is not sent with an expired address, and is prepared again', async () => {
    const sent = await prepare();
    standIn.state().uploadStatus = 403;
    expect(await publish(sent)).toEqual({
      kind: 'failed',
      code: 'NETWORK_UNAVAILABLE',
      message: 'TikTok’s address for the upload has expired.',
      isUnsent: true,
    });
  });

  it('without an answer is looked for by its ID, and its last piece is sent again', async () => {
    const sent = await prepare();
    standIn.injectFault(0, { status: 503, text: '' });
    expect(await publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    expect(await look(sent)).toEqual({ kind: 'not_there' });
    now = new Date(NOW.getTime() + 51 * MINUTE);
    expect(await look(sent)).toEqual({ kind: 'not_there', isCompared: true });
    now = NOW;
    expect(await publish(sent)).toEqual({ kind: 'processing' });
    expect(await look(sent)).toEqual(LIVE);
  });

  it('is waited for, and so is the ID of a public one', async () => {
    Object.assign(standIn.state(), { processingPolls: 1, tellsIds: false });
    const sent = await prepare();
    await publish(sent);
    expect([await look(sent), await look(sent)]).toEqual([
      { kind: 'processing' },
      { kind: 'processing' },
    ]);
    standIn.state().tellsIds = true;
    expect(await look(sent)).toEqual(LIVE);
    standIn.state().tellsIds = false;
    now = new Date(NOW.getTime() + 11 * MINUTE);
    expect(await look(sent)).toEqual({ kind: 'live', remoteId: null, url: null });
  });

  it('for the person alone has no ID', async () => {
    const sent = await prepare({ details: { privacy: 'SELF_ONLY' } });
    await publish(sent);
    expect(await look(sent)).toEqual({ kind: 'live', remoteId: null, url: null });
  });

  it.each([
    [
      'duration_check_failed',
      { kind: 'rejected', message: 'TikTok did not publish the post: duration_check_failed.' },
    ],
    ['internal', { kind: 'not_there', isCompared: true }],
  ])('that fails with %s is told', async (reason, expected) => {
    standIn.state().failReason = reason;
    const sent = await prepare();
    await publish(sent);
    expect(await look(sent)).toEqual(expected);
  });

  it('that is not listed after a backup was restored leaves a doubt', async () => {
    const lost = await prepare();
    await publish(lost);
    const { handle } = await prepare();
    const restored = { ...lost, handle, sentAt: new Date(NOW.getTime() - 10 * MINUTE) };
    expect(await look(restored)).toEqual(LIVE);
    standIn.state().refusal = {
      path: /video\/list/,
      reply: tiktokError(401, 'scope_not_authorized'),
    };
    expect(await look(restored)).toEqual({ kind: 'cannot_tell' });
    standIn.state().refusal = null;
    expect(await look({ ...restored, post: { ...lost.post, text: 'Other' } })).toEqual({
      kind: 'cannot_tell',
    });
  });
});

describe('photos', () => {
  it('are fetched by TikTok, and found by the ID that the answer has', async () => {
    Object.assign(standIn.state().disabled, { comment_disabled: true });
    const to = target(PHOTOS);
    const prepared = await publisher().prepare(to);
    expect(prepared).toMatchObject({ kind: 'prepared', guarantee: 'cannot_tell' });
    const sent = { ...to, handle: handleOf(prepared), sentAt: NOW };
    const result = await publish(sent);
    expect(result).toMatchObject({ kind: 'processing' });
    expect(standIn.state().publications).toMatchObject([
      {
        info: {
          privacy_level: 'PUBLIC_TO_EVERYONE',
          disable_comment: true,
          brand_content_toggle: false,
          brand_organic_toggle: false,
          title: 'Beans',
          description: 'All of them',
          auto_add_music: true,
        },
        images: ['https://files.example/a.jpg', 'https://files.example/b.webp'],
      },
    ]);
    expect(await look({ ...sent, handle: handleOf(result) })).toEqual({
      kind: 'live',
      remoteId: tiktokCase.publication!.live.remoteId,
      url: `https://www.tiktok.com/@kiosk/photo/${String(tiktokCase.publication!.live.remoteId)}`,
    });
    expect(standIn.violations).toEqual([]);
  });

  it('without an answer leave a doubt', async () => {
    const sent = await prepare(PHOTOS);
    standIn.injectFault(0, { status: 500, json: tiktokError(500, 'internal_error').json });
    expect(await publish(sent)).toMatchObject({ code: 'NETWORK_UNAVAILABLE' });
    expect(await look(sent)).toEqual({ kind: 'cannot_tell' });
  });

  it('that TikTok could not fetch are sent again', async () => {
    const sent = await prepare(PHOTOS);
    const handle = handleOf(await publish(sent));
    standIn.state().failReason = 'photo_pull_failed';
    expect(await look({ ...sent, handle })).toEqual({ kind: 'not_there', isCompared: true });
  });
});

it('refuses a privacy that TikTok does not offer the account', async () => {
  standIn.state().privacyLevels = ['SELF_ONLY'];
  for (const content of [{}, PHOTOS])
    expect(await publisher().prepare(target(content))).toMatchObject({
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message:
        'TikTok does not let the account publish with the privacy PUBLIC_TO_EVERYONE, but with SELF_ONLY.',
    });
  expect(standIn.state().publications).toEqual([]);
});

const DAY = 86_400_000;
it.each([
  [403, 'spam_risk_too_many_posts', 'NETWORK_RATE_LIMITED', DAY],
  [403, 'reached_active_user_cap', 'NETWORK_RATE_LIMITED', DAY],
  [200, 'spam_risk_too_many_posts', 'NETWORK_RATE_LIMITED', DAY],
  [403, 'spam_risk_user_banned_from_posting', 'NETWORK_FORBIDDEN', undefined],
  [403, 'unaudited_client_can_only_post_to_private_accounts', 'NETWORK_FORBIDDEN', undefined],
  [403, 'url_ownership_unverified', 'NETWORK_FORBIDDEN', undefined],
  [401, 'access_token_invalid', 'NETWORK_REAUTHORIZATION_NEEDED', undefined],
  [429, 'rate_limit_exceeded', 'NETWORK_RATE_LIMITED', undefined],
  [200, 'something_new', 'NETWORK_REFUSED', undefined],
])('%d %s is %s', async (status, code, expected, retryAfterMs) => {
  standIn.state().refusal = { path: /init|creator_info/, reply: tiktokError(status, code) };
  const failure = await publisher().prepare(target());
  expect(failure).toMatchObject({ kind: 'failed', code: expected });
  expect((failure as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
});

it('returns the account of the credentials', async () => {
  const adapter = tiktokCase.adapter(
    createHttpClient({ allowLoopback: true, clock: { now: () => now } }),
    standIn.url,
  );
  expect(await adapter.check(tiktokCase.credentials(standIn.url))).toEqual({
    kind: 'connected',
    ...tiktokCase.account,
  });
});
