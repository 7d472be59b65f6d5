import { createTelegram } from '../../../src/networks/telegram.js';
import type { NetworkCase } from './network-case.js';
import { exactly, text, type Shape } from './shape.js';
import { openStandIn, type Reply, type Route } from './stand-in.js';

const TOKEN = '123456:telegram-bot-token';
const CHAT = '@kiosk';
const message: Shape = { chat_id: exactly(CHAT), message_id: exactly(42) };

/** A message as Telegram keeps it: of text, or of a picture with a caption. */
export function openTelegram(shown: Record<string, unknown>) {
  const call = (name: string, json: Shape, answer: (sent: any) => Reply): Route => ({
    method: 'POST',
    path: new RegExp(`^/bot${TOKEN}/${name}$`),
    headers: {},
    json,
    answer: ({ body }) => answer(body),
  });
  const edited = (field: 'text' | 'caption', sent: any): Reply => {
    if (shown[field] === undefined)
      return {
        status: 400,
        json: telegramCase.refusal(400, `Bad Request: there is no ${field} in the message to edit`),
      };
    if (shown[field] === sent[field])
      return {
        status: 400,
        json: telegramCase.refusal(
          400,
          'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content',
        ),
      };
    Object.assign(
      shown,
      { [field]: sent[field] },
      sent.link_preview_options && { link_preview_options: sent.link_preview_options },
    );
    return {
      status: 200,
      json: {
        ok: true,
        result: { message_id: 42, date: 1, chat: { id: -100, type: 'channel' }, ...shown },
      },
    };
  };
  return openStandIn(
    [
      call(
        'editMessageText',
        { ...message, text, 'link_preview_options?': { url: text } },
        (sent) => edited('text', sent),
      ),
      call('editMessageCaption', { ...message, caption: text }, (sent) => edited('caption', sent)),
      call('getChat', { chat_id: exactly(CHAT) }, () => ({
        status: 200,
        json: {
          ok: true,
          result: { id: -1001234, type: 'channel', title: 'Kiosk', username: 'kiosk' },
        },
      })),
    ],
    telegramCase.refusal,
  );
}

export const telegramCase: NetworkCase = {
  network: 'telegram',
  name: 'Telegram',
  remoteId: '42',
  secrets: [TOKEN],
  account: { socialId: '-1001234', name: 'Kiosk', type: 'channel', picture: null },
  edits: [
    {
      name: 'the text of a status',
      changed: ['text'],
      post: { type: 'status', text: 'New' },
      requests: [`POST /bot${TOKEN}/editMessageText`],
      shown: { text: 'New' },
    },
    {
      name: 'the text of a link post, with its preview',
      changed: ['text'],
      post: {
        type: 'link',
        text: 'New, see https://other.example',
        url: 'https://kiosk.example/a',
      },
      requests: [`POST /bot${TOKEN}/editMessageText`],
      shown: {
        text: 'New, see https://other.example',
        link_preview_options: { url: 'https://kiosk.example/a' },
      },
    },
    {
      name: 'the caption of a photo',
      changed: ['text'],
      post: { type: 'photo', text: '' },
      requests: [`POST /bot${TOKEN}/editMessageCaption`],
      shown: { caption: '' },
    },
  ],
  // A path that Telegram does not know is a token that nobody has.
  unknownAddress: 'NETWORK_REAUTHORIZATION_NEEDED',
  refusal: (status, words) => ({ ok: false, error_code: status, description: words }),
  async open() {
    const shown = { text: 'Old', caption: 'Old' };
    return { ...(await openTelegram(shown)), shown: () => shown };
  },
  adapter: (web, url) => createTelegram(web, url),
  credentials: () => ({ botToken: TOKEN, chatId: CHAT }),
};
