import { anAttachment } from '../../fixtures/posts.js';
import type { PublicationCase } from './publication-case.js';
import {
  boolean,
  exactly,
  listOf,
  matching,
  text,
  type Check,
  type Schema,
} from './request-schema.js';
import type { Reply, Route } from './stand-in.js';

/** A message that was published: the method, and its parameters without the chat. */
export interface PublishedMessage {
  readonly ids: readonly number[];
  readonly method: string;
  readonly sent: Record<string, unknown>;
}

const FIRST_ID = 43;
const httpsUrl = matching(/^https:\/\//);
const format: Schema = {
  'parse_mode?': matching(/^(HTML|Markdown|MarkdownV2)$/),
  'disable_notification?': boolean,
};
const file = (parameter: string): Schema => ({
  [parameter]: httpsUrl,
  'caption?': text,
  ...format,
});
const between =
  (minimum: number, maximum: number, item: Schema): Check =>
  (value) =>
    Array.isArray(value) && value.length >= minimum && value.length <= maximum
      ? listOf(item)(value)
      : `does not have ${minimum} to ${maximum} items`;
/** The preview of a link in a message: that of another one, or none. */
export const linkPreview: Schema = { 'url?': httpsUrl, 'is_disabled?': boolean };
/** The methods that send messages, with their documented parameters. */
const METHODS: Readonly<Record<string, Schema>> = {
  sendMessage: { text: matching(/[^]/), 'link_preview_options?': linkPreview, ...format },
  sendPhoto: file('photo'),
  sendVideo: file('video'),
  sendAnimation: file('animation'),
  sendDocument: file('document'),
  sendMediaGroup: {
    media: between(2, 10, {
      type: matching(/^(photo|video|document)$/),
      media: httpsUrl,
      'caption?': text,
      'parse_mode?': text,
    }),
    'disable_notification?': boolean,
  },
};

/** The routes that send and delete messages. */
export function publicationRoutes(
  published: PublishedMessage[],
  call: (name: string, json: Schema, answer: (sent: any) => Reply) => Route,
  chatId: string,
): Route[] {
  const sent: Schema = { chat_id: exactly(chatId) };
  let nextId = FIRST_ID;
  const ok = (result: unknown): Reply => ({ status: 200, json: { ok: true, result } });
  return [
    ...Object.entries(METHODS).map(([method, parameters]) =>
      call(method, { ...sent, ...parameters }, ({ chat_id: _chat, ...body }) => {
        const count = method === 'sendMediaGroup' ? body.media.length : 1;
        const ids = Array.from({ length: count }, () => nextId++);
        published.push({ ids, method, sent: body });
        const messages = ids.map((id) => ({
          message_id: id,
          date: 1,
          chat: { id: -1001234, type: 'channel', username: 'kiosk' },
        }));
        return ok(method === 'sendMediaGroup' ? messages : messages[0]);
      }),
    ),
    call(
      'deleteMessage',
      { ...sent, message_id: (value) => (Number.isInteger(value) ? null : 'is not an ID') },
      ({ message_id: id }) => {
        const index = published.findIndex(({ ids }) => ids.includes(id));
        if (index === -1)
          return {
            status: 400,
            json: {
              ok: false,
              error_code: 400,
              description: 'Bad Request: message to delete not found',
            },
          };
        published.splice(index, 1);
        return ok(true);
      },
    ),
    // skips messages that are not there
    call(
      'deleteMessages',
      {
        ...sent,
        message_ids: listOf((value) => (Number.isInteger(value) ? null : 'is not an ID')),
      },
      ({ message_ids: ids }) => {
        const kept = published.filter((message) => !message.ids.every((id) => ids.includes(id)));
        published.splice(0, published.length, ...kept);
        return ok(true);
      },
    ),
  ];
}

/** `token`: of the bot, a part of the path. */
export const telegramPublication = (token: string): PublicationCase => {
  const request = (method: string): string[] => [`POST /bot${token}/${method}`];
  const aFile = (type: 'photo' | 'video' | 'gif' | 'document', name: string) =>
    anAttachment({ type, url: `https://files.example/${name}` });
  return {
    guarantee: 'cannot_tell',
    live: { remoteId: String(FIRST_ID), url: `https://t.me/kiosk/${FIRST_ID}` },
    cases: [
      {
        name: 'a text',
        post: () => ({ type: 'status', text: 'Beans' }),
        requests: request('sendMessage'),
        published: { text: 'Beans' },
      },
      {
        name: 'a text in a format, without a sound',
        post: () => ({
          type: 'status',
          text: '<b>Beans</b>',
          networkOptions: { parseMode: 'HTML', disableNotification: true },
        }),
        requests: request('sendMessage'),
        published: { text: '<b>Beans</b>', parse_mode: 'HTML', disable_notification: true },
      },
      {
        name: 'a text without the preview of its link',
        post: () => ({
          type: 'status',
          text: 'See https://kiosk.example/a',
          networkOptions: { disableLinkPreview: true },
        }),
        requests: request('sendMessage'),
        published: {
          text: 'See https://kiosk.example/a',
          link_preview_options: { is_disabled: true },
        },
      },
      {
        name: 'a link without a text, with its preview',
        post: () => ({ type: 'link', text: '', url: 'https://kiosk.example/a' }),
        requests: request('sendMessage'),
        published: {
          text: 'https://kiosk.example/a',
          link_preview_options: { url: 'https://kiosk.example/a' },
        },
      },
      {
        name: 'a picture with a caption, which Telegram fetches',
        post: () => ({ type: 'photo', text: 'Beans', media: [aFile('photo', 'a.jpg')] }),
        requests: request('sendPhoto'),
        published: { photo: 'https://files.example/a.jpg', caption: 'Beans' },
      },
      {
        name: 'a video',
        post: () => ({ type: 'video', text: '', media: [aFile('video', 'a.mp4')] }),
        requests: request('sendVideo'),
        published: { video: 'https://files.example/a.mp4' },
      },
      {
        name: 'an animation',
        post: () => ({ type: 'gif', text: '', media: [aFile('gif', 'a.gif')] }),
        requests: request('sendAnimation'),
        published: { animation: 'https://files.example/a.gif' },
      },
      {
        name: 'a document',
        post: () => ({ type: 'document', text: 'Menu', media: [aFile('document', 'a.pdf')] }),
        requests: request('sendDocument'),
        published: { document: 'https://files.example/a.pdf', caption: 'Menu' },
      },
      {
        name: 'an album, with the caption at its first item',
        post: () => ({
          type: 'carousel',
          text: 'Beans',
          media: [aFile('photo', 'a.jpg'), aFile('video', 'b.mp4')],
        }),
        requests: request('sendMediaGroup'),
        published: {
          media: [
            { type: 'photo', media: 'https://files.example/a.jpg', caption: 'Beans' },
            { type: 'video', media: 'https://files.example/b.mp4' },
          ],
        },
      },
    ],
    published: (state) =>
      (state as { published: PublishedMessage[] }).published.map(({ sent }) => sent),
  };
};
