import { Field, Int, ObjectType } from 'type-graphql';
import type { Network } from '../../domain/networks/networks.js';
import type { PostState } from '../../domain/posts/states.js';
import type { PostType } from '../../domain/vocabulary.js';
import { PageInfo } from '../connection/connection.type.js';
import { NetworkEnum, PostStateEnum, PostTypeEnum } from '../enums.js';
import { LabelObject } from '../label/label.type.js';
import { PostObject } from './post.type.js';

const COUNT = { description: 'Posts that match and have it.' };

@ObjectType({ description: 'Posts in one state.', simpleResolvers: true })
class StateCount {
  @Field(() => PostStateEnum, { description: 'The state shown.' }) state!: PostState;
  @Field(() => Int, COUNT) count!: number;
}

@ObjectType({ description: 'Posts of one network.', simpleResolvers: true })
class NetworkCount {
  @Field(() => NetworkEnum, { description: 'The network.' }) network!: Network;
  @Field(() => Int, COUNT) count!: number;
}

@ObjectType({ description: 'Posts of one type.', simpleResolvers: true })
class TypeCount {
  @Field(() => PostTypeEnum, { description: 'The type.' }) type!: PostType;
  @Field(() => Int, COUNT) count!: number;
}

@ObjectType({ description: 'Posts with one label.', simpleResolvers: true })
class LabelCount {
  @Field(() => LabelObject, { description: 'The label.' }) label!: LabelObject;
  @Field(() => Int, COUNT) count!: number;
}

@ObjectType('PostFacets', {
  simpleResolvers: true,
  description: 'How the matching posts fall into states, networks, types and labels.',
})
class PostFacetsObject {
  @Field(() => Boolean, {
    description: 'False where more than 100,000 posts match: only so many were counted.',
  })
  exact!: boolean;
  @Field(() => [StateCount], { description: 'By the state shown.' }) states!: StateCount[];
  @Field(() => [NetworkCount], { description: 'By network.' }) networks!: NetworkCount[];
  @Field(() => [TypeCount], { description: 'By type.' }) types!: TypeCount[];
  @Field(() => [LabelCount], {
    description: 'By label; a post counts once for each of its labels.',
  })
  labels!: LabelCount[];
}

@ObjectType({ description: 'A post in a list.', simpleResolvers: true })
class PostEdge {
  @Field(() => String, {
    description: 'Where it stands in this order: a value for `after` or `before`.',
  })
  cursor!: string;
  @Field(() => PostObject, { description: 'The post.' }) node!: PostObject;
}

@ObjectType({
  description: 'A part of a list of posts, and what was asked about the whole.',
  simpleResolvers: true,
})
export class PostConnection {
  @Field(() => [PostEdge], { description: 'The posts with their cursors.' }) edges!: PostEdge[];
  @Field(() => [PostObject], { description: 'The posts.' }) nodes!: PostObject[];
  @Field(() => PageInfo, { description: 'Where this part lies in the whole.' }) pageInfo!: PageInfo;
  @Field(() => Int, { description: 'Posts that match, exactly; costs nothing when not asked for.' })
  totalCount!: number;
  @Field(() => PostFacetsObject, {
    description: 'How the posts that match fall apart; costs nothing when not asked for.',
  })
  facets!: PostFacetsObject;
}
