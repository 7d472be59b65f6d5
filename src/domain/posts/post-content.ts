import type { PostType } from '../enums.js';

/**
 * One block of an article. `data` is JSON whose shape depends on the type and is not checked (D25).
 */
export interface ContentBlock {
  type: ContentBlockType;
  data: unknown;
}

/** Types of content blocks (D25). */
export const CONTENT_BLOCK_TYPES = [
  'paragraph',
  'header',
  'list',
  'media',
  'table',
  'delimiter',
  'code',
  'html',
  'quote',
] as const;
export type ContentBlockType = (typeof CONTENT_BLOCK_TYPES)[number];
/** Types of media. */
export const MEDIA_TYPES = ['photo', 'video', 'gif', 'document'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/**
 * A media item of the workspace. `url` is called `path` in a request, `altText` is called `caption`
 * (D20).
 */
export interface Media {
  id: string;
  type: MediaType;
  url: string;
  altText: string | null;
  title: string | null;
}

/** Media attached to a post, with the settings that belong to this post only. */
export interface Attachment extends Media {
  defaultThumbnail: string | null;
  thumbnails: { real?: string | null; small?: string | null } | null;
  userTags: MediaTag[];
  collaboratorTags: MediaTag[];
  productTags: MediaTag[];
}
/** A tag on media; `x` and `y` are its position, as sent by the client. */
interface MediaTag {
  id?: string | null;
  name?: string | null;
  x?: number | null;
  y?: number | null;
}

const TYPE_BY_EXTENSION: Readonly<Record<string, MediaType>> = {
  gif: 'gif',
  mp4: 'video',
  mov: 'video',
  webm: 'video',
  m4v: 'video',
  avi: 'video',
  mkv: 'video',
  pdf: 'document',
  doc: 'document',
  docx: 'document',
  ppt: 'document',
  pptx: 'document',
  odt: 'document',
};
/** Types of posts that consist of media. */
const TYPES_WITH_MEDIA: ReadonlySet<PostType> = new Set([
  'photo',
  'gif',
  'video',
  'reel',
  'story',
  'short',
  'document',
  'carousel',
]);
/** Whether a post of this type consists of media. */
export const needsMedia = (type: PostType): boolean => TYPES_WITH_MEDIA.has(type);

/** Media type of a path, from its extension: the gateway never fetches it (D20). */
export const mediaTypeOf = (path: string): MediaType =>
  TYPE_BY_EXTENSION[/\.([a-z0-9]+)(?:[?#].*)?$/i.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'photo';

/** A label of a workspace. */
export interface Label {
  id: string;
  name: string;
  color: string;
}
/** Compares labels by name, for display: labels of a post are a set. */
export const byLabelName = (a: Label, b: Label): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1;

/** The comparison key of a label name: names that differ only in case are the same label (D20). */
export const labelKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();
