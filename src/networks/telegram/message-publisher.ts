import { messageTextOf, parseModeOf, type ParseMode } from '../../domain/networks/telegram.js';
import type { Attachment, MediaType } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { FileStream, LivePost } from '../../services/networks/network-ports.js';
import { throwRequestError } from '../http-client/network-response.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { formBody, type UploadBody } from '../http-client/upload-body.js';
import type { PublisherDefinition } from '../publisher.js';

const BASE_URL = 'https://api.telegram.org';

/** A file to upload, with the name that readers see. */
interface Upload extends FileStream {
  readonly name: string;
}
/** Files to upload, by the ID that parameters refer to. */
type Files = ReadonlyMap<string, Upload>;

/** A chat, and the Bot API as the bot that posts there. */
export interface TelegramChat {
  readonly client: NetworkClient;
  readonly chatId: string;
  /** Calls a method of the Bot API, with files to upload. Returns its result. */
  call(method: string, parameters: object, files?: Files): Promise<unknown>;
}

/** The method that sends one file, the parameter for it, and its type in an album. */
const FILE_METHODS: Readonly<
  Record<MediaType, { method: string; parameter: string; albumType: string | null }>
> = {
  photo: { method: 'sendPhoto', parameter: 'photo', albumType: 'photo' },
  video: { method: 'sendVideo', parameter: 'video', albumType: 'video' },
  document: { method: 'sendDocument', parameter: 'document', albumType: 'document' },
  gif: { method: 'sendAnimation', parameter: 'animation', albumType: null },
};

const NO_FILES: Files = new Map();

/** The files of a post that the service keeps: Telegram need not reach its addresses. */
async function readFiles(client: NetworkClient, { media }: Post): Promise<Files> {
  const files = new Map<string, Upload>();
  for (const item of media) {
    const file = await client.openStoredMedia(item);
    const extension = file?.type.split('/')[1] ?? 'bin';
    if (file) files.set(item.id, { ...file, name: item.title ?? `${item.id}.${extension}` });
  }
  return files;
}

/** A form with the parameters, objects as JSON, and the files. */
const toForm = (parameters: object, files: Files): UploadBody =>
  formBody(
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
    [...files].map(([field, file]) => ({ ...file, field })),
  );

/** A call of the Bot API, without the chat. */
interface MessageCall {
  readonly method: string;
  readonly parameters: object;
}

interface LinkPreview {
  readonly link_preview_options?: { readonly url: string } | { readonly is_disabled: true };
}

/** A link post keeps the preview of its link, even if the text contains another URL or none. */
function linkPreview({ type, url, networkOptions }: Post): LinkPreview {
  if (networkOptions?.disableLinkPreview) return { link_preview_options: { is_disabled: true } };
  return type === 'link' && url ? { link_preview_options: { url } } : {};
}

/** How readers see the text of a message without files, when it is sent and when it is edited. */
export const textMessageOf = (post: Post) => ({
  text: messageTextOf(post),
  ...formatOf(post),
  ...linkPreview(post),
});

/** How readers see the caption of a file, when it is sent and when it is edited. */
export const captionOf = (post: Post) => ({ caption: messageTextOf(post), ...formatOf(post) });

/** Telegram does not keep the markup: an edit without it shows the marks themselves. */
function formatOf(post: Post): { parse_mode?: ParseMode } {
  const mode = parseModeOf(post);
  return mode ? { parse_mode: mode } : {};
}

/**
 * Where Telegram gets a file: from the request, if the service keeps it, or else from its public
 * address.
 */
const sourceOf = ({ id, url }: Attachment, files: Files): string =>
  files.has(id) ? `attach://${id}` : url;

function albumItem(post: Post, files: Files, [index, item]: [number, Attachment]): object {
  const { albumType } = FILE_METHODS[item.type];
  if (albumType === null)
    throwRequestError('NETWORK_REFUSED', 'Telegram does not accept animations in albums.');
  // The caption of an album is the one of its first item.
  const caption = index === 0 && post.text !== '' ? captionOf(post) : {};
  return { type: albumType, media: sourceOf(item, files), ...caption };
}

/** The one call that sends the post. */
function toCall(post: Post, files: Files): MessageCall {
  const silent = post.networkOptions?.disableNotification ? { disable_notification: true } : {};
  const [first, ...others] = post.media;
  if (!first) return { method: 'sendMessage', parameters: { ...textMessageOf(post), ...silent } };
  if (others.length > 0)
    return {
      method: 'sendMediaGroup',
      parameters: {
        media: [...post.media.entries()].map((item) => albumItem(post, files, item)),
        ...silent,
      },
    };
  const { method, parameter } = FILE_METHODS[first.type];
  const caption = post.text === '' ? {} : captionOf(post);
  return { method, parameters: { [parameter]: sourceOf(first, files), ...caption, ...silent } };
}

/** Private chats and groups have IDs with this prefix, which addresses of messages omit. */
const CHANNEL_PREFIX = /^-100/;

function toLivePost({ client }: TelegramChat, result: unknown): LivePost {
  const messages: readonly unknown[] = Array.isArray(result) ? result : [result];
  const ids = messages.map(
    (message) => numberAt(message, 'message_id') ?? client.throwMissing('message ID'),
  );
  const user = textAt(messages[0], 'chat', 'username');
  const chat = String(valueAt(messages[0], 'chat', 'id') ?? '');
  const path = user ?? (CHANNEL_PREFIX.test(chat) ? `c/${chat.replace(CHANNEL_PREFIX, '')}` : null);
  return {
    kind: 'live',
    remoteId: ids.join(','),
    url: path === null ? null : `https://t.me/${path}/${ids[0]}`,
  };
}

/** The messages of a post: several for an album. */
export const messageIdsOf = (remoteId: string): number[] => remoteId.split(',').map(Number);

/**
 * Publishes messages. A bot cannot read what is in a chat: after a call without a response it stays
 * unknown whether the message is there.
 */
export const MESSAGE_PUBLISHER: PublisherDefinition<'botToken' | 'chatId', TelegramChat> = {
  connect: async (client, { botToken, chatId }) => ({
    client,
    chatId,
    call: async (method, parameters, files = NO_FILES) => {
      const sent = { chat_id: chatId, ...parameters };
      const url = `${BASE_URL}/bot${botToken}/${method}`;
      const options = files.size === 0 ? { json: sent } : { body: toForm(sent, files) };
      return valueAt(await client.request('POST', url, options), 'result');
    },
  }),
  async prepare(_chat, { post }) {
    return { method: toCall(post, NO_FILES).method };
  },
  async publish(chat, { post }) {
    const files = await readFiles(chat.client, post);
    const { method, parameters } = toCall(post, files);
    return toLivePost(chat, await chat.call(method, parameters, files));
  },
  look: async () => ({ kind: 'cannot_tell' }),
  async remove(chat, remoteId) {
    const [id, ...others] = messageIdsOf(remoteId);
    await (others.length === 0
      ? chat.call('deleteMessage', { message_id: id })
      : chat.call('deleteMessages', { message_ids: [id, ...others] }));
  },
};
