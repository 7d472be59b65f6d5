/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Social network. */
export type Network =
  /** Bluesky, a decentralized microblog. */
  | 'BLUESKY'
  /** Facebook, a large general network. */
  | 'FACEBOOK'
  /** Google Business Profile, a business-listing network. */
  | 'GOOGLE'
  /** Instagram, a photo-sharing network. */
  | 'INSTAGRAM'
  /** LinkedIn, a professional network. */
  | 'LINKEDIN'
  /** Mastodon, a federated microblog. */
  | 'MASTODON'
  /** Pinterest, a pin board network. */
  | 'PINTEREST'
  /** Telegram, a messaging network. */
  | 'TELEGRAM'
  /** Threads, Instagram’s text-conversation app. */
  | 'THREADS'
  /** TikTok, a short-video network. */
  | 'TIKTOK'
  /** X, formerly Twitter, a short-message network. */
  | 'TWITTER'
  /** WordPress, a blog and content management system. */
  | 'WORDPRESS'
  /** YouTube, a video network. */
  | 'YOUTUBE';

/** Sort direction. */
export type OrderDirection =
  /** Earliest or least first. */
  | 'ASC'
  /** Latest or most first. */
  | 'DESC';

/** Filter of a list of posts. Omitted or empty fields do not filter; several fields are combined with AND. Each list accepts up to 1,000 values. */
export type PostFilter = {
  /** Posts of these accounts. Unknown IDs match nothing. */
  accountIds?: Array<string | number> | null | undefined;
  /** Posts whose `state` is one of these, as facets count them. In `states`, SCHEDULED and the other names of groups also match their sub-states. */
  exactStates?: Array<PostState> | null | undefined;
  /** Posts scheduled at this time or later. Can be used without `to`. */
  from?: string | null | undefined;
  /** Posts that were created together, which share a `groupId`. Unknown IDs match nothing. */
  groupIds?: Array<string | number> | null | undefined;
  /** Posts with any of these labels. Unknown IDs match nothing. */
  labelIds?: Array<string | number> | null | undefined;
  /** Posts created by this user. An unknown ID matches nothing. */
  memberId?: string | number | null | undefined;
  /** Posts whose `analytics.engagement` is known, and at least this number, 0 or more. */
  minEngagement?: number | null | undefined;
  /** Posts of these networks. */
  networks?: Array<Network> | null | undefined;
  /** Posts whose publication has any of these statuses. */
  publication?: Array<PublicationStatus> | null | undefined;
  /** Search query, up to 1,000 characters. Every word must occur in the text, title, excerpt, article content, tags, categories, poll question, poll options, link title or alternative texts, ignoring case and accents. Words of three letters or more also match longer words that begin with them. Quotes search for a phrase of whole words, a leading minus excludes a word or phrase. */
  query?: string | null | undefined;
  /** Posts in any of these states or groups of states. */
  states?: Array<PostStateFilter> | null | undefined;
  /** Posts scheduled at this time or earlier. Must not be before `from`. */
  to?: string | null | undefined;
  /** Posts of these types. */
  types?: Array<PostType> | null | undefined;
};

/** Order of a list of posts. Undated posts come last in both directions; ties are ordered by ID. */
export type PostOrder = {
  /** Sort direction. */
  direction?: OrderDirection;
  /** Field to order by. */
  field?: PostOrderField;
};

/** Field to order posts by. Ties are ordered by ID. */
export type PostOrderField =
  /** By creation time. */
  | 'CREATED_AT'
  /** By `PostAnalytics.engagement`. Only posts that have it are listed, as with `minEngagement: 0`. */
  | 'ENGAGEMENT'
  /** By scheduled time. Posts without one come last in both directions. */
  | 'SCHEDULED_AT';

/** State of a post, always the most specific one. */
export type PostState =
  /** Draft with a scheduled date, neither private nor public. */
  | 'DRAFT_DATED'
  /** Private draft, visible only to its creator. */
  | 'DRAFT_PRIVATE'
  /** Public draft. */
  | 'DRAFT_PUBLIC'
  /** Draft without a scheduled date, neither private nor public. */
  | 'DRAFT_UNDATED'
  /** Publication failed. */
  | 'FAILED'
  /** Published, then deleted on the network. */
  | 'PUBLISHED_DELETED'
  /** Published, but hidden. */
  | 'PUBLISHED_HIDDEN'
  /** Successfully published. */
  | 'PUBLISHED_POSTED'
  /** Recurring series. Its occurrences are posts with their own states. */
  | 'RECURRING'
  /** Recycling is active. */
  | 'RECYCLING_ACTIVE'
  /** Recycling was declined. */
  | 'RECYCLING_DECLINED'
  /** Recycling has expired. */
  | 'RECYCLING_EXPIRED'
  /** Recycling has failed. */
  | 'RECYCLING_FAILED'
  /** Recycling is stopped: the workspace is locked. */
  | 'RECYCLING_LOCKED'
  /** Recycling is paused. */
  | 'RECYCLING_PAUSED'
  /** Recycling is pending approval. */
  | 'RECYCLING_PENDING'
  /** Recycling is stopped: the account needs reauthorization. */
  | 'RECYCLING_REAUTH'
  /** Scheduled for publication. Needs no approval. */
  | 'SCHEDULED'
  /** Scheduled and approved. */
  | 'SCHEDULED_APPROVED'
  /** Scheduled, but declined. */
  | 'SCHEDULED_DECLINED'
  /** Scheduled, but the workspace is locked. */
  | 'SCHEDULED_LOCKED'
  /** Scheduled and pending approval. */
  | 'SCHEDULED_PENDING'
  /** Scheduled, but the account needs reauthorization. */
  | 'SCHEDULED_REAUTH';

/** State to filter posts by: a state or a group of states. A group matches all of its members. */
export type PostStateFilter =
  /** All posts, regardless of state. */
  | 'ALL'
  /** All drafts. */
  | 'DRAFT'
  /** Drafts with a scheduled date. */
  | 'DRAFT_DATED'
  /** Your own private drafts. */
  | 'DRAFT_PRIVATE'
  /** Public drafts. */
  | 'DRAFT_PUBLIC'
  /** Drafts without a scheduled date. */
  | 'DRAFT_UNDATED'
  /** Publication failed. */
  | 'FAILED'
  /** All published posts. */
  | 'PUBLISHED'
  /** Published, then deleted on the network. */
  | 'PUBLISHED_DELETED'
  /** Published, but hidden. */
  | 'PUBLISHED_HIDDEN'
  /** Successfully published. */
  | 'PUBLISHED_POSTED'
  /** Recurring series. Their occurrences are posts with their own states. */
  | 'RECURRING'
  /** All recycling posts. */
  | 'RECYCLING'
  /** Recycling is active. */
  | 'RECYCLING_ACTIVE'
  /** Recycling was declined. */
  | 'RECYCLING_DECLINED'
  /** Recycling has expired. */
  | 'RECYCLING_EXPIRED'
  /** Recycling has failed. */
  | 'RECYCLING_FAILED'
  /** Recycling is stopped: the workspace is locked. */
  | 'RECYCLING_LOCKED'
  /** Recycling is paused. */
  | 'RECYCLING_PAUSED'
  /** Recycling is pending approval. */
  | 'RECYCLING_PENDING'
  /** Recycling is stopped: the account needs reauthorization. */
  | 'RECYCLING_REAUTH'
  /** All scheduled posts. */
  | 'SCHEDULED'
  /** Scheduled and approved. */
  | 'SCHEDULED_APPROVED'
  /** Scheduled, but declined. */
  | 'SCHEDULED_DECLINED'
  /** Scheduled, but the workspace is locked. */
  | 'SCHEDULED_LOCKED'
  /** Scheduled and pending approval. */
  | 'SCHEDULED_PENDING'
  /** Scheduled, but the account needs reauthorization. */
  | 'SCHEDULED_REAUTH';

/** Content type of a post. */
export type PostType =
  /** A long text made of content blocks. */
  | 'ARTICLE'
  /** Several images. */
  | 'CAROUSEL'
  /** A document, such as a PDF. */
  | 'DOCUMENT'
  /** An animated image. */
  | 'GIF'
  /** A link with a preview. */
  | 'LINK'
  /** One photo. */
  | 'PHOTO'
  /** A question with answer options. */
  | 'POLL'
  /** A reel (Facebook and Instagram only). */
  | 'REEL'
  /** A short video (YouTube only). */
  | 'SHORT'
  /** Text only. */
  | 'STATUS'
  /** A story (Facebook and Instagram only). */
  | 'STORY'
  /** A video. */
  | 'VIDEO';

/** Progress of the publication of a post. */
export type PublicationStatus =
  /** Not published. `error` contains the reason. */
  | 'FAILED'
  /** Not published, because its time has passed. */
  | 'MISSED'
  /** An attempt is being prepared. Nothing is public yet. */
  | 'PREPARING'
  /** The network has the post and is still processing it. */
  | 'PROCESSING'
  /** Published on the network. */
  | 'PUBLISHED'
  /** Handed over for publication. */
  | 'QUEUED'
  /** The post is being sent, or the gateway is finding out whether it was published. */
  | 'SENDING'
  /** It is unknown whether the post was published. Nothing is sent until a person decides. */
  | 'UNCONFIRMED'
  /** Waiting for its time, for another attempt after a failed one, or for a person to approve the post or reconnect the account. */
  | 'WAITING';

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