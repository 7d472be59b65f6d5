import { GraphQLDateTimeISO } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { STATES } from './states.js';
import type { Prisma } from '../generated/client/client.js';

const enumObject = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, value]));
/** The database has enum values in lower case, the schema in upper case. */
const storedEnumObject = (values: readonly string[]): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value.toUpperCase(), value]));
export const PostState = enumObject([...new Set(Object.values(STATES))]);
export const PostStateFilter = enumObject(['SCHEDULED', 'RECYCLING']);
export const PostType = storedEnumObject([
  'status',
  'link',
  'photo',
  'gif',
  'video',
  'reel',
  'story',
  'short',
  'poll',
  'document',
  'carousel',
  'article',
]);
export const Network = storedEnumObject([
  'facebook',
  'instagram',
  'threads',
  'tiktok',
  'twitter',
  'mastodon',
  'bluesky',
  'linkedin',
  'pinterest',
  'google',
  'youtube',
  'wordpress',
  'telegram',
]);
export const ShareMode = enumObject(['DRAFT', 'SCHEDULE', 'SHARE_NOW']);
registerEnumType(ShareMode, { name: 'ShareMode' });
registerEnumType(PostState, { name: 'PostState' });
registerEnumType(PostStateFilter, { name: 'PostStateFilter' });
registerEnumType(PostType, { name: 'PostType' });
registerEnumType(Network, { name: 'Network' });

/** A post as resolvers get it: its row and that of its body. */
export type PostRow = Prisma.PostGetPayload<{ include: { body: true } }>;

@ObjectType({ simpleResolvers: true })
export class Account {
  @Field(() => ID) id!: string;
  @Field(() => String) type!: string;
  @Field(() => String) name!: string;
  @Field(() => String, { nullable: true }) picture!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class User {
  @Field(() => ID) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String, { nullable: true }) picture!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class Label {
  @Field(() => ID) id!: string;
  @Field(() => String) name!: string;
  @Field(() => String) color!: string;
}

@ObjectType({ simpleResolvers: true })
export class Media {
  @Field(() => ID) id!: string;
  @Field(() => String) type!: string;
  @Field(() => String) url!: string;
  @Field(() => String, { nullable: true }) altText!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class Link {
  @Field(() => String) url!: string;
  @Field(() => String, { nullable: true }) title!: string | null;
  @Field(() => String, { nullable: true }) description!: string | null;
  @Field(() => String, { nullable: true }) imageUrl!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class Post {
  @Field(() => ID) id!: string;
  @Field(() => Int) version!: number;
  @Field(() => PostType) type!: string;
  @Field(() => Network, { nullable: true }) network!: string | null;
  @Field(() => GraphQLDateTimeISO, { nullable: true }) scheduledAt!: Date | null;
  @Field(() => GraphQLDateTimeISO) createdAt!: Date;
  @Field(() => GraphQLDateTimeISO) updatedAt!: Date;
  @Field(() => String, { nullable: true }) postLink!: string | null;
  @Field(() => Boolean) hasMedia!: boolean;
  @Field(() => Boolean) auto!: boolean;
}

@ObjectType({ simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean) hasNextPage!: boolean;
  @Field(() => String, { nullable: true }) endCursor!: string | null;
}

@ObjectType({ simpleResolvers: true })
export class PostConnection {
  @Field(() => [Post]) nodes!: Post[];
  @Field(() => PageInfo) pageInfo!: PageInfo;
}

@ObjectType({ simpleResolvers: true })
export class UserError {
  @Field(() => String) code!: string;
  @Field(() => String, { nullable: true }) message?: string;
}

@ObjectType({ simpleResolvers: true })
export class UpdatePostPayload {
  @Field(() => Post, { nullable: true }) post!: Post | null;
  @Field(() => [UserError]) userErrors!: UserError[];
}

@ObjectType({ simpleResolvers: true })
export class CreatePostsPayload {
  @Field(() => [Post]) posts!: Post[];
  @Field(() => [UserError]) userErrors!: UserError[];
}

@ObjectType({ simpleResolvers: true })
export class DeletePostsPayload {
  @Field(() => [ID]) deletedIds!: string[];
  @Field(() => [UserError]) userErrors!: UserError[];
}

@InputType()
export class PostFilter {
  @Field(() => [PostStateFilter], { nullable: true }) states?: string[];
  @Field(() => String, { nullable: true }) query?: string;
}

@InputType()
export class PostPatch {
  @Field(() => PostType, { nullable: true }) type?: string;
  @Field(() => String, { nullable: true }) text?: string;
}

@InputType()
export class UpdatePostInput {
  @Field(() => ID) id!: string;
  @Field(() => PostPatch) post!: PostPatch;
  @Field(() => Int, { nullable: true }) expectedVersion?: number;
}

@InputType()
export class PostTargetInput {
  @Field(() => ID) accountId!: string;
  @Field(() => GraphQLDateTimeISO) scheduledAt!: Date;
}

@InputType()
export class CreatePostsInput {
  @Field(() => [PostTargetInput]) targets!: PostTargetInput[];
  @Field(() => PostPatch) post!: PostPatch;
  @Field(() => ShareMode) mode!: string;
}

@InputType()
export class DeletePostsInput {
  @Field(() => [ID]) ids!: string[];
}
