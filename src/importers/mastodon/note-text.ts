import { Parser } from 'htmlparser2';
import { linkText, type NoteLink } from './link-text.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).filter(Boolean));

/** What stands apart from what is around it, by an empty line. */
const PARAGRAPHS = words('p blockquote pre ul ol table h1 h2 h3 h4 h5 h6');
/** What only has a line of its own. */
const LINES = words('div li tr dt dd');
const UNSEEN = words('script style template');
/** The paragraph for programs that cannot show a quoted post: an address that the author did not type. */
const QUOTE_FALLBACK = 'quote-inline';

interface NoteHtml {
  readonly html: string;
  /** The names of those who are mentioned, as `@bob@other.example`. */
  readonly mentions: readonly string[];
  /** Whether the post quotes another one: its fallback is then no text of the author's. */
  readonly hasQuote: boolean;
}

/** The text of a post as its author typed it: paragraphs parted by an empty line, links written out, emoji by their codes. */
export function noteText(note: NoteHtml): string {
  return new NoteReader(note).text;
}

class NoteReader {
  private readonly lines: string[] = [];
  private line = '';
  /** Empty lines before the next line that has text. */
  private gap = 0;
  private link: NoteLink | null = null;
  /** Open elements from the one on that is left out. */
  private leftOut = 0;

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
    const classes = words(`${attributes['class'] ?? ''} ${attributes['rel'] ?? ''}`);
    if (this.leftOut > 0 || UNSEEN.has(name) || (this.note.hasQuote && classes.has(QUOTE_FALLBACK)))
      this.leftOut += 1;
    else if (name === 'a') {
      this.endLink();
      this.link = { href: (attributes['href'] ?? '').trim(), words: classes, text: '' };
    } else if (name === 'img') this.write(attributes['alt'] ?? '');
    else this.break(name);
  }

  private close(name: string): void {
    if (this.leftOut > 0) this.leftOut -= 1;
    else if (name === 'a') this.endLink();
    else if (name !== 'br') this.break(name);
  }

  private write(source: string): void {
    if (this.leftOut > 0) return;
    // A line's end in the source is a blank to the reader, other blanks are as they were typed.
    const text = source.replace(/[ \t\r\f\v]*\n\s*/g, '\n');
    if (this.link !== null) this.link.text += text.replaceAll('\n', ' ');
    else this.line += (this.line === '' ? text.replace(/^\n/, '') : text).replaceAll('\n', ' ');
  }

  private endLink(): void {
    const { link } = this;
    if (link === null) return;
    this.link = null;
    this.line += linkText(link, this.note.mentions);
  }

  private break(name: string): void {
    const isBreak = name === 'br';
    if (!isBreak && !PARAGRAPHS.has(name) && !LINES.has(name)) return;
    const hadText = this.endLine();
    if (PARAGRAPHS.has(name)) this.gap = Math.max(this.gap, 1);
    else if (isBreak && !hadText) this.gap += 1;
  }

  /** Whether there was a line to end. */
  private endLine(): boolean {
    this.endLink();
    const line = this.line.trimEnd();
    this.line = '';
    if (line === '') return false;
    if (this.lines.length > 0) for (; this.gap > 0; this.gap -= 1) this.lines.push('');
    this.gap = 0;
    this.lines.push(line);
    return true;
  }
}
