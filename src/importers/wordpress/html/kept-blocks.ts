import { readBlockDelimiters } from '../../../domain/posts/content-html.js';

/** A part of the source. */
export interface SourceRange {
  /** Index of the first character. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
}
/** A block that is kept as it is; `content` is the part that becomes an `html` block. */
export interface KeptBlock extends SourceRange {
  readonly content: SourceRange;
}

/** Blocks that only arrange others: what they contain is read as if they were absent. */
const LAYOUT_BLOCKS: ReadonlySet<string> = new Set([
  'group',
  'columns',
  'column',
  'cover',
  'media-text',
]);
/** Blocks whose HTML has a meaning only together with their delimiters. */
const INSEPARABLE_BLOCKS: ReadonlySet<string> = new Set(['embed', 'details', 'audio', 'file']);
/** Custom HTML: its content without the delimiters is the same HTML. */
const HTML_BLOCK = 'html';

/** Blocks of plugins; the plugin may create their HTML from the attributes. */
const isPluginBlock = (name: string): boolean => name.includes('/');

/**
 * Finds the blocks that no content block can represent: those that the blog creates for each reader
 * (latest posts, navigation, social links), those that contain such a block, and those of plugins.
 * They are kept with their delimiters, so that an edit of the content returns them to the blog.
 */
export function findKeptBlocks(html: string): KeptBlock[] {
  const kept: KeptBlock[] = [];
  const open: { name: string; start: number; contentStart: number; keptBefore: number }[] = [];
  for (const { kind, name, start, end } of readBlockDelimiters(html)) {
    if (kind === 'whole') kept.push({ start, end, content: { start, end } });
    else if (kind === 'start')
      open.push({ name, start, contentStart: end, keptBefore: kept.length });
    else {
      // Like WordPress, an end delimiter ends the innermost block, regardless of its name.
      const block = open.pop();
      if (block === undefined) continue;
      const isHtml = block.name === HTML_BLOCK;
      const containsKept = kept.length > block.keptBefore && !LAYOUT_BLOCKS.has(block.name);
      if (!isHtml && !containsKept && !isInseparable(block.name)) continue;
      kept.length = block.keptBefore;
      kept.push({
        start: block.start,
        end,
        content: isHtml ? { start: block.contentStart, end: start } : { start: block.start, end },
      });
    }
  }
  return kept;
}

const isInseparable = (name: string): boolean =>
  INSEPARABLE_BLOCKS.has(name) || isPluginBlock(name);
