import { Field, Int, ObjectType } from 'type-graphql';
import type { Network } from '../../domain/networks/networks.js';
import type { PostState } from '../../domain/posts/states.js';
import type { PostType } from '../../domain/enums.js';
import { PageInfo, toConnection, postCursorKey, postOrder } from '../schema/connection.js';
import { NetworkEnum, PostStateEnum, PostTypeEnum } from '../schema/enums.js';
import { LabelObject } from '../label.js';
import { PostObject } from './post.type.js';
import type { PostFacets, PostOrder, PostPage } from '../../domain/posts/post-query.js';

/** Names the filter that finds the counted posts. */
const countedBy = (filter: string) => ({
  description: `Number of matching posts: \`totalCount\` of the list with \`${filter}\` in its filter.`,
});

@ObjectType({ description: 'Number of posts in a state.', simpleResolvers: true })
class StateCount {
  @Field(() => PostStateEnum, { description: 'State.' }) state!: PostState;
  @Field(() => Int, countedBy('exactStates: [<state>]')) count!: number;
}

@ObjectType({ description: 'Number of posts of a network.', simpleResolvers: true })
class NetworkCount {
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(() => Int, countedBy('networks: [<network>]')) count!: number;
}

@ObjectType({ description: 'Number of posts of a type.', simpleResolvers: true })
class TypeCount {
  @Field(() => PostTypeEnum, { description: 'Post type.' }) type!: PostType;
  @Field(() => Int, countedBy('types: [<type>]')) count!: number;
}

@ObjectType({ description: 'Number of posts with a label.', simpleResolvers: true })
class LabelCount {
  @Field(() => LabelObject, { description: 'Label.' }) label!: LabelObject;
  @Field(() => Int, countedBy('labelIds: [<ID of the label>]')) count!: number;
}

@ObjectType('PostFacets', {
  simpleResolvers: true,
  description: 'Number of matching posts by state, network, type and label.',
})
class PostFacetsObject {
  @Field(() => Boolean, {
    description:
      'Whether the counts are exact. False if more than 100,000 posts match; only 100,000 are counted then.',
  })
  exact!: boolean;
  @Field(() => [StateCount], {
    description:
      'Counts by state. Posts of a sub-state, such as SCHEDULED_APPROVED, are not counted for SCHEDULED.',
  })
  states!: StateCount[];
  @Field(() => [NetworkCount], { description: 'Counts by network.' }) networks!: NetworkCount[];
  @Field(() => [TypeCount], { description: 'Counts by type.' }) types!: TypeCount[];
  @Field(() => [LabelCount], {
    description:
      'Counts by label. A post counts once for each of its labels. If the list filters by labels, only posts that also have one of those labels are counted.',
  })
  labels!: LabelCount[];
}

@ObjectType({ description: 'Post and its cursor in a list.', simpleResolvers: true })
class PostEdge {
  @Field(() => String, {
    description: 'Cursor of this item in the order of the list, for `after` or `before`.',
  })
  cursor!: string;
  @Field(() => PostObject, { description: 'Post.' }) node!: PostObject;
}

@ObjectType({
  description: 'Page of posts, with counts of the whole list.',
  simpleResolvers: true,
})
export class PostConnection {
  @Field(() => [PostEdge], { description: 'Posts with their cursors.' }) edges!: PostEdge[];
  @Field(() => [PostObject], { description: 'Posts of this page.' }) nodes!: PostObject[];
  @Field(() => PageInfo, { description: 'Pagination details of this page.' }) pageInfo!: PageInfo;
  @Field(() => Int, { description: 'Exact number of matching posts. Counted only if selected.' })
  totalCount!: number;
  @Field(() => PostFacetsObject, {
    description:
      'Number of matching posts by state, network, type and label. Counted only if selected.',
  })
  facets!: PostFacetsObject;
}

/** Default order of a list (D14). */
export const DEFAULT_ORDER = {
  field: 'scheduled_at',
  direction: 'desc',
} as const satisfies PostOrder;

const presentFacets = (facets: PostFacets) => ({
  ...facets,
  labels: facets.labels.map(({ labelId, name, color, count }) => ({
    label: { id: labelId, name, color },
    count,
  })),
});

/** Converts a page of posts to a PostConnection. */
export const toPostConnection = (
  { posts, facets, totalCount, ...page }: PostPage,
  order: PostOrder,
) => ({
  ...toConnection({ ...page, items: posts }, postOrder(order), postCursorKey(order)),
  totalCount,
  facets: facets && presentFacets(facets),
});
