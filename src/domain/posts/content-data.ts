import type { ContentBlock, ContentBlockType } from './post-content.js';

/** What a key of a block holds. */
type DataKind = 'text' | 'flag' | 'items' | 'rows' | 'file';

/**
 * The keys of the data of each type of block that an article shows; the names of Editor.js are
 * taken, too. The schema and the reference pages describe the data with them.
 */
export const CONTENT_DATA = {
  paragraph: { text: 'text' },
  header: { text: 'text', level: 'text' },
  list: { style: 'text', items: 'items' },
  media: { url: 'text', file: 'file', type: 'text', alt: 'text', caption: 'text', link: 'text' },
  table: {
    rows: 'rows',
    content: 'rows',
    header: 'flag',
    withHeadings: 'flag',
    footer: 'flag',
    caption: 'text',
  },
  delimiter: { mark: 'text' },
  code: { code: 'text' },
  html: { html: 'text' },
  quote: { text: 'text', caption: 'text' },
} as const satisfies Record<ContentBlockType, Readonly<Record<string, DataKind>>>;

/** Keys about the look in an editor, which articles do without. */
const LOOK: ReadonlySet<string> = new Set([
  'alignment',
  'align',
  'anchor',
  'id',
  'language',
  'meta',
  'start',
  'stretched',
  'tunes',
  'withBackground',
  'withBorder',
]);

/** Elements that show content, and that no blog gets. Scripts are removed without a word. */
const REMOVED_ELEMENT = /<(iframe|frame|object|embed|applet)[\s/>]/i;

type Path = readonly (string | number)[];
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
/** Whether a value of an unknown key has a text that readers would miss. */
const holdsText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.trim() !== ''
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsText);
const problem = (path: Path, message: string): string => `${path.join('.')} ${message}`;

function textProblem(value: unknown, path: Path): string | null {
  if (typeof value === 'number') return null;
  if (typeof value !== 'string') return problem(path, 'would be lost: it must be a text.');
  const element = path.at(-1) === 'code' ? null : REMOVED_ELEMENT.exec(value);
  return element
    ? problem(
        path,
        `contains <${element[1]!.toLowerCase()}>, which would be lost: articles cannot have it. Use a link or a media block.`,
      )
    : null;
}

const first = <T>(values: readonly T[], check: (value: T, index: number) => string | null) => {
  for (const [index, value] of values.entries()) {
    const found = check(value, index);
    if (found !== null) return found;
  }
  return null;
};

/** An item is a text, or a text with more items; a checklist has `checked`. */
function itemProblem(item: unknown, path: Path): string | null {
  if (!isObject(item)) return textProblem(item, path);
  return first(Object.entries(item), ([key, value]) => {
    const place = [...path, key];
    if (isEmpty(value) || LOOK.has(key) || key === 'style' || key === 'checked') return null;
    if (key === 'text' || key === 'content') return textProblem(value, place);
    if (key === 'items') return CHECKS.items(value, place);
    return holdsText(value)
      ? problem(place, 'would be lost. An item can have text, style and items.')
      : null;
  });
}

const listProblem = (
  value: unknown,
  path: Path,
  check: (entry: unknown, path: Path) => string | null,
): string | null =>
  Array.isArray(value)
    ? first(value, (entry: unknown, index) => check(entry, [...path, index]))
    : problem(path, 'would be lost: it must be a list.');

const CHECKS: Readonly<Record<DataKind, (value: unknown, path: Path) => string | null>> = {
  text: textProblem,
  flag: (value, path) =>
    value === true ? null : problem(path, 'would be lost: it must be true or false.'),
  items: (value, path) => listProblem(value, path, itemProblem),
  rows: (value, path) =>
    listProblem(value, path, (row, place) => listProblem(row, place, textProblem)),
  file: (value, path) =>
    isObject(value) ? null : problem(path, 'would be lost: it must be an object with a url.'),
};

function blockProblem({ type, data }: ContentBlock, index: number): string | null {
  const keys: Readonly<Record<string, DataKind>> = CONTENT_DATA[type];
  return first(Object.entries(isObject(data) ? data : {}), ([key, value]) => {
    if (isEmpty(value) || LOOK.has(key)) return null;
    const path = ['content', index, 'data', key];
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (kind) return CHECKS[kind](value, path);
    if (!holdsText(value)) return null;
    return problem(
      path,
      `would be lost. A ${type} block can have ${Object.keys(keys).join(', ')}.`,
    );
  });
}

/**
 * What an article would not show of its blocks, in one sentence that names the data; null if it
 * shows everything. `isKnown`: whether the post has the block already, which is not checked again.
 */
export const lostContent = (
  blocks: readonly ContentBlock[],
  isKnown: (block: ContentBlock) => boolean,
): string | null =>
  first(blocks, (block, index) => (isKnown(block) ? null : blockProblem(block, index)));

const INLINE_TAG =
  /<\/?(?:a|abbr|b|code|del|em|i|ins|mark|s|small|span|strong|sub|sup|u)\b[^<>]*>/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi;

/** The words of HTML, without its markup. */
const wordsOfHtml = (html: string): string =>
  html
    .replace(INLINE_TAG, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
    });

/** Keys whose values readers do not see as text. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  ...LOOK,
  'url',
  'file',
  'type',
  'link',
  'style',
  'mark',
  'level',
]);

function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield wordsOfHtml(value);
  else if (Array.isArray(value)) for (const entry of value) yield* textsIn(entry);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      if (!NOT_SHOWN.has(key)) yield* textsIn(inner);
}

/** The texts of an article, as readers see them. */
export const contentTexts = (blocks: readonly ContentBlock[]): string[] =>
  blocks.flatMap(({ data }) => [...textsIn(data)]).filter((text) => text.trim() !== '');
