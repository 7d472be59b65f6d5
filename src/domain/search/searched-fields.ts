import type { Post } from '../posts/post.js';

/** The fields of a post whose texts a search reads (D16). */
export const SEARCHED_FIELDS = [
  'title',
  'text',
  'question',
  'options',
  'excerpt',
  'link',
  'featuredMedia',
  'media',
] as const satisfies readonly (keyof Post)[];

/** A post, as far as a search reads it. */
export type SearchedPost = Pick<Post, 'title' | 'text' | 'question' | 'options' | 'excerpt'> & {
  readonly link: Pick<NonNullable<Post['link']>, 'title'> | null;
  readonly featuredMedia: Pick<NonNullable<Post['featuredMedia']>, 'altText'> | null;
  readonly media: readonly Pick<Post['media'][number], 'altText'>[];
};

const FIELDS: ReadonlySet<keyof Post> = new Set(SEARCHED_FIELDS);

/** Whether a change of these fields changes what a search finds. */
export const changesSearch = (changed: readonly (keyof Post)[]): boolean =>
  changed.some((field) => FIELDS.has(field));

/** The texts of a post that a search reads. */
export const searchedTexts = ({
  title,
  text,
  question,
  options,
  excerpt,
  link,
  featuredMedia,
  media,
}: SearchedPost): string[] =>
  [
    title,
    text,
    question,
    ...options,
    excerpt,
    link?.title,
    featuredMedia?.altText,
    ...media.map(({ altText }) => altText),
  ].filter((part): part is string => typeof part === 'string' && part !== '');
