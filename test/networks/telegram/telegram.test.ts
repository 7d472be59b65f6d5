import { bytesStream } from '../../../src/networks/http-client/upload-body.js';
import { createHttpClient } from '../../../src/networks/http-client/http-client.js';
import { NOW } from '../stand-ins/network-case.js';
import { startStandIn, type Fault } from '../stand-ins/stand-in.js';
import { editOn, createTestHttpClient, outcomeOf } from '../stand-ins/edit-requests.js';
import { telegramCase } from '../stand-ins/telegram.js';
import { anAttachment, aPost } from '../../fixtures/posts.js';

const http = createTestHttpClient();

async function editWithFault(status: number, description: string, more: object = {}) {
  const standIn = await telegramCase.start();
  standIn.injectFault(0, {
    status,
    json: { ok: false, error_code: status, description, ...more },
  } satisfies Fault);
  const result = await editOn(http, telegramCase, standIn)({ type: 'status', text: 'New' }, 'text');
  await standIn.close();
  return result;
}

it.each([
  ['Bad Request: message to edit not found', 'NETWORK_POST_DELETED'],
  ['Bad Request: MESSAGE_ID_INVALID', 'NETWORK_POST_DELETED'],
  ['Bad Request: chat not found', 'NETWORK_FORBIDDEN'],
  ["Bad Request: message can't be edited", 'NETWORK_FORBIDDEN'],
  ['Bad Request: not enough rights to edit message', 'NETWORK_FORBIDDEN'],
  ['Bad Request: message is too long', 'NETWORK_REFUSED'],
  ['Bad Request: there is no text in the message to edit', 'NETWORK_REFUSED'],
])('maps “%s”', async (description, code) => {
  expect(outcomeOf(await editWithFault(400, description))).toEqual([
    code,
    expect.stringContaining(`(400): ${description}.`),
  ]);
});

it('treats an unmodified message as edited', async () => {
  expect(
    await editWithFault(
      400,
      'Bad Request: message is not modified: specified new message content is the same',
    ),
  ).toEqual({ kind: 'edited' });
});

it('reads the retry delay from the body', async () => {
  expect(
    await editWithFault(429, 'Too Many Requests: retry after 14', {
      parameters: { retry_after: 14 },
    }),
  ).toEqual({
    kind: 'failed',
    code: 'NETWORK_RATE_LIMITED',
    message: 'Telegram rate-limited the request (429): Too Many Requests: retry after 14.',
    retryAfterMs: 14_000,
  });
});

it('connects channels and groups, but not private chats', async () => {
  const standIn = await telegramCase.start();
  const checked: unknown[] = [];
  for (const type of ['group', 'supergroup', 'private']) {
    standIn.injectFault(0, {
      status: 200,
      json: { ok: true, result: { id: -5, type, title: 'Kiosk' } },
    });
    checked.push(
      await telegramCase.adapter(http, standIn.url).check(telegramCase.credentials(standIn.url)),
    );
  }
  await standIn.close();
  const group = { kind: 'connected', socialId: '-5', name: 'Kiosk', type: 'group', picture: null };
  expect(checked).toEqual([
    group,
    group,
    {
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: '@kiosk is not a Telegram channel or group.',
    },
  ]);
});

describe('an album', () => {
  const media = ['a.jpg', 'b.jpg'].map((name) =>
    anAttachment({ url: `https://files.example/${name}` }),
  );
  const account = { ...aPost().account!, network: 'telegram' as const };
  async function publishAlbum(items = media) {
    const standIn = await telegramCase.start();
    const { publisher } = telegramCase.adapter(http, standIn.url);
    const credentials = telegramCase.credentials(standIn.url);
    const post = aPost({ network: 'telegram', type: 'carousel', account, media: items });
    const prepared = await publisher!.prepare({ account, credentials, post });
    return { standIn, publisher: publisher!, credentials, post, prepared };
  }

  it('is removed with all its messages, and edited at its first one', async () => {
    const { standIn, publisher, credentials, post } = await publishAlbum();
    const sent = { account, credentials, post, handle: {}, sentAt: new Date() };
    expect(await publisher.publish(sent)).toEqual({
      kind: 'live',
      remoteId: '43,44',
      url: 'https://t.me/kiosk/43',
    });
    const removal = { account, credentials, remoteId: '43,44', postId: 'unknown' };
    expect(await publisher.remove(removal)).toEqual({ kind: 'removed' });
    expect(standIn.state()).toMatchObject({ published: [] });
    expect(standIn.violations).toEqual([]);
    standIn.requests.length = 0;
    const album = { ...telegramCase, remoteId: '42,43' };
    expect(await editOn(http, album, standIn)({ type: 'carousel', text: 'New' }, 'text')).toEqual({
      kind: 'edited',
    });
    await standIn.close();
  });

  it('cannot contain an animation', async () => {
    const animation = anAttachment({ type: 'gif', url: 'https://files.example/c.gif' });
    const { standIn, prepared } = await publishAlbum([...media, animation]);
    expect(prepared).toMatchObject({ kind: 'failed', code: 'NETWORK_REFUSED' });
    expect(standIn.requests).toEqual([]);
    await standIn.close();
  });
});

it('removes no message after two days, when Telegram refuses it', async () => {
  const standIn = await telegramCase.start();
  standIn.injectFault(0, {
    status: 400,
    json: { ok: false, error_code: 400, description: "Bad Request: message can't be deleted" },
  });
  const credentials = telegramCase.credentials(standIn.url);
  expect(
    await telegramCase.adapter(http, standIn.url).publisher!.remove({
      account: aPost().account!,
      credentials,
      remoteId: '42',
      postId: 'unknown',
    }),
  ).toMatchObject({ kind: 'failed', code: 'NETWORK_FORBIDDEN' });
  await standIn.close();
});

it('uploads files that the service keeps, and names the addresses of others', async () => {
  const PICTURE = new Uint8Array([137, 80, 78, 71]);
  const uploads: Response[] = [];
  const standIn = await startStandIn(
    [
      {
        method: 'POST',
        path: /^\/bot123456:telegram-bot-token\/sendMediaGroup$/,
        headers: {},
        file: () => null,
        respond({ bytes, headers }) {
          const type = { 'Content-Type': headers['content-type']! };
          uploads.push(new Response(new Uint8Array(bytes), { headers: type }));
          const chat = { id: -1001234, type: 'channel' };
          const result = [
            { message_id: 7, chat },
            { message_id: 8, chat },
          ];
          return { status: 200, json: { ok: true, result } };
        },
      },
    ],
    telegramCase.errorBody,
  );
  const withFiles = createHttpClient({
    allowLoopback: true,
    clock: { now: () => NOW },
    storedMedia: async ({ id }) =>
      id === 'med_1' ? bytesStream({ type: 'image/png', bytes: PICTURE }) : null,
  });
  const { publisher } = telegramCase.adapter(withFiles, standIn.url);
  const account = { ...aPost().account!, network: 'telegram' as const };
  const media = ['med_1', 'med_2'].map((id) =>
    anAttachment({ id, url: `https://files.example/${id}` }),
  );
  const post = aPost({ network: 'telegram', type: 'carousel', text: 'Beans', account, media });
  const credentials = telegramCase.credentials(standIn.url);
  const sent = { account, credentials, post, handle: {}, sentAt: NOW };
  expect(await publisher!.publish(sent)).toEqual({
    kind: 'live',
    remoteId: '7,8',
    url: 'https://t.me/c/1234/7',
  });
  const form = await uploads[0]!.formData();
  expect(JSON.parse(form.get('media') as string)).toEqual([
    { type: 'photo', media: 'attach://med_1', caption: 'Beans' },
    { type: 'photo', media: 'https://files.example/med_2' },
  ]);
  expect(form.get('chat_id')).toBe('@kiosk');
  const file = form.get('med_1') as File;
  expect([file.name, file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
    'med_1.png',
    'image/png',
    PICTURE,
  ]);
  await standIn.close();
});
