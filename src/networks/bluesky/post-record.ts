import { linkOf } from '../../domain/posts/presented-settings.js';
import type { Post } from '../../domain/posts/post.js';
import { toFacets } from './facets.js';

/** A file that was uploaded to the service, as records refer to it. */
export type BlobReference = Readonly<Record<string, unknown>>;

/** What a post refers to on the network. */
export interface RecordReferences {
  /** An ISO time. */
  readonly createdAt: string;
  /** IDs of the mentioned accounts, by handle. */
  readonly mentions: Readonly<Record<string, string>>;
  /** The pictures, in the order of the post's media. */
  readonly blobs: readonly BlobReference[];
}

/** The text of a post as it is published; byte offsets refer to it. */
export const recordText = ({ text }: Pick<Post, 'text'>): string => text.toWellFormed();

/** What a post shows below its text: its pictures, or the card of its link. */
function embedOf(post: Post, blobs: readonly BlobReference[]): object | null {
  if (blobs.length > 0)
    return {
      $type: 'app.bsky.embed.images',
      images: blobs.map((image, index) => ({ image, alt: post.media[index]?.altText ?? '' })),
    };
  const link = post.type === 'link' ? linkOf(post) : null;
  return (
    link && {
      $type: 'app.bsky.embed.external',
      external: {
        uri: link.url,
        title: link.title ?? link.originalTitle ?? link.url,
        description: link.description ?? link.originalDescription ?? '',
      },
    }
  );
}

/** The record of a post. The same post and references give the same record. */
export function toPostRecord(post: Post, { createdAt, mentions, blobs }: RecordReferences): object {
  const text = recordText(post);
  const facets = toFacets(text, mentions);
  const embed = embedOf(post, blobs);
  return {
    $type: 'app.bsky.feed.post',
    text,
    createdAt,
    ...(post.details?.language && { langs: [post.details.language] }),
    ...(facets.length > 0 && { facets }),
    ...(embed && { embed }),
  };
}
