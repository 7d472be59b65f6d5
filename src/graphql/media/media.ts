import {
  Field,
  Float,
  ID,
  Int,
  ObjectType,
  Args,
  Ctx,
  Query,
  Resolver,
  FieldResolver,
  Root,
} from 'type-graphql';
import {
  PageInfo,
  ConnectionArgs,
  readWindow,
  toConnection,
  MEDIA_BY_TIME,
  timeCursorKey,
} from '../schema/connection.js';
import { NodeInterface } from '../node.js';
import { viewerOf } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import type { PostType } from '../../domain/enums.js';
import type { MediaFile, VideoProperties } from '../../domain/media/media-file.js';
import { mediaValidity, type MediaValidity } from '../../domain/media/media-validity.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Media } from '../../domain/posts/post-content.js';
import { NetworkEnum, PostTypeEnum } from '../schema/enums.js';
import { optional } from '../schema/descriptions.js';

@ObjectType('Media', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Media item, attached to a post or in the media library of the workspace.',
})
export class MediaObject {
  @Field(() => ID, {
    description:
      'ID: `med_` followed by letters and digits. For an item that a dry run would create, `dry_run_media_` and a number.',
  })
  id!: string;
  @Field(() => String, { description: 'Kind of media: photo, video, gif or document.' })
  type!: string;
  @Field(() => String, { description: 'HTTPS URL of the file. Called `path` in an update.' })
  url!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Alternative text. Called `caption` in an update.',
  })
  altText!: string | null;
  @Field(() => String, { nullable: true, description: 'Title of the media item.' }) title!:
    string | null;
}

@ObjectType({ description: 'Media item and its cursor in a list.', simpleResolvers: true })
class MediaEdge {
  @Field(() => String, { description: 'Cursor of this item, for `after` or `before`.' })
  cursor!: string;
  @Field(() => MediaObject, { description: 'Media item.' }) node!: MediaObject;
}

@ObjectType({ description: 'Page of the media library, newest first.', simpleResolvers: true })
class MediaConnection {
  @Field(() => [MediaEdge], { description: 'Media items with their cursors.' }) edges!: MediaEdge[];
  @Field(() => [MediaObject], { description: 'Media items of this page.' }) nodes!: MediaObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
  @Field(() => Int, {
    description: 'Number of media items in the library. Counted only if selected.',
  })
  totalCount!: number;
}

@Resolver()
export class MediaResolver {
  @Query(() => MediaConnection, {
    description: 'Media library of the workspace, newest first. Requires scope MEDIA.',
  })
  @RequiresScopes([['media']])
  async media(
    @Args(() => ConnectionArgs) args: ConnectionArgs,
    @Ctx() { authentication, services: { workspaceRecords } }: GatewayContext,
  ) {
    const { id } = viewerOf(authentication).workspace;
    const page = await workspaceRecords.media(id, readWindow(args, MEDIA_BY_TIME));
    return {
      ...toConnection(page, MEDIA_BY_TIME, timeCursorKey),
      totalCount: () => workspaceRecords.countMedia(id),
    };
  }
}

@ObjectType('MediaValidity', {
  simpleResolvers: true,
  description: 'Whether posts of a type on a network can have a file.',
})
class MediaValidityObject implements MediaValidity {
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(() => PostTypeEnum, { description: 'Post type.' }) type!: PostType;
  @Field(() => Boolean, { description: 'Whether such a post can have the file.' }) valid!: boolean;
  @Field(() => Boolean, {
    description:
      'Whether the gateway converts the file before it publishes such a post, for example to a smaller picture.',
  })
  converted!: boolean;
  @Field(
    () => String,
    optional(
      'Why such a post cannot have the file, or what the gateway converts. Null if the network gets the file as it is.',
    ),
  )
  reason!: string | null;
}

const fileOf = (media: Media, { loaders }: GatewayContext): Promise<MediaFile | null> =>
  loaders.mediaFile.load(media.id);

const videoOf = async (media: Media, context: GatewayContext): Promise<VideoProperties | null> =>
  (await fileOf(media, context))?.content?.video ?? null;

/** Fields of a media item that its file has. Files on other servers are unknown to the service. */
@Resolver(() => MediaObject)
export class MediaFileResolver {
  @FieldResolver(
    () => Int,
    optional(
      'Width of a picture or video in pixels, as viewers see it. Null for documents and files on other servers, and if a video does not say it.',
    ),
  )
  async width(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await fileOf(media, context))?.content?.size?.width ?? null;
  }

  @FieldResolver(
    () => Int,
    optional(
      'Height of a picture or video in pixels, as viewers see it. Null for documents and files on other servers, and if a video does not say it.',
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
    () => Int,
    optional('Duration of a video in milliseconds. Null for other files, and if it is unknown.'),
  )
  async durationMs(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await videoOf(media, context))?.durationMs ?? null;
  }

  @FieldResolver(
    () => String,
    optional(
      'Codec of the picture of a video, such as `h264`. Null for other files, and if it is unknown.',
    ),
  )
  async videoCodec(@Root() media: Media, @Ctx() context: GatewayContext): Promise<string | null> {
    return (await videoOf(media, context))?.videoCodec ?? null;
  }

  @FieldResolver(
    () => String,
    optional(
      'Codec of the sound of a video, such as `aac`. Null for other files and videos without sound, and if it is unknown.',
    ),
  )
  async audioCodec(@Root() media: Media, @Ctx() context: GatewayContext): Promise<string | null> {
    return (await videoOf(media, context))?.audioCodec ?? null;
  }

  @FieldResolver(
    () => Float,
    optional(
      'Average number of frames per second of a video. Null for other files, and if it is unknown.',
    ),
  )
  async frameRate(@Root() media: Media, @Ctx() context: GatewayContext): Promise<number | null> {
    return (await videoOf(media, context))?.frameRate ?? null;
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
