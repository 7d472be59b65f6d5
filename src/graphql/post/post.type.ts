import { Field, ID, Int, ObjectType } from 'type-graphql';
import { networkKindOf, type Network, type NetworkKind } from '../../domain/networks/networks.js';
import type { PostFieldViews } from '../../domain/posts/post-fields.js';
import {
  toPostLinkView,
  toRecurringRuleView,
  toRecyclingView,
} from '../../domain/posts/presented-settings.js';
import { toPostState, type PostState } from '../../domain/posts/states.js';
import type { PostType } from '../../domain/enums.js';
import { AccountObject } from '../account.js';
import {
  NetworkEnum,
  NetworkKindEnum,
  PostStateEnum,
  PostTypeEnum,
  DateTime,
} from '../schema/enums.js';
import { LabelObject } from '../label.js';
import { MediaObject } from '../media/media.js';
import { NodeInterface } from '../node.js';
import { ComputedFromPost, Costs, DependsOn } from '../schema/field-decorators.js';
import { UserObject } from '../workspace.js';
import {
  NetworkOptionsObject,
  PostDetailsObject,
  ContentBlockObject,
  LinkObject,
  LocationObject,
  PostAnalyticsObject,
  RecurringObject,
  RecyclingObject,
  presentDetails,
  presentLocation,
  presentSublinks,
} from './post-content.type.js';
import { PostProgressObject } from './post-progress.type.js';
import { optional } from '../schema/descriptions.js';

/**
 * Fields that are a property of the row or computed from it. Relations are in
 * post-relations.resolver.ts.
 */
@ObjectType('Post', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Post of a workspace. Private drafts are visible only to their creator.',
})
export class PostObject extends PostProgressObject implements PostFieldViews {
  @Field(() => ID, {
    description:
      'ID of the post, 24 hexadecimal digits. For an occurrence that a dry run would create, `dry_run_post_` and a number.',
  })
  id!: string;
  @Field(() => Int, {
    description:
      'Database ID of the post, an integer. Valid only within its workspace. 0 for an occurrence that a dry run would create.',
  })
  databaseId!: number;
  @Field(() => Int, {
    description:
      'Version of the post, increased by one with every effective change. Compared with `expectedVersion` of an update.',
  })
  @DependsOn('version')
  version!: number;
  @Field(() => String, { description: 'Main text. Empty if there is none.' })
  @DependsOn('text')
  text!: string;
  @Field(() => String, optional('Title, on networks that have titles.'))
  @DependsOn('title')
  title!: string | null;
  @Field(() => String, optional('Excerpt, on networks that have excerpts.'))
  @DependsOn('excerpt')
  excerpt!: string | null;
  @Field(() => String, optional('Question of a poll.')) @DependsOn('question') question!:
    string | null;
  @Field(() => Int, optional('Duration of a poll, in days.')) @DependsOn('duration') duration!:
    number | null;
  @Field(
    () => String,
    optional('URL of a link post, the same value as `link.url`. Slug of a blog post.'),
  )
  @DependsOn('url')
  url!: string | null;
  @Field(() => PostTypeEnum, { description: 'Content type of the post.' })
  @DependsOn('type')
  type!: PostType;
  @Field(() => NetworkEnum, optional('Network of the post. Null for a draft without an account.'))
  @DependsOn('network')
  network!: Network | null;
  @Field(() => ID, optional('ID of the account. Null for a draft without an account.')) accountId!:
    string | null;
  @Field(
    () => AccountObject,
    optional(
      'Account of the post. Null for a draft without an account. Requires no additional scope, except for `dailyCaps`.',
    ),
  )
  @DependsOn('account')
  account!: AccountObject | null;
  @Field(() => UserObject, { description: 'Creator of the post.' })
  @DependsOn('user')
  user!: UserObject;
  @Field(
    () => DateTime,
    optional(
      'Scheduled publication time, in whole seconds. For a series, the time of the next occurrence.',
    ),
  )
  @DependsOn('scheduledAt')
  scheduledAt!: Date | null;
  @Field(() => DateTime, { description: 'Creation time.' })
  @DependsOn('createdAt')
  createdAt!: Date;
  @Field(() => DateTime, { description: 'Time of the last change.' })
  @DependsOn('updatedAt')
  updatedAt!: Date;
  @Field(() => String, optional('URL of the post on the network.'))
  @DependsOn('postLink')
  postLink!: string | null;
  @Field(() => Boolean, { description: 'Whether the post has media.' })
  @DependsOn('hasMedia')
  hasMedia!: boolean;
  @Field(() => Boolean, { description: 'Whether the scheduled time was chosen automatically.' })
  @DependsOn('auto')
  auto!: boolean;
  @Field(() => Boolean, {
    description:
      'Whether the gateway reminds a person to publish the post instead of publishing it. A queued reminder can be deleted.',
  })
  @DependsOn('reminder')
  reminder!: boolean;
  @Field(() => [MediaObject], { description: 'Attached media, in order.' })
  @DependsOn('media')
  media!: MediaObject[];
  @Field(() => MediaObject, optional('Featured image of a blog post.'))
  @DependsOn('featuredMedia')
  featuredMedia!: MediaObject | null;
  @Field(() => [LabelObject], { description: 'Labels of the post.' })
  @DependsOn('labels')
  labels!: LabelObject[];
  @Field(() => [ContentBlockObject], { description: 'Rich text, as blocks.' })
  @DependsOn('content')
  content!: PostFieldViews['content'];
  @Field(() => [String], { description: 'Options of a poll.' })
  @DependsOn('options')
  options!: string[];
  @Field(() => NetworkOptionsObject, optional('Settings that are specific to one network.'))
  @DependsOn('networkOptions')
  networkOptions!: PostFieldViews['networkOptions'];
  @Field(() => ID, optional('ID that the posts created by one `createPosts` call share.'))
  @DependsOn('groupId')
  groupId!: string | null;
  @Field(
    () => ID,
    optional('ID of the recycling post that this one was published for. Null for other posts.'),
  )
  @DependsOn('recycledFromId')
  recycledFromId!: string | null;
  @Field(() => [String], { description: 'Tags of the post.' }) @DependsOn('tags') tags!: string[];
  @Field(() => [String], { description: 'Categories of the post.' })
  @DependsOn('categories')
  categories!: string[];
  @Field(
    () => PostAnalyticsObject,
    optional(
      'Latest metrics of a published post. Null until its network has reported some, about an hour after publication.',
    ),
  )
  @DependsOn('analytics')
  analytics!: PostAnalyticsObject | null;

  @Field(() => PostStateEnum, { description: 'State of the post, always the most specific one.' })
  @ComputedFromPost(({ storedState }) => toPostState(storedState))
  state!: PostState;

  @Field(
    () => NetworkKindEnum,
    optional(
      'Generic name of the network, as used in the interface document, the specification of REST v1.',
    ),
  )
  @ComputedFromPost(({ network }) => network && networkKindOf(network), 'network')
  networkKind!: NetworkKind | null;

  @Field(() => LinkObject, optional('Link of a link post, with its preview.'))
  @ComputedFromPost(toPostLinkView, 'url', 'link', 'network')
  link!: LinkObject | null;

  @Field(
    () => String,
    optional('Sanitized HTML of `content`, as sent to a blog. Null if there is no content.'),
  )
  @Costs(10)
  @ComputedFromPost(
    ({ content }, { services }) => (content.length > 0 ? services.blogHtml(content) : null),
    'content',
  )
  contentHtml!: string | null;

  @Field(() => [LinkObject], { description: 'Additional links.' })
  @ComputedFromPost(({ sublinks }) => presentSublinks(sublinks), 'sublinks')
  sublinks!: LinkObject[];

  @Field(
    () => PostDetailsObject,
    optional('Settings that apply only to some networks or post types.'),
  )
  @ComputedFromPost(({ details }) => presentDetails(details), 'details')
  details!: PostFieldViews['details'];

  @Field(() => LocationObject, optional('Place that the post is tagged with.'))
  @ComputedFromPost(({ location }) => presentLocation(location), 'location')
  location!: PostFieldViews['location'];

  @Field(
    () => RecyclingObject,
    optional('How the post is published repeatedly. Null if it is not a recycling post.'),
  )
  @ComputedFromPost(({ recycling }) => toRecyclingView(recycling), 'recycling')
  recycling!: PostFieldViews['recycling'];

  @Field(() => RecurringObject, optional('Recurrence rule of a series. Null for other posts.'))
  @ComputedFromPost(({ recurring }) => toRecurringRuleView(recurring), 'recurring')
  recurring!: RecurringObject | null;
}
