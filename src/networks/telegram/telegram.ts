import { telegram } from '../../domain/networks/telegram.js';
import type { Post } from '../../domain/posts/post.js';
import type { AccountType } from '../../domain/networks/network-definition.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { type NetworkResponse, throwRequestError } from '../http-client/network-response.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { HttpClient } from '../http-client/http-client.js';
import { captionOf, MESSAGE_PUBLISHER, messageIdsOf, textMessageOf } from './message-publisher.js';

/** Telegram reports nearly every error as 400 with one of these descriptions. */
const FAILURE_CODES: readonly (readonly [RegExp, NetworkFailureCode | 'ok'])[] = [
  // The message already has this text, for example because the edit is repeated.
  [/message is not modified/i, 'ok'],
  [/message to delete not found/i, 'ok'],
  [/message to edit not found|MESSAGE_ID_INVALID/i, 'NETWORK_POST_DELETED'],
  [
    /chat not found|can't be (edited|deleted)|not enough rights|ADMIN(ISTRATOR)?_REQUIRED|need administrator rights/i,
    'NETWORK_FORBIDDEN',
  ],
];

function failureCode({ status, json }: NetworkResponse): NetworkFailureCode | 'ok' | null {
  // The token is part of the path: an invalid token is an unknown path.
  if (status === 404 && numberAt(json, 'error_code') === 404)
    return 'NETWORK_REAUTHORIZATION_NEEDED';
  const description = status === 400 ? (textAt(json, 'description') ?? '') : '';
  return FAILURE_CODES.find(([pattern]) => pattern.test(description))?.[1] ?? null;
}

const CHAT_TYPES: Readonly<Record<string, AccountType>> = {
  channel: 'channel',
  group: 'group',
  supergroup: 'group',
};

/**
 * Telegram channels and groups: editMessageText for status and link posts, editMessageCaption for
 * all others.
 */
export function createTelegram(http: HttpClient): NetworkAdapter {
  const createApi = async (client: NetworkClient, token: string) => {
    const { Api, GrammyError } = await import('grammy');
    return {
      api: new Api(token, { fetch: client.fetch as never, timeoutSeconds: 60 }),
      GrammyError,
    };
  };
  return createAdapter(http, telegram, {
    errors: {
      errorMessage: (json) => textAt(json, 'description'),
      failureCode,
      retryAfterSeconds: ({ json }) => numberAt(json, 'parameters', 'retry_after'),
    },
    async edit(client, { remoteId, post }, { botToken, chatId }) {
      const { api, GrammyError } = await createApi(client, botToken);
      const messageId = messageIdsOf(remoteId)[0]!;
      const { text, ...options } = textMessageOf(post);
      const edited = isTextMessage(post)
        ? api.editMessageText(chatId, messageId, text, options)
        : api.editMessageCaption(chatId, messageId, captionOf(post));
      // grammy throws for a response that failureCode maps to `ok`: that is a success.
      await edited.catch((error: unknown) => {
        if (!(error instanceof GrammyError)) throw error;
      });
    },
    async check(client, { botToken, chatId }) {
      const { api } = await createApi(client, botToken);
      const chat = await api.getChat(chatId);
      const type = CHAT_TYPES[chat?.type];
      if (!type)
        throwRequestError('NETWORK_REFUSED', `${chatId} is not a Telegram channel or group.`);
      return { socialId: String(chat.id), name: chat.title ?? chatId, type, picture: null };
    },
    publisher: MESSAGE_PUBLISHER,
  });
}

const isTextMessage = ({ type }: Post): boolean => type === 'status' || type === 'link';
