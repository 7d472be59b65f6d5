/** The part of the gateway's schema that the benchmark uses. */
export const SDL = `
scalar DateTime
enum PostState { SCHEDULED SCHEDULED_APPROVED SCHEDULED_PENDING SCHEDULED_DECLINED SCHEDULED_REAUTH SCHEDULED_LOCKED PUBLISHED_POSTED PUBLISHED_DELETED PUBLISHED_HIDDEN DRAFT_DATED DRAFT_UNDATED DRAFT_PRIVATE DRAFT_PUBLIC FAILED RECURRING }
enum PostStateFilter { SCHEDULED RECYCLING }
enum PostType { STATUS LINK PHOTO GIF VIDEO REEL STORY SHORT POLL DOCUMENT CAROUSEL ARTICLE }
enum Network { FACEBOOK INSTAGRAM THREADS TIKTOK TWITTER MASTODON BLUESKY LINKEDIN PINTEREST GOOGLE YOUTUBE WORDPRESS TELEGRAM }
type Query { posts(filter: PostFilter, first: Int, after: String): PostConnection! post(id: ID!): Post }
type Mutation { createPosts(input: CreatePostsInput!): CreatePostsPayload! updatePost(input: UpdatePostInput!): UpdatePostPayload! deletePosts(input: DeletePostsInput!): DeletePostsPayload! }
input PostFilter { states: [PostStateFilter!] query: String }
input UpdatePostInput { id: ID! post: PostPatch! expectedVersion: Int }
enum ShareMode { DRAFT SCHEDULE SHARE_NOW }
input PostTargetInput { accountId: ID! scheduledAt: DateTime }
input CreatePostsInput { targets: [PostTargetInput!]! post: PostPatch! mode: ShareMode! }
input PostPatch { type: PostType text: String }
input DeletePostsInput { ids: [ID!]! }
type PostConnection { nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type Post {
  id: ID! version: Int! text: String! title: String state: PostState! type: PostType! network: Network account: Account user: User!
  scheduledAt: DateTime createdAt: DateTime! updatedAt: DateTime! postLink: String hasMedia: Boolean! auto: Boolean!
  media: [Media!]! labels: [Label!]! link: Link tags: [String!]!
}
type Account { id: ID! type: String! name: String! picture: String }
type User { id: ID! name: String! picture: String }
type Media { id: ID! type: String! url: String! altText: String }
type Label { id: ID! name: String! color: String! }
type Link { url: String! title: String description: String imageUrl: String }
type UpdatePostPayload { post: Post userErrors: [UserError!]! }
type CreatePostsPayload { posts: [Post!]! userErrors: [UserError!]! }
type DeletePostsPayload { deletedIds: [ID!]! userErrors: [UserError!]! }
type UserError { code: String! message: String }
`;
