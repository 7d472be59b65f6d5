import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { kindOf, type NetworkKind } from '../../domain/networks.js';
import type { Post } from '../../domain/post.js';
import type { PostView } from '../../domain/post-query.js';
import { linkView, recurringView, recyclingView } from '../../domain/post-views.js';
import { stateOfCell, type PostState } from '../../domain/states.js';
import type { GatewayContext } from '../context.js';
import { NetworkKindEnum, PostStateEnum } from '../enums.js';
import { optional } from '../optional.js';
import { Reads } from '../reads.js';
import { PostDetailsObject } from './post-details.type.js';
import { LinkObject, LocationObject, RecurringObject, RecyclingObject } from './post-parts.type.js';
import { PostObject } from './post.type.js';
import { detailsView, locationView, sublinkViews } from './post-views.js';

/** The fields of a post that are made from its row alone. */
@Resolver(() => PostObject)
export class PostFieldsResolver {
  @FieldResolver(() => PostStateEnum, { description: 'Its current state, the most specific one (D9).' })
  state(@Root() post: PostView): PostState {
    return stateOfCell(post.cell);
  }

  @FieldResolver(() => NetworkKindEnum, optional('What the interface document calls its network.'))
  networkKind(@Root() post: PostView): NetworkKind | null {
    return post.network && kindOf(post.network);
  }

  @FieldResolver(() => Boolean, { description: 'Handed to publication and not finished: it cannot be deleted, unless it is a reminder (D12).' })
  queued(@Root() post: PostView): boolean {
    return post.queuedAt !== null;
  }

  @FieldResolver(() => LinkObject, optional('Link and preview of a link post.'))
  @Reads('url', 'link')
  link(@Root() post: Post) {
    return linkView(post);
  }

  @FieldResolver(() => String, optional('The HTML that a blog is given for `content`, sanitised; null where there is no content (D25).'))
  @Reads('content')
  contentHtml(@Root() post: Post, @Ctx() { services }: GatewayContext): string | null {
    return post.content.length > 0 ? services.blogHtml(post.content) : null;
  }

  @FieldResolver(() => [LinkObject], { description: 'Further links.' })
  @Reads('sublinks')
  sublinks(@Root() post: Post) {
    return sublinkViews(post.sublinks);
  }

  @FieldResolver(() => PostDetailsObject, optional('Settings of one network or type.'))
  @Reads('details')
  details(@Root() post: Post) {
    return detailsView(post.details);
  }

  @FieldResolver(() => LocationObject, optional('Where it says it is.'))
  @Reads('location')
  location(@Root() post: Post) {
    return locationView(post.location);
  }

  @FieldResolver(() => RecyclingObject, optional('How it is published again; null where it is not.'))
  @Reads('recycling')
  recycling(@Root() post: Post) {
    return recyclingView(post.recycling);
  }

  @FieldResolver(() => RecurringObject, optional('The rule of a series; null on any other post.'))
  @Reads('recurring')
  recurring(@Root() post: Post) {
    return recurringView(post.recurring);
  }
}
