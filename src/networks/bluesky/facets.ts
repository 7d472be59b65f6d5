/** A part of a text that is a link, a mention or a hashtag. */
export interface TextFeature {
  /** Bytes of the text in UTF-8: the first one, and the one after the last. */
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly kind: 'link' | 'mention' | 'tag';
  /** The URL, the handle without `@`, or the tag without `#`. */
  readonly value: string;
}

/** A facet of a record. */
export interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly Readonly<Record<string, string>>[];
}

const HANDLE_LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Invisible characters that end a tag. */
const INVISIBLE = '\\u00ad\\u2060\\u200a-\\u200d\\u20e2';
const LINK = /(?<=^|[\s(])https?:\/\/[^\s<>"]+/giu;
const MENTION = new RegExp(`(?<=^|[\\s(])@((?:${HANDLE_LABEL}\\.)+${HANDLE_LABEL})`, 'giu');
const TAG = new RegExp(`(?<=^|\\s)[#＃]([^\\s${INVISIBLE}]+)`, 'gu');
const MAX_TAG_CHARACTERS = 64;

const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8');

/** A link without punctuation of the sentence after it. */
function withoutTrailingPunctuation(link: string): string {
  const url = link.replace(/[.,;:!?'*_~]+$/u, '');
  return url.endsWith(')') && !url.includes('(')
    ? withoutTrailingPunctuation(url.slice(0, -1))
    : url;
}

/**
 * Links, mentions and hashtags of a text that has no lone surrogates: in their order, and apart
 * from each other.
 */
export function findFeatures(text: string): TextFeature[] {
  const feature = (
    kind: TextFeature['kind'],
    index: number,
    { shown, value }: { shown: string; value: string },
  ): TextFeature => {
    const byteStart = byteLength(text.slice(0, index));
    return { byteStart, byteEnd: byteStart + byteLength(shown), kind, value };
  };
  const links = [...text.matchAll(LINK)].map((match) => {
    const url = withoutTrailingPunctuation(match[0]);
    return feature('link', match.index, { shown: url, value: url });
  });
  const mentions = [...text.matchAll(MENTION)].map((match) =>
    feature('mention', match.index, { shown: match[0], value: match[1]! }),
  );
  const tags = [...text.matchAll(TAG)].flatMap((match) => {
    const tag = match[1]!.replace(/\p{P}+$/u, '');
    const isTag = /[^\d\p{P}\u{fe0f}]/u.test(tag) && [...tag].length <= MAX_TAG_CHARACTERS;
    return isTag
      ? [feature('tag', match.index, { shown: `${match[0][0]!}${tag}`, value: tag })]
      : [];
  });
  return withoutOverlaps([...links, ...mentions, ...tags]);
}

/** A mention inside of a link is a part of the link: networks reject features that overlap. */
function withoutOverlaps(features: readonly TextFeature[]): TextFeature[] {
  let end = 0;
  return features
    .toSorted((a, b) => a.byteStart - b.byteStart)
    .filter(({ byteStart, byteEnd }) => {
      const isFree = byteStart >= end;
      if (isFree) end = byteEnd;
      return isFree;
    });
}

const FACET = 'app.bsky.richtext.facet';

/** The facets of a text. `didOf`: the ID of a mentioned account; mentions without one stay text. */
export const toFacets = (text: string, didOf: Readonly<Record<string, string>>): Facet[] =>
  findFeatures(text).flatMap(({ byteStart, byteEnd, kind, value }) => {
    const toFeature: Record<TextFeature['kind'], Readonly<Record<string, string>> | null> = {
      link: { $type: `${FACET}#link`, uri: value },
      mention: didOf[value] ? { $type: `${FACET}#mention`, did: didOf[value] } : null,
      tag: { $type: `${FACET}#tag`, tag: value },
    };
    const feature = toFeature[kind];
    return feature ? [{ index: { byteStart, byteEnd }, features: [feature] }] : [];
  });
