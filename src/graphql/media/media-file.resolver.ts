import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { PostType } from '../../domain/enums.js';
import type { MediaFile } from '../../domain/media/media-file.js';
import { mediaValidity, type MediaValidity } from '../../domain/media/media-validity.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Media } from '../../domain/posts/post-content.js';
import type { GatewayContext } from '../context.js';
import { NetworkEnum, PostTypeEnum } from '../enums.js';
import { optional } from '../optional.js';
import { MediaObject } from './media.type.js';

@ObjectType('MediaValidity', {
  simpleResolvers: true,
  description: 'Whether posts of a type on a network can have a file.',
})
class MediaValidityObject implements MediaValidity {
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(() => PostTypeEnum, { description: 'Post type.' }) type!: PostType;
  @Field(() => Boolean, { description: 'Whether such a post can have the file.' }) valid!: boolean;
  @Field(() => String, optional('Why such a post cannot have the file. Null if it can.')) reason!:
    string | null;
}

const fileOf = (media: Media, { loaders }: GatewayContext): Promise<MediaFile | null> =>
  loaders.mediaFile.load(media.id);

/** Fields of a media item that its file has. Files on other servers are unknown to the service. */
@Resolver(() => MediaObject)
export class MediaFileResolver {
  @FieldResolver(
    () => Int,
    optional(
      'Width of a picture in pixels. Null for videos, documents and files on other servers.',
    ),
  )
  async width(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await fileOf(media, context))?.content?.size?.width ?? null;
  }

  @FieldResolver(
    () => Int,
    optional(
      'Height of a picture in pixels. Null for videos, documents and files on other servers.',
    ),
  )
  async height(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await fileOf(media, context))?.content?.size?.height ?? null;
  }

  @FieldResolver(
    () => Int,
    optional(
      'Size of the file in bytes. Null until it has been received, and for files on other servers.',
    ),
  )
  async bytes(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await fileOf(media, context))?.content?.bytes ?? null;
  }

  @FieldResolver(
    () => String,
    optional('URL of a small version of a picture. Null if there is none.'),
  )
  async thumbnailUrl(@Root() media: Media, @Ctx() context: GatewayContext): Promise<string | null> {
    return (await fileOf(media, context))?.thumbnailUrl ?? null;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the file has been received. Always true for a file on another server, which is fetched when its network needs it.',
  })
  async ready(@Root() media: Media, @Ctx() context: GatewayContext): Promise<boolean> {
    return ((await fileOf(media, context))?.status ?? 'ready') === 'ready';
  }

  @FieldResolver(
    () => String,
    optional('Why the file could not be fetched, or was not accepted. Null if there was no error.'),
  )
  async error(@Root() media: Media, @Ctx() context: GatewayContext): Promise<string | null> {
    return (await fileOf(media, context))?.error ?? null;
  }

  @FieldResolver(() => [MediaValidityObject], {
    description:
      'Whether the file is valid for each network and each of its post types with media. Empty until the file has been received, and for files on other servers.',
  })
  async validity(
    @Root() media: Media,
    @Ctx() context: GatewayContext,
  ): Promise<readonly MediaValidity[]> {
    const content = (await fileOf(media, context))?.content;
    return content ? mediaValidity(content) : [];
  }
}
