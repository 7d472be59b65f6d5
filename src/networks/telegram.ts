import { linkOf, type Post } from '../domain/posts/post.js';
import type { AccountType } from '../domain/networks/networks.js';
import type { NetworkFailureCode } from '../domain/networks/network-failures.js';
import type { NetworkAdapter } from '../services/networks/network-ports.js';
import { createAdapter } from './adapter.js';
import type { Answer } from './http-client/answer.js';
import { stop } from './http-client/failure.js';
import { numberAt, textAt } from './http-client/json-path.js';
import type { Line } from './http-client/network-client.js';
import type { Web } from './http-client/web.js';

const ROOT = 'https://api.telegram.org';

/** Telegram says nearly everything with 400 and these words. */
const MEANINGS: readonly (readonly [RegExp, NetworkFailureCode | 'fine'])[] = [
  // It is there already, as when an edit is made again.
  [/message is not modified/i, 'fine'],
  [/message to edit not found|MESSAGE_ID_INVALID/i, 'NETWORK_POST_DELETED'],
  [
    /chat not found|can't be edited|not enough rights|ADMIN(ISTRATOR)?_REQUIRED|need administrator rights/i,
    'NETWORK_FORBIDDEN',
  ],
];

function exception({ status, json }: Answer): NetworkFailureCode | 'fine' | null {
  // A token that nobody has is an unknown path.
  if (status === 404 && numberAt(json, 'error_code') === 404)
    return 'NETWORK_REAUTHORIZATION_NEEDED';
  const words = status === 400 ? (textAt(json, 'description') ?? '') : '';
  return MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

const CHAT_TYPES: Readonly<Record<string, AccountType>> = {
  channel: 'channel',
  group: 'group',
  supergroup: 'group',
};

/** The messaging network: editMessageText for status and link posts, editMessageCaption for the others. */
export function createTelegram(web: Web, root: string = ROOT): NetworkAdapter {
  const clientFor = async (line: Line, token: string) => {
    const { Api, GrammyError } = await import('grammy');
    return {
      api: new Api(token, { apiRoot: root, fetch: line.fetch as never, timeoutSeconds: 60 }),
      GrammyError,
    };
  };
  return createAdapter(web, {
    dialect: {
      name: 'Telegram',
      words: (json) => textAt(json, 'description'),
      exception,
      pauseSeconds: (json) => numberAt(json, 'parameters', 'retry_after'),
    },
    verified: false,
    note: 'The text of status and link posts, the caption of the others; on a carousel that of its first item.',
    credentials: {
      botToken: {
        meaning: 'The token of a bot that may edit messages in the chat, from @BotFather.',
        secret: true,
      },
      chatId: {
        meaning: 'The channel or group: @name, or its number as -1001234567890.',
        secret: false,
      },
    },
    remoteId: /^[1-9]\d{0,15}$/,
    async edit(line, { remoteId, post }, { botToken, chatId }) {
      const { api, GrammyError } = await clientFor(line, botToken);
      const message = Number(remoteId);
      const done = isText(post)
        ? api.editMessageText(chatId, message, post.text, preview(post))
        : api.editMessageCaption(chatId, message, { caption: post.text });
      // What the table calls fine comes back as the client's own error.
      await done.catch((error: unknown) => {
        if (!(error instanceof GrammyError)) throw error;
      });
    },
    async check(line, { botToken, chatId }) {
      const { api } = await clientFor(line, botToken);
      const chat = await api.getChat(chatId);
      const type = CHAT_TYPES[chat?.type];
      if (!type)
        stop('NETWORK_REFUSED', `Telegram says that ${chatId} is neither a channel nor a group.`);
      return { socialId: String(chat.id), name: chat.title ?? chatId, type, picture: null };
    },
  });
}

const isText = ({ type }: Post): boolean => type === 'status' || type === 'link';

/** A link post keeps the preview of its own link, whatever other addresses its text names. */
function preview(post: Post): { link_preview_options?: { url: string } } {
  const url = post.type === 'link' ? linkOf(post)?.url : undefined;
  return url ? { link_preview_options: { url } } : {};
}
