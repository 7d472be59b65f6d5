import { Field, ID, Int, ObjectType } from 'type-graphql';
import { deletability, type DeleteSubject } from '../../domain/rules/delete-rules.js';
import { editability } from '../../domain/rules/edit-rules.js';
import { viewerOf } from '../../domain/access/identity.js';
import { kindOf, type Network, type NetworkKind } from '../../domain/networks/networks.js';
import { linkView, recurringView, recyclingView } from '../../domain/posts/post-views.js';
import { stateOfCell, type PostState } from '../../domain/posts/states.js';
import type { PostType } from '../../domain/vocabulary.js';
import { AccountObject } from '../account/account.type.js';
import type { GatewayContext } from '../context.js';
import { NetworkEnum, NetworkKindEnum, PostStateEnum, PostTypeEnum } from '../enums.js';
import { LabelObject } from '../label/label.type.js';
import { MediaObject } from '../media/media.type.js';
import { NodeInterface } from '../node/node.type.js';
import { optional } from '../optional.js';
import { MadeOfPost, Reads } from '../selection/row-fields.js';
import { DateTime } from '../scalars.js';
import { UserObject } from '../workspace/workspace.type.js';
import { PostDetailsObject } from './post-details.type.js';
import {
  ContentBlockObject,
  LinkObject,
  LocationObject,
  PostAnalyticsObject,
  RecurringObject,
  RecyclingObject,
} from './post-parts.type.js';
import {
  DeletabilityObject,
  FieldEditabilityObject,
  NetworkSyncObject,
} from './post-rights.type.js';
import { detailsView, locationView, sublinkViews } from './post-views.js';

/** What a post's deletion would come to for this viewer, in the schema's words. */
function deletabilityView(post: DeleteSubject, { admission }: GatewayContext) {
  const refusal = deletability(post, viewerOf(admission));
  return {
    allowed: refusal === null,
    code: refusal?.code ?? null,
    reason: refusal?.message ?? null,
  };
}

/** Here are the fields that are a property of the row or made from it alone; those that lead further are in post-relations.resolver.ts. */
@ObjectType('Post', {
  implements: NodeInterface,
  simpleResolvers: true,
  description:
    'A post of the workspace. Others’ private drafts do not exist for anyone but their creator (D13).',
})
export class PostObject {
  @Field(() => ID, { description: 'Document id, 24 hex digits (D3).' }) id!: string;
  @Field(() => Int, {
    description: 'Relational id; it names the post inside its workspace only (D3).',
  })
  databaseId!: number;
  @Field(() => Int, {
    description: 'Raised by one with every effective change; `expectedVersion` compares it (D26).',
  })
  @Reads('version')
  version!: number;
  @Field(() => String, { description: 'Main text; empty where there is none.' })
  @Reads('text')
  text!: string;
  @Field(() => String, optional('Title, on some networks.')) @Reads('title') title!: string | null;
  @Field(() => String, optional('Excerpt, on some networks.')) @Reads('excerpt') excerpt!:
    string | null;
  @Field(() => String, optional('A poll’s question.')) @Reads('question') question!: string | null;
  @Field(() => Int, optional('How long a poll runs, in days (D6).')) @Reads('duration') duration!:
    number | null;
  @Field(
    () => String,
    optional('URL of a link post, one value with `link.url`; on the blog the slug (D20, D22).'),
  )
  @Reads('url')
  url!: string | null;
  @Field(() => PostTypeEnum, { description: 'What it is made of.' }) @Reads('type') type!: PostType;
  @Field(() => NetworkEnum, optional('Its network; null on a draft without an account (D9).'))
  @Reads('network')
  network!: Network | null;
  @Field(() => ID, optional('Its account; null on a draft without one (D9).')) accountId!:
    string | null;
  @Field(
    () => AccountObject,
    optional('Its account; needs the post’s scope only, except `dailyCaps`.'),
  )
  @Reads('account')
  account!: AccountObject | null;
  @Field(() => UserObject, { description: 'Its creator.' }) @Reads('user') user!: UserObject;
  @Field(
    () => DateTime,
    optional('When it is or was to be published, in whole seconds; a series’ next date (D8, D17).'),
  )
  scheduledAt!: Date | null;
  @Field(() => DateTime, { description: 'When it was made.' }) createdAt!: Date;
  @Field(() => DateTime, { description: 'When it last changed.' })
  @Reads('updatedAt')
  updatedAt!: Date;
  @Field(() => String, optional('Where it is on the network.')) @Reads('postLink') postLink!:
    string | null;
  @Field(() => Boolean, { description: 'Whether it has media.' })
  @Reads('hasMedia')
  hasMedia!: boolean;
  @Field(() => Boolean, { description: 'Whether its time was chosen for it.' })
  @Reads('auto')
  auto!: boolean;
  @Field(() => Boolean, {
    description:
      'Whether a person is reminded to publish it: a queued reminder may be deleted (D12).',
  })
  @Reads('reminder')
  reminder!: boolean;
  @Field(() => [MediaObject], { description: 'Attachments in their order.' })
  @Reads('media')
  media!: MediaObject[];
  @Field(() => MediaObject, optional('The picture that stands for a blog post.'))
  @Reads('featuredMedia')
  featuredMedia!: MediaObject | null;
  @Field(() => [LabelObject], { description: 'Its labels.' })
  @Reads('labels')
  labels!: LabelObject[];
  @Field(() => [ContentBlockObject], { description: 'Blocks of a rich text (D25).' })
  @Reads('content')
  content!: ContentBlockObject[];
  @Field(() => [String], { description: 'A poll’s options.' }) @Reads('options') options!: string[];
  @Field(() => [String], { description: 'Tags.' }) @Reads('tags') tags!: string[];
  @Field(() => [String], { description: 'Categories.' }) @Reads('categories') categories!: string[];
  @Field(
    () => PostAnalyticsObject,
    optional('What the network reported; null on posts made through the service (D7).'),
  )
  @Reads('analytics')
  analytics!: PostAnalyticsObject | null;
  @Field(
    () => NetworkSyncObject,
    optional(
      'How far its last change has come on its network; null where none was to go there (D22).',
    ),
  )
  @Reads('networkSync')
  networkSync!: NetworkSyncObject | null;

  @Field(() => PostStateEnum, { description: 'Its current state, the most specific one (D9).' })
  @MadeOfPost(({ cell }) => stateOfCell(cell))
  state!: PostState;

  @Field(() => NetworkKindEnum, optional('What the interface document calls its network.'))
  @MadeOfPost(({ network }) => network && kindOf(network), 'network')
  networkKind!: NetworkKind | null;

  @Field(() => Boolean, {
    description:
      'Handed to publication and not finished: it cannot be deleted, unless it is a reminder (D12).',
  })
  @MadeOfPost(({ queuedAt }) => queuedAt !== null, 'queuedAt')
  queued!: boolean;

  @Field(() => LinkObject, optional('Link and preview of a link post.'))
  @MadeOfPost(linkView, 'url', 'link', 'network')
  link!: LinkObject | null;

  @Field(
    () => String,
    optional(
      'The HTML that a blog is given for `content`, sanitised; null where there is no content (D25).',
    ),
  )
  @MadeOfPost(
    ({ content }, { services }) => (content.length > 0 ? services.blogHtml(content) : null),
    'content',
  )
  contentHtml!: string | null;

  @Field(() => [LinkObject], { description: 'Further links.' })
  @MadeOfPost(({ sublinks }) => sublinkViews(sublinks), 'sublinks')
  sublinks!: LinkObject[];

  @Field(() => PostDetailsObject, optional('Settings of one network or type.'))
  @MadeOfPost(({ details }) => detailsView(details), 'details')
  details!: PostDetailsObject | null;

  @Field(() => LocationObject, optional('Where it says it is.'))
  @MadeOfPost(({ location }) => locationView(location), 'location')
  location!: LocationObject | null;

  @Field(() => RecyclingObject, optional('How it is published again; null where it is not.'))
  @MadeOfPost(({ recycling }) => recyclingView(recycling), 'recycling')
  recycling!: RecyclingObject | null;

  @Field(() => RecurringObject, optional('The rule of a series; null on any other post.'))
  @MadeOfPost(({ recurring }) => recurringView(recurring), 'recurring')
  recurring!: RecurringObject | null;

  @Field(() => [FieldEditabilityObject], {
    description:
      'One for each field of PostPatch: whether this viewer may change it now, and where the change goes.',
  })
  @MadeOfPost(
    (post, { admission }) => editability(post, viewerOf(admission)),
    'network',
    'type',
    'parentId',
    'queuedAt',
  )
  editability!: FieldEditabilityObject[];

  @Field(() => DeletabilityObject, {
    description: 'Whether this viewer may delete it now, and if not, why.',
  })
  @MadeOfPost(deletabilityView, 'queuedAt', 'reminder', 'hasQueuedChild')
  deletability!: DeletabilityObject;
}
