import { MEGABYTE } from '../media/media-content.js';
import { MEDIA_TYPES } from '../posts/post-content.js';
import {
  dailyCap,
  LABELS,
  mediaLimits,
  onNetwork,
  optionValues,
  textLimit,
  type NetworkDefinition,
  type PostContent,
} from './network-definition.js';

/** The kinds of markup that the Bot API has. */
export const PARSE_MODES = ['HTML', 'Markdown', 'MarkdownV2'] as const;
export type ParseMode = (typeof PARSE_MODES)[number];

/** Named entities of the Bot API; it has no others. */
const NAMED_ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const decodeEntity = (entity: string, code: string): string => {
  const named = NAMED_ENTITIES[code];
  if (named !== undefined) return named;
  const number = code.startsWith('#x') ? parseInt(code.slice(2), 16) : parseInt(code.slice(1), 10);
  return number > 0 && number <= 0x10_ff_ff ? String.fromCodePoint(number) : entity;
};

/** $1 block of code, $2 code, $3 escaped character, $4 text of a link; other matches are marks. */
const MARKDOWN =
  /```(?:[^\s`]+\n)?([^]*?)```|`([^`]*)`|\\([_*`[])|\[([^\][]*)\]\([^)]{0,2048}\)|[*_]/g;
const MARKDOWN_V2 =
  /```(?:[^\s`]+\n)?((?:\\[^]|[^\\`])*)```|`((?:\\[^]|[^\\`])*)`|\\([^])|!?\[((?:\\[^]|[^\\\][])*)\]\((?:\\[^]|[^\\)]){0,2048}\)|\|\||[*_~]|^>/gm;
const unescape = (text: string): string => text.replace(/\\([^])/g, '$1');

/** The text that readers see, by the markup of a message. */
const VISIBLE_TEXT: Readonly<Record<ParseMode, (text: string) => string>> = {
  HTML: (text) =>
    text
      .replace(/<[^<>]*>/g, '')
      .replace(/&(#\d{1,7}|#x[0-9a-fA-F]{1,6}|lt|gt|amp|quot);/g, decodeEntity),
  Markdown: (text) =>
    text.replace(
      MARKDOWN,
      (_mark, block?: string, code?: string, escaped?: string, link?: string) =>
        block ?? code ?? escaped ?? link ?? '',
    ),
  MarkdownV2: (text) =>
    text.replace(
      MARKDOWN_V2,
      (_mark, block?: string, code?: string, escaped?: string, link?: string) => {
        if (link !== undefined) return VISIBLE_TEXT.MarkdownV2(link);
        const verbatim = block ?? code;
        return verbatim === undefined ? (escaped ?? '') : unescape(verbatim);
      },
    ),
};

/** The markup of a message; null if its text is plain. */
export const parseModeOf = ({ networkOptions }: PostContent): ParseMode | null =>
  PARSE_MODES.find((mode) => mode === networkOptions?.parseMode) ?? null;

/** The text of a message, with its markup: that of a link post without a text is the link. */
export const messageTextOf = ({ type, text, url }: PostContent): string =>
  type === 'link' && text === '' ? (url ?? '') : text;

/** The text of a message, or of a caption, after Telegram has read its markup. */
function visibleText(post: PostContent): string {
  const mode = parseModeOf(post);
  const text = messageTextOf(post);
  return (mode === null ? text : VISIBLE_TEXT[mode](text)).trim();
}

const POST_TYPES = ['status', 'link', 'photo', 'gif', 'video', 'document', 'carousel'] as const;

export const telegram = {
  name: 'Telegram',
  description: 'Telegram, a messaging network.',
  source: 'D1',
  kind: { key: 'messaging', description: 'Messaging network.', source: 'Update post' },
  accountTypes: ['channel', 'group'],
  postTypes: POST_TYPES,
  values: [
    optionValues('parseMode', PARSE_MODES),
    {
      path: ['media'],
      isMet: ({ media }) =>
        media.every(({ type }) => type !== 'document') ||
        media.every(({ type }) => type === 'document'),
      message: 'must be photos and videos, or documents only: an album cannot have both.',
    },
  ],
  limits: [
    textLimit(4_096, 'utf16', ['status', 'link']),
    textLimit(1_024, 'utf16', ['photo', 'gif', 'video', 'document', 'carousel']),
    ...mediaLimits(10),
  ],
  countedText: (post) => ({ text: visibleText(post), parts: ['text'] }),
  mediaKinds: { status: [], link: [], carousel: ['photo', 'video', 'document'] },
  files: {
    photo: { maxBytes: 10 * MEGABYTE, maxSides: 10_000, maxRatio: 20 },
    gif: { maxBytes: 50 * MEGABYTE },
    video: { maxBytes: 50 * MEGABYTE, formats: ['video/mp4', 'video/quicktime'] },
    document: { maxBytes: 50 * MEGABYTE },
  },
  dailyCaps: [dailyCap('message', [5, 10, 15], 'Messaging network messages')],
  edits: [onNetwork('text'), LABELS],
  editRate: { maxConcurrent: 4, maxPerMinute: 60 },
  publishing: {
    publishes: true,
    unpublishes: true,
    guarantee: 'cannot_tell',
    guaranteeReason: 'Bots cannot read what a chat contains.',
    postTypes: POST_TYPES,
    mediaTypes: MEDIA_TYPES,
  },
  // one message per second in a chat, 20 per minute in a group
  pace: { intervalMs: 3_000, maxConcurrent: 1 },
  postDomains: ['t.me', 'telegram.me'],
  adapter: {
    verified: false,
    note: 'The text of status and link posts, and the caption of other posts (on a carousel, the caption of its first item).',
    credentials: {
      botToken: {
        description:
          'Token of a bot that can post and edit messages in the chat. Create the bot with @BotFather.',
        secret: true,
      },
      chatId: {
        description: 'The @name of the channel or group, or its ID, such as -1001234567890.',
        secret: false,
      },
    },
    // an album consists of several messages
    remoteId: /^[1-9]\d{0,15}(,[1-9]\d{0,15}){0,9}$/,
  },
} as const satisfies NetworkDefinition;
