import { createTelegram } from '../../../src/networks/telegram/telegram.js';
import type { NetworkCase } from './network-case.js';
import {
  linkPreview,
  publicationRoutes,
  telegramPublication,
  type PublishedMessage,
} from './telegram-publication.js';
import { reaching } from './official-hosts.js';
import { exactly, text, type Schema } from './request-schema.js';
import { startStandIn, type Reply, type Route } from './stand-in.js';

const TOKEN = '123456:telegram-bot-token';
const CHAT = '@kiosk';
const message: Schema = { chat_id: exactly(CHAT), message_id: exactly(42) };

/** Starts the Bot API with one message: a text, or a picture with a caption. */
export function startTelegram(state: Record<string, unknown>, published: PublishedMessage[] = []) {
  const call = (name: string, json: Schema, answer: (sent: any) => Reply): Route => ({
    method: 'POST',
    path: new RegExp(`^/bot${TOKEN}/${name}$`),
    headers: {},
    json,
    respond: ({ body }) => answer(body),
  });
  const edited = (field: 'text' | 'caption', sent: any): Reply => {
    if (state[field] === undefined)
      return {
        status: 400,
        json: telegramCase.errorBody(
          400,
          `Bad Request: there is no ${field} in the message to edit`,
        ),
      };
    if (state[field] === sent[field])
      return {
        status: 400,
        json: telegramCase.errorBody(
          400,
          'Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content',
        ),
      };
    Object.assign(
      state,
      { [field]: sent[field] },
      sent.link_preview_options && { link_preview_options: sent.link_preview_options },
      sent.parse_mode && { parse_mode: sent.parse_mode },
    );
    return {
      status: 200,
      json: {
        ok: true,
        result: { message_id: 42, date: 1, chat: { id: -100, type: 'channel' }, ...state },
      },
    };
  };
  return startStandIn(
    [
      ...publicationRoutes(published, call, CHAT),
      call(
        'editMessageText',
        { ...message, text, 'link_preview_options?': linkPreview, 'parse_mode?': text },
        (sent) => edited('text', sent),
      ),
      call('editMessageCaption', { ...message, caption: text, 'parse_mode?': text }, (sent) =>
        edited('caption', sent),
      ),
      call('getChat', { chat_id: exactly(CHAT) }, () => ({
        status: 200,
        json: {
          ok: true,
          result: { id: -1001234, type: 'channel', title: 'Kiosk', username: 'kiosk' },
        },
      })),
    ],
    telegramCase.errorBody,
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
      changedState: { text: 'New' },
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
      changedState: {
        text: 'New, see https://other.example',
        link_preview_options: { url: 'https://kiosk.example/a' },
      },
    },
    {
      name: 'the text of a link post without a text: its link',
      changed: ['text'],
      post: { type: 'link', text: '', url: 'https://kiosk.example/a' },
      requests: [`POST /bot${TOKEN}/editMessageText`],
      changedState: {
        text: 'https://kiosk.example/a',
        link_preview_options: { url: 'https://kiosk.example/a' },
      },
    },
    {
      name: 'the text of a status with markup',
      changed: ['text'],
      post: { type: 'status', text: '<b>Sale</b>', networkOptions: { parseMode: 'HTML' } },
      requests: [`POST /bot${TOKEN}/editMessageText`],
      changedState: { text: '<b>Sale</b>', parse_mode: 'HTML' },
    },
    {
      name: 'the text of a link post that shows no preview',
      changed: ['text'],
      post: {
        type: 'link',
        text: 'New',
        url: 'https://kiosk.example/a',
        networkOptions: { disableLinkPreview: true },
      },
      requests: [`POST /bot${TOKEN}/editMessageText`],
      changedState: { text: 'New', link_preview_options: { is_disabled: true } },
    },
    {
      name: 'the caption of a photo with markup',
      changed: ['text'],
      post: { type: 'photo', text: '*Sale*', networkOptions: { parseMode: 'MarkdownV2' } },
      requests: [`POST /bot${TOKEN}/editMessageCaption`],
      changedState: { caption: '*Sale*', parse_mode: 'MarkdownV2' },
    },
    {
      name: 'the caption of a photo',
      changed: ['text'],
      post: { type: 'photo', text: '' },
      requests: [`POST /bot${TOKEN}/editMessageCaption`],
      changedState: { caption: '' },
    },
  ],
  publication: telegramPublication(TOKEN),
  // The token is part of the path: an unknown path is an invalid token.
  unknownPathCode: 'NETWORK_REAUTHORIZATION_NEEDED',
  errorBody: (status, message) => ({ ok: false, error_code: status, description: message }),
  async start() {
    const state = { text: 'Old', caption: 'Old' };
    const published: PublishedMessage[] = [];
    return {
      ...(await startTelegram(state, published)),
      state: () => ({ ...state, published }),
    };
  },
  adapter: (http, url) => createTelegram(reaching(http, url)),
  credentials: () => ({ botToken: TOKEN, chatId: CHAT }),
};
