import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Network } from '../../domain/networks.js';
import type { PostType } from '../../domain/vocabulary.js';
import { AccountObject } from '../account/account.type.js';
import { NetworkEnum, PostTypeEnum } from '../enums.js';
import { LabelObject } from '../label/label.type.js';
import { MediaObject } from '../media/media.type.js';
import { NodeInterface } from '../node/node.type.js';
import { optional } from '../optional.js';
import { Reads } from '../reads.js';
import { DateTime } from '../scalars.js';
import { UserObject } from '../workspace/workspace.type.js';
import { ContentBlockObject, PostAnalyticsObject } from './post-parts.type.js';
import { NetworkSyncObject } from './post-rights.type.js';

/** Here are the fields that are a property of the row; those made from it are in post-fields.resolver.ts, those that ask more in post-relations.resolver.ts. */
@ObjectType('Post', { implements: NodeInterface, simpleResolvers: true, description: 'A post of the workspace. Others’ private drafts do not exist for anyone but their creator (D13).' })
export class PostObject {
  @Field(() => ID, { description: 'Document id, 24 hex digits (D3).' }) id!: string;
  @Field(() => Int, { description: 'Relational id; it names the post inside its workspace only (D3).' }) databaseId!: number;
  @Field(() => Int, { description: 'Raised by one with every effective change; `expectedVersion` compares it (D26).' }) version!: number;
  @Field(() => String, { description: 'Main text; empty where there is none.' }) @Reads('text') text!: string;
  @Field(() => String, optional('Title, on some networks.')) @Reads('title') title!: string | null;
  @Field(() => String, optional('Excerpt, on some networks.')) @Reads('excerpt') excerpt!: string | null;
  @Field(() => String, optional('A poll’s question.')) @Reads('question') question!: string | null;
  @Field(() => Int, optional('How long a poll runs, in days (D6).')) @Reads('duration') duration!: number | null;
  @Field(() => String, optional('URL of a link post, one value with `link.url`; on the blog the slug (D20, D22).')) @Reads('url') url!: string | null;
  @Field(() => PostTypeEnum, { description: 'What it is made of.' }) type!: PostType;
  @Field(() => NetworkEnum, optional('Its network; null on a draft without an account (D9).')) network!: Network | null;
  @Field(() => ID, optional('Its account; null on a draft without one (D9).')) accountId!: string | null;
  @Field(() => AccountObject, optional('Its account; needs the post’s scope only, except `dailyCaps`.')) @Reads('account') account!: AccountObject | null;
  @Field(() => UserObject, { description: 'Its creator.' }) @Reads('user') user!: UserObject;
  @Field(() => DateTime, optional('When it is or was to be published, in whole seconds; a series’ next date (D8, D17).')) scheduledAt!: Date | null;
  @Field(() => DateTime, { description: 'When it was made.' }) createdAt!: Date;
  @Field(() => DateTime, { description: 'When it last changed.' }) updatedAt!: Date;
  @Field(() => String, optional('Where it is on the network.')) postLink!: string | null;
  @Field(() => Boolean, { description: 'Whether it has media.' }) hasMedia!: boolean;
  @Field(() => Boolean, { description: 'Whether its time was chosen for it.' }) auto!: boolean;
  @Field(() => Boolean, { description: 'Whether a person is reminded to publish it: a queued reminder may be deleted (D12).' }) reminder!: boolean;
  @Field(() => [MediaObject], { description: 'Attachments in their order.' }) @Reads('media') media!: MediaObject[];
  @Field(() => MediaObject, optional('The picture that stands for a blog post.')) @Reads('featuredMedia') featuredMedia!: MediaObject | null;
  @Field(() => [LabelObject], { description: 'Its labels.' }) @Reads('labels') labels!: LabelObject[];
  @Field(() => [ContentBlockObject], { description: 'Blocks of a rich text (D25).' }) @Reads('content') content!: ContentBlockObject[];
  @Field(() => [String], { description: 'A poll’s options.' }) @Reads('options') options!: string[];
  @Field(() => [String], { description: 'Tags.' }) @Reads('tags') tags!: string[];
  @Field(() => [String], { description: 'Categories.' }) @Reads('categories') categories!: string[];
  @Field(() => PostAnalyticsObject, optional('What the network reported; null on posts made through the service (D7).')) @Reads('analytics') analytics!: PostAnalyticsObject | null;
  @Field(() => NetworkSyncObject, optional('How far its last change has come on its network; null where none was to go there (D22).')) @Reads('networkSync') networkSync!: NetworkSyncObject | null;
}
