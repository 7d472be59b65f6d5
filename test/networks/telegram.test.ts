import type { Fault } from './stand-ins/stand-in.js';
import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import { telegramCase } from './stand-ins/telegram.js';

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
