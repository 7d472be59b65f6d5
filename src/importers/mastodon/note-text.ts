import { Parser } from 'htmlparser2';
import { parseUrl } from '../../domain/input/urls.js';
import { isWebUrl } from '../export-file.js';

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** Elements separated from their surroundings by an empty line. */
const PARAGRAPH_ELEMENTS = toSet('p blockquote pre ul ol table h1 h2 h3 h4 h5 h6');
/** Elements that start and end a line. */
const LINE_ELEMENTS = toSet('div li tr dt dd');
const HIDDEN_ELEMENTS = toSet('script style template');
/**
 * Class of the paragraph for clients that cannot show a quoted post; it contains a URL that the
 * author did not type.
 */
const QUOTE_FALLBACK_CLASS = 'quote-inline';

interface NoteHtml {
  readonly html: string;
  /** Names of mentioned accounts, such as `@bob@other.example`. */
  readonly mentions: readonly string[];
  /** Whether the post quotes another post; if so, the fallback paragraph is omitted. */
  readonly hasQuote: boolean;
}

/**
 * The text of a post as its author typed it: paragraphs separated by an empty line, full URLs,
 * emoji as shortcodes.
 */
export function toNoteText(note: NoteHtml): string {
  return new NoteTextBuilder(note).text;
}

class NoteTextBuilder {
  private readonly lines: string[] = [];
  private line = '';
  /** Empty lines to write before the next line with text. */
  private blankLines = 0;
  private link: NoteLink | null = null;
  /** Number of open elements from the outermost hidden element on. */
  private hiddenDepth = 0;

  constructor(private readonly note: NoteHtml) {
    const parser = new Parser({
      onopentag: (name, attributes) => this.open(name, attributes),
      ontext: (text) => this.write(text),
      onclosetag: (name) => this.close(name),
    });
    parser.end(note.html);
    this.endLine();
  }

  get text(): string {
    return this.lines.join('\n');
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    const classes = toSet(`${attributes['class'] ?? ''} ${attributes['rel'] ?? ''}`);
    if (
      this.hiddenDepth > 0 ||
      HIDDEN_ELEMENTS.has(name) ||
      (this.note.hasQuote && classes.has(QUOTE_FALLBACK_CLASS))
    )
      this.hiddenDepth += 1;
    else if (name === 'a') {
      this.endLink();
      this.link = { href: (attributes['href'] ?? '').trim(), classes, text: '' };
    } else if (name === 'img') this.write(attributes['alt'] ?? '');
    else this.break(name);
  }

  private close(name: string): void {
    if (this.hiddenDepth > 0) this.hiddenDepth -= 1;
    else if (name === 'a') this.endLink();
    else if (name !== 'br') this.break(name);
  }

  private write(source: string): void {
    if (this.hiddenDepth > 0) return;
    // A browser shows a line break of the source as a space; other spaces are kept as typed.
    const text = source.replace(/[ \t\r\f\v]*\n\s*/g, '\n');
    if (this.link !== null) this.link.text += text.replaceAll('\n', ' ');
    else this.line += (this.line === '' ? text.replace(/^\n/, '') : text).replaceAll('\n', ' ');
  }

  private endLink(): void {
    const { link } = this;
    if (link === null) return;
    this.link = null;
    this.line += toLinkText(link, this.note.mentions);
  }

  private break(name: string): void {
    const isBreak = name === 'br';
    if (!isBreak && !PARAGRAPH_ELEMENTS.has(name) && !LINE_ELEMENTS.has(name)) return;
    const hadText = this.endLine(isBreak);
    if (PARAGRAPH_ELEMENTS.has(name)) this.blankLines = Math.max(this.blankLines, 1);
    else if (isBreak && !hadText) this.blankLines += 1;
  }

  /**
   * Writes the current line. Returns whether it had text. Spaces before a line break were typed;
   * spaces before other ends of a line belong to the markup.
   */
  private endLine(keepsSpaces = false): boolean {
    this.endLink();
    const text = this.line.trimEnd();
    const line = keepsSpaces ? this.line : text;
    this.line = '';
    if (text === '') return false;
    if (this.lines.length > 0)
      for (; this.blankLines > 0; this.blankLines -= 1) this.lines.push('');
    this.blankLines = 0;
    this.lines.push(line);
    return true;
  }
}

/** A link in the HTML of a post. */
interface NoteLink {
  readonly href: string;
  /** The values of its `class` and `rel` attributes. */
  readonly classes: ReadonlySet<string>;
  /** Its text, including parts hidden by CSS. */
  text: string;
}

/**
 * Converts a link to plain text: its full URL; for a mention or a hashtag, the name as a user types
 * it.
 */
function toLinkText({ href, classes, text }: NoteLink, mentions: readonly string[]): string {
  const label = text.trim();
  if (classes.has('hashtag') || classes.has('tag')) return label;
  if (classes.has('mention')) return toFullMention(label, mentions);
  if (!isWebUrl(href)) return label;
  return label === '' || isSameUrl(label, href) ? href : `${label} (${href})`;
}

/**
 * Adds the server to a mention, from the post's list of mentions. Posts display mentions without
 * it; if the text is sent again, the short name would refer to a different account or to none.
 */
function toFullMention(label: string, mentions: readonly string[]): string {
  const name = label.toLowerCase();
  if (mentions.some((mention) => mention.toLowerCase() === name)) return label;
  const [full, ...others] = mentions.filter((mention) =>
    mention.toLowerCase().startsWith(`${name}@`),
  );
  return full !== undefined && others.length === 0 ? full : label;
}

/**
 * Whether a text is the link's URL, possibly shortened with an ellipsis, without its scheme, or
 * encoded differently.
 */
function isSameUrl(label: string, href: string): boolean {
  const prefix = label.replace(/(?:…|\.{3})$/, '');
  if (prefix !== label) return withoutScheme(href).startsWith(withoutScheme(prefix));
  const url = isWebUrl(label) ? label : `https://${label}`;
  return withoutScheme(normalizeUrl(url)) === withoutScheme(normalizeUrl(href));
}

const withoutScheme = (url: string): string =>
  url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');

/** With host and percent-encoding in normal form. */
const normalizeUrl = (url: string): string => parseUrl(url)?.href ?? url;
