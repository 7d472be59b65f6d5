import type { Fault } from './stand-ins/stand-in.js';
import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import { telegramCase } from './stand-ins/telegram.js';

const web = openTestWeb();

async function editMeeting(status: number, description: string, more: object = {}) {
  const there = await telegramCase.open();
  there.breakAt(0, {
    status,
    json: { ok: false, error_code: status, description, ...more },
  } satisfies Fault);
  const result = await editAt(web, telegramCase, there)({ type: 'status', text: 'New' }, 'text');
  await there.close();
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
])('understands “%s”', async (description, code) => {
  expect(told(await editMeeting(400, description))).toEqual([
    code,
    expect.stringContaining(`(400): ${description}.`),
  ]);
});

it('takes a message that is so already for edited', async () => {
  expect(
    await editMeeting(
      400,
      'Bad Request: message is not modified: specified new message content is the same',
    ),
  ).toEqual({ kind: 'edited' });
});

it('reads the pause from the body', async () => {
  expect(
    await editMeeting(429, 'Too Many Requests: retry after 14', {
      parameters: { retry_after: 14 },
    }),
  ).toEqual({
    kind: 'failed',
    code: 'NETWORK_RATE_LIMITED',
    message: 'Telegram asks for a pause (429): Too Many Requests: retry after 14.',
    retryAfterMs: 14_000,
  });
});

it('connects channels and groups, and nobody’s private chat', async () => {
  const there = await telegramCase.open();
  const checked: unknown[] = [];
  for (const type of ['group', 'supergroup', 'private']) {
    there.breakAt(0, { status: 200, json: { ok: true, result: { id: -5, type, title: 'Kiosk' } } });
    checked.push(
      await telegramCase.adapter(web, there.url).check(telegramCase.credentials(there.url)),
    );
  }
  await there.close();
  const group = { kind: 'connected', socialId: '-5', name: 'Kiosk', type: 'group', picture: null };
  expect(checked).toEqual([
    group,
    group,
    {
      kind: 'failed',
      code: 'NETWORK_REFUSED',
      message: 'Telegram says that @kiosk is neither a channel nor a group.',
    },
  ]);
});
