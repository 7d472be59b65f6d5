/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A social network (D1). */
export type Network =
  /** The decentralized microblog. (D1) */
  | 'BLUESKY'
  /** The large general network. (D1) */
  | 'FACEBOOK'
  /** The business-listing network. (D1) */
  | 'GOOGLE'
  /** The photo-sharing network. (D1) */
  | 'INSTAGRAM'
  /** The professional network. (D1) */
  | 'LINKEDIN'
  /** The federated microblog. (D1) */
  | 'MASTODON'
  /** The pin board network. (D1) */
  | 'PINTEREST'
  /** The messaging network. (D1) */
  | 'TELEGRAM'
  /** The text-conversation app. (D1) */
  | 'THREADS'
  /** The short-video network. (D1) */
  | 'TIKTOK'
  /** The short-message network. (D1) */
  | 'TWITTER'
  /** The blog/CMS. (D1) */
  | 'WORDPRESS'
  /** The video network. (D1) */
  | 'YOUTUBE';

/** Which end of the order comes first. */
export type OrderDirection =
  /** Earliest first. (D14) */
  | 'ASC'
  /** Latest first. (D14) */
  | 'DESC';

/** What a list of posts is narrowed to. An absent or empty part narrows nothing; several parts narrow together; a list takes up to 1,000 values (D15). */
export type PostFilter = {
  /** Posts of these accounts; unknown ones match nothing. */
  accountIds?: Array<string | number> | null | undefined;
  /** Scheduled at this time or later; needs no `to`. */
  from?: string | null | undefined;
  /** Posts with any of these labels; unknown ones match nothing. */
  labelIds?: Array<string | number> | null | undefined;
  /** Posts made by this member; an unknown one matches nothing. */
  memberId?: string | number | null | undefined;
  /** Posts of these networks. */
  networks?: Array<Network> | null | undefined;
  /** Every word must occur in text or title, ignoring case and accents; quotes make a phrase, a leading minus excludes; up to 1,000 characters (D16). */
  query?: string | null | undefined;
  /** Posts that any of these filters takes in (D10). */
  states?: Array<PostStateFilter> | null | undefined;
  /** Scheduled at this time or earlier, and not before `from`. */
  to?: string | null | undefined;
  /** Posts of these types. */
  types?: Array<PostType> | null | undefined;
};

/** Order of a list of posts; undated posts are last in both directions, ties go by id (D14). */
export type PostOrder = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** What to order by. */
  field?: PostOrderField;
};

/** What posts are ordered by; ties go by id (D14). */
export type PostOrderField =
  /** By time of creation. (D14) */
  | 'CREATED_AT'
  /** By scheduled time; undated posts come last in both directions. (D14) */
  | 'SCHEDULED_AT';

/** What a filter may name: the document’s 27 values. A group takes in all its members (D10). */
export type PostStateFilter =
  /** All posts regardless of state. (States and transitions) */
  | 'ALL'
  /** All drafts. (States and transitions) */
  | 'DRAFT'
  /** Drafts with a scheduled date. (States and transitions) */
  | 'DRAFT_DATED'
  /** Private drafts: the viewer’s own. (States and transitions) */
  | 'DRAFT_PRIVATE'
  /** Public drafts. (States and transitions) */
  | 'DRAFT_PUBLIC'
  /** Drafts without a scheduled date. (States and transitions) */
  | 'DRAFT_UNDATED'
  /** Failed to publish. (States and transitions) */
  | 'FAILED'
  /** All published posts. (States and transitions) */
  | 'PUBLISHED'
  /** Published, then deleted on the network. (States and transitions) */
  | 'PUBLISHED_DELETED'
  /** Published, hidden. (States and transitions) */
  | 'PUBLISHED_HIDDEN'
  /** Successfully published. (States and transitions) */
  | 'PUBLISHED_POSTED'
  /** Recurring series (their children carry states of their own). (States and transitions) */
  | 'RECURRING'
  /** All recycling posts. (States and transitions) */
  | 'RECYCLING'
  /** Active recycling. (States and transitions) */
  | 'RECYCLING_ACTIVE'
  /** Recycling declined. (States and transitions) */
  | 'RECYCLING_DECLINED'
  /** Expired recycling. (States and transitions) */
  | 'RECYCLING_EXPIRED'
  /** Failed recycling. (States and transitions) */
  | 'RECYCLING_FAILED'
  /** Recycling, locked by the plan. (States and transitions) */
  | 'RECYCLING_LOCKED'
  /** Paused recycling. (States and transitions) */
  | 'RECYCLING_PAUSED'
  /** Recycling pending approval. (States and transitions) */
  | 'RECYCLING_PENDING'
  /** Recycling, account needs reauthorization. (States and transitions) */
  | 'RECYCLING_REAUTH'
  /** All scheduled posts. (States and transitions) */
  | 'SCHEDULED'
  /** Scheduled and approved. (States and transitions) */
  | 'SCHEDULED_APPROVED'
  /** Scheduled, declined. (States and transitions) */
  | 'SCHEDULED_DECLINED'
  /** Scheduled, locked by the plan. (States and transitions) */
  | 'SCHEDULED_LOCKED'
  /** Scheduled, pending approval. (States and transitions) */
  | 'SCHEDULED_PENDING'
  /** Scheduled, account needs reauthorization. (States and transitions) */
  | 'SCHEDULED_REAUTH';

/** What a post is made of. */
export type PostType =
  /** A long text with content blocks. (States and transitions) */
  | 'ARTICLE'
  /** Several images. (States and transitions) */
  | 'CAROUSEL'
  /** A document. (States and transitions) */
  | 'DOCUMENT'
  /** An animated picture. (States and transitions) */
  | 'GIF'
  /** A link with its preview. (States and transitions) */
  | 'LINK'
  /** One photo. (States and transitions) */
  | 'PHOTO'
  /** A question with options. (States and transitions) */
  | 'POLL'
  /** A reel, on two networks. (States and transitions) */
  | 'REEL'
  /** A short video on the video network. (States and transitions) */
  | 'SHORT'
  /** Text only. (States and transitions) */
  | 'STATUS'
  /** A story, on two networks. (States and transitions) */
  | 'STORY'
  /** A video. (States and transitions) */
  | 'VIDEO';

export type OnePostQueryVariables = Exact<{
  id: string | number;
}>;


export type OnePostQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { text: string, version: number, id: string }
    | { id: string }
    | { id: string }
   | null };

export type PagePostsQueryVariables = Exact<{
  filter?: PostFilter | null | undefined;
  orderBy?: PostOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type PagePostsQuery = { posts: { totalCount: number, edges: Array<{ cursor: string, node: { id: string, text: string, version: number } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type PostSponsorAndPlaceQueryVariables = Exact<{
  id: string | number;
}>;


export type PostSponsorAndPlaceQuery = { post: { id: string, location: { id: string, name: string } | null, details: { sponsor: { id: string, name: string | null, boost: boolean | null } | null } | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const OnePostDocument = new TypedDocumentString(`
    query OnePost($id: ID!) {
  node(id: $id) {
    id
    ... on Post {
      text
      version
    }
  }
}
    `) as unknown as TypedDocumentString<OnePostQuery, OnePostQueryVariables>;
export const PagePostsDocument = new TypedDocumentString(`
    query PagePosts($filter: PostFilter, $orderBy: PostOrder, $first: Int, $after: String) {
  posts(filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
    totalCount
    edges {
      cursor
      node {
        id
        text
        version
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<PagePostsQuery, PagePostsQueryVariables>;
export const PostSponsorAndPlaceDocument = new TypedDocumentString(`
    query PostSponsorAndPlace($id: ID!) {
  post(id: $id) {
    id
    location {
      id
      name
    }
    details {
      sponsor {
        id
        name
        boost
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PostSponsorAndPlaceQuery, PostSponsorAndPlaceQueryVariables>;