/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Where a change goes. */
export type AppliesTo =
  /** The change stays in the service’s own records. (Update post, rule 3) */
  | 'SERVICE'
  /** The change is made on the social network too. (Update post, rule 6) */
  | 'SERVICE_AND_NETWORK';

/** One block of a rich text (Update post, content; D25): kept as given. */
export type ContentBlockInput = {
  /** The block’s own data; it is kept as given. */
  data: unknown;
  /** paragraph, header, list, media, table, delimiter, code, html or quote (D6). */
  type: string;
};

/** What happens to the other posts when one may not be deleted (D31). */
export type DeletePolicy =
  /** Deletes nothing if one id is refused. (D31) */
  | 'ALL_OR_NOTHING'
  /** Deletes what may be deleted and says for each other id why not. (D31) */
  | 'SKIP_REFUSED';

/** A deletion of up to 100 posts. */
export type DeletePostsInput = {
  /** Comes back unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Runs every rule and answers as it would; nothing is changed, made, queued or recorded (D28). */
  dryRun?: boolean;
  /** 1 to 255 characters, kept 24 hours: the same input again gives the recorded outcome, another input is IDEMPOTENCY_MISMATCH (D27). */
  idempotencyKey?: string | null | undefined;
  /** 1 to 100 posts, each by either of its ids; two ids of one post count once (D30). */
  ids: Array<string | number>;
  /** What happens to the others when one is refused (D31). */
  policy?: DeletePolicy;
};

/** Settings of one network or type; keys left out keep their value (Update post, details object; D20). */
export type DetailsInput = {
  /** Name of the sound. */
  audio?: string | null | undefined;
  /** Let the network add music. */
  autoAddMusic?: boolean | null | undefined;
  /** Allow the post to be boosted. */
  boost?: boolean | null | undefined;
  /** Allow comments. */
  comment?: boolean | null | undefined;
  /** An offer’s coupon code. */
  coupon?: string | null | undefined;
  /** Allow duets. */
  duet?: boolean | null | undefined;
  /** When an event ends. */
  end?: string | null | undefined;
  /** Share a reel to the feed too. */
  feed?: boolean | null | undefined;
  /** Language of the text, as a BCP 47 tag. */
  language?: string | null | undefined;
  /** It is paid for. */
  paid?: boolean | null | undefined;
  /** Who may see it: the words of the post’s network (D6). */
  privacy?: string | null | undefined;
  /** It promotes the author’s own business. */
  promotional?: boolean | null | undefined;
  /** Remind a person to publish instead of publishing (D12). */
  reminder?: boolean | null | undefined;
  /** Who pays. */
  sponsor?: SponsorInput | null | undefined;
  /** When an event starts. */
  start?: string | null | undefined;
  /** Allow stitches. */
  stitch?: boolean | null | undefined;
  /** An offer’s terms. */
  terms?: string | null | undefined;
  /** Background of a text-only post on the large general network. */
  textFormatPresetId?: string | null | undefined;
  /** An event’s title. */
  title?: string | null | undefined;
  /** reel, story, short, document, photo, event, offer or long_post (D6). */
  type?: string | null | undefined;
};

/** Every code of a refusal, with its v1 status; v1 answers with the same codes (D41). */
export type ErrorCode =
  /** The workspace requires approval, which this member may not give. (v1 status 422) */
  | 'APPROVAL_REQUIRED'
  /** The input is malformed; every problem is named with its path and what is allowed. (v1 status 400) */
  | 'BAD_USER_INPUT'
  /** The post has another version than the one expected; nothing was applied. (v1 status 412) */
  | 'CONFLICT'
  /** The change would put more posts into 24 hours than the plan allows. (v1 status 422) */
  | 'DAILY_LIMIT_EXCEEDED'
  /** The post exists but is not accessible, or the viewer has no right to do this. (v1 status 403) */
  | 'FORBIDDEN'
  /** A key was sent over plain HTTP. (v1 status 403) */
  | 'HTTPS_REQUIRED'
  /** A request with the same idempotency key has been running for over 10 seconds. (v1 status 409) */
  | 'IDEMPOTENCY_IN_FLIGHT'
  /** The idempotency key was used before with another input. (v1 status 422) */
  | 'IDEMPOTENCY_MISMATCH'
  /** A fault of ours; X-Request-Id finds it in the log. (v1 status 500) */
  | 'INTERNAL_SERVER_ERROR'
  /** No job of this workspace has that identifier. (v1 status 404) */
  | 'JOB_NOT_FOUND'
  /** No media of this workspace has that identifier. (v1 status 422) */
  | 'MEDIA_NOT_FOUND'
  /** The route exists, the method does not; the header Allow names those that do. (v1 status 405) */
  | 'METHOD_NOT_ALLOWED'
  /** The key lacks the scope that the route or field needs. (v1 status 403) */
  | 'MISSING_SCOPE'
  /** The header Service-Workspace-Id is missing. (v1 status 403) */
  | 'MISSING_WORKSPACE'
  /** The key’s user is not a member of the workspace. (v1 status 403) */
  | 'NOT_A_MEMBER'
  /** No such route. (v1 status 404) */
  | 'NOT_FOUND'
  /** The post is not on the sandbox network. (v1 status 404) */
  | 'NOT_IN_SANDBOX'
  /** The request body is larger than 1 MB. (v1 status 413) */
  | 'PAYLOAD_TOO_LARGE'
  /** The key’s user is not on the business plan. (v1 status 403) */
  | 'PLAN_REQUIRED'
  /** No post has that identifier. (v1 status 422) */
  | 'POST_NOT_FOUND'
  /** The operation costs more than allowed. (v1 status 400) */
  | 'QUERY_TOO_COMPLEX'
  /** The operation nests deeper than allowed. (v1 status 400) */
  | 'QUERY_TOO_DEEP'
  /** Rate limit exceeded. Retry later. (v1 status 429) */
  | 'RATE_LIMITED'
  /** A rule of the interface refuses the change; one message for each refused field. (v1 status 422) */
  | 'RULE_VIOLATION'
  /** The operation has more aliases than allowed. (v1 status 400) */
  | 'TOO_MANY_ALIASES'
  /** The operation has more directives than allowed. (v1 status 400) */
  | 'TOO_MANY_DIRECTIVES'
  /** The operation has more fields, root fields or mutations than allowed. (v1 status 400) */
  | 'TOO_MANY_FIELDS'
  /** The document has more tokens than allowed. (v1 status 400) */
  | 'TOO_MANY_TOKENS'
  /** The key is missing, malformed, unknown, revoked or expired. (v1 status 401) */
  | 'UNAUTHENTICATED'
  /** Something the gateway depends on is away or too slow, or there is more to do than can be done; Retry-After says when to try again. (v1 status 503) */
  | 'UNAVAILABLE'
  /** The body is not JSON. (v1 status 415) */
  | 'UNSUPPORTED_MEDIA_TYPE';

/** The picture that stands for a blog post (Update post). */
export type FeaturedMediaInput = {
  /** Its https URL, up to 2,048 characters; the server does not fetch it (D20). */
  path: string;
};

/** What a job does. */
export type JobKind =
  /** Brings posts in from an export. (D7) */
  | 'IMPORT'
  /** Brings the change of a published post to its social network. (Update post, rule 6) */
  | 'NETWORK_EDIT'
  /** Delivers a notification. (Update post, rule 5) */
  | 'NOTIFICATION'
  /** Removes what has expired. (D32) */
  | 'PURGE';

/** How far a job is (D42). */
export type JobStatus =
  /** Finished; `failures` names what did not work, if anything. (Job status (asynchronous operations)) */
  | 'COMPLETED'
  /** Finished with nothing done; `failures` says why. (D42) */
  | 'FAILED'
  /** Queued or running. (D42) */
  | 'WORKING';

/** A label by its name: found ignoring case, with the colour it has, or made (D20). */
export type LabelInput = {
  /** Colour of a new label, `#rrggbb`; #808080 when left out. */
  color?: string | null | undefined;
  /** Its name. */
  name: string;
};

/** A link and its preview (Update post, link object). */
export type LinkInput = {
  /** The button’s action. */
  callToAction?: string | null | undefined;
  /** The https URL of the picture to show. */
  defaultImage?: string | null | undefined;
  /** The description to show. */
  description?: string | null | undefined;
  /** Pictures to choose from. */
  images?: Array<string> | null | undefined;
  /** The description the page itself gives. */
  originalDescription?: string | null | undefined;
  /** Pictures the page itself gives. */
  originalImages?: Array<string> | null | undefined;
  /** The title the page itself gives. */
  originalTitle?: string | null | undefined;
  /** The number that a call button dials. */
  phoneNumber?: string | null | undefined;
  /** The site’s name as shown. */
  providerDisplay?: string | null | undefined;
  /** The title to show. */
  title?: string | null | undefined;
  /** http or https; one value with the post’s `url` (D20). */
  url?: string | null | undefined;
};

/** Where the post says it is (Update post). */
export type LocationInput = {
  /** The network’s own id of the place. */
  id: string | number;
  /** The place’s name. */
  name?: string | null | undefined;
};

/** One attachment: a media item of the workspace by id, or any by path (Update post, media object; D20). */
export type MediaInput = {
  /** What it shows; a result’s `altText`. */
  caption?: string | null | undefined;
  /** Collaborators tagged in it. */
  collaboratorTags?: Array<TagInput> | null | undefined;
  /** The https URL of the thumbnail to show first. */
  defaultThumbnail?: string | null | undefined;
  /** A media item of the workspace; any other is MEDIA_NOT_FOUND. */
  id?: string | number | null | undefined;
  /** Save it into the workspace’s library. */
  inLibrary?: boolean | null | undefined;
  /** Its https URL; a result’s `url`. The server does not fetch it. */
  path?: string | null | undefined;
  /** Products tagged in it. */
  productTags?: Array<TagInput> | null | undefined;
  /** Own thumbnails. */
  thumbnails?: ThumbnailsInput | null | undefined;
  /** Title. */
  title?: string | null | undefined;
  /** People tagged in it, with their positions. */
  userTags?: Array<TagInput> | null | undefined;
};

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

/** What the interface document calls a network (D1). */
export type NetworkKind =
  /** Blog/CMS. (Update post) */
  | 'BLOG_CMS'
  /** Business-listing network. (Update post) */
  | 'BUSINESS_LISTING'
  /** Decentralized microblog. (Update post) */
  | 'DECENTRALIZED_MICROBLOG'
  /** Federated microblog. (Update post) */
  | 'FEDERATED_MICROBLOG'
  /** Large general network. (Update post) */
  | 'LARGE_GENERAL'
  /** Messaging network. (Update post) */
  | 'MESSAGING'
  /** Photo-sharing network. (Update post) */
  | 'PHOTO_SHARING'
  /** Pin board network. (Update post) */
  | 'PIN_BOARD'
  /** Professional network. (Update post) */
  | 'PROFESSIONAL'
  /** Short-message network. (Update post) */
  | 'SHORT_MESSAGE'
  /** Short-video network. (Daily post limits) */
  | 'SHORT_VIDEO'
  /** The photo-sharing network’s text-conversation app. (Update post) */
  | 'TEXT_CONVERSATION'
  /** Video network. (Update post) */
  | 'VIDEO';

/** How far the last change of a published post has come on its network (D22). */
export type NetworkSyncStatus =
  /** The network refused; `error` says why and the service keeps the edit. (D22) */
  | 'FAILED'
  /** The job that brings the change to the network has not ended. (D22) */
  | 'PENDING'
  /** A later change took this one’s place. (D22) */
  | 'SUPERSEDED'
  /** The network shows the saved state. (D22) */
  | 'SYNCED';

/** The plan of a user; a workspace has its owner’s (D34). */
export type Plan =
  /** Business plan: the plan this interface is for. (What the service does) */
  | 'BUSINESS'
  /** Free plan: no access to this interface. (Daily post limits) */
  | 'FREE'
  /** Professional plan: no access to this interface. (Daily post limits) */
  | 'PROFESSIONAL';

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

/** What an update changes: the document’s 20 fields, and `scheduledAt` (D29). A field left out keeps its value, null clears it, a list replaces, an object merges key by key (D20). On a published post only the fields of `networks.editable` may change. */
export type PostPatch = {
  /** Categories. */
  categories?: Array<string> | null | undefined;
  /** Blocks of a rich text; a blog gets them as HTML (D25). */
  content?: Array<ContentBlockInput> | null | undefined;
  /** Settings of one network or type. */
  details?: DetailsInput | null | undefined;
  /** How long a poll runs, in days (D6). */
  duration?: number | null | undefined;
  /** Excerpt, on some networks. */
  excerpt?: string | null | undefined;
  /** The picture that stands for a blog post. */
  featuredMedia?: FeaturedMediaInput | null | undefined;
  /** The whole set of labels. They may change on every published post. */
  labels?: Array<LabelInput> | null | undefined;
  /** Link and preview. */
  link?: LinkInput | null | undefined;
  /** Where the post says it is. */
  location?: LocationInput | null | undefined;
  /** Attachments in their order; the list replaces. */
  media?: Array<MediaInput> | null | undefined;
  /** A poll’s options. */
  options?: Array<string> | null | undefined;
  /** A poll’s question. */
  question?: string | null | undefined;
  /** The rule of a series; a change re-dates, makes or removes future children (D23). */
  recurring?: RecurringInput | null | undefined;
  /** How it is published again. */
  recycling?: RecyclingInput | null | undefined;
  /** New time of a scheduled post, draft or future child, at least one minute ahead; daily caps apply (D29, D39). */
  scheduledAt?: string | null | undefined;
  /** Further links; each needs its `url`. */
  sublinks?: Array<LinkInput> | null | undefined;
  /** Tags. */
  tags?: Array<string> | null | undefined;
  /** Main text. Published posts: up to 5,000 code points on the video network, 1,500 on the business-listing network. */
  text?: string | null | undefined;
  /** Title, on some networks; up to 100 code points on published posts of the video network. */
  title?: string | null | undefined;
  /** One of the types that the post’s network has; it cannot be null. */
  type?: PostType | null | undefined;
  /** URL of a link post, one value with `link.url`; on the blog the slug (D20, D22). */
  url?: string | null | undefined;
};

/** What a post carries: always the most specific value (D9). */
export type PostState =
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
  /** Published, then deleted on the network. (States and transitions) */
  | 'PUBLISHED_DELETED'
  /** Published, hidden. (States and transitions) */
  | 'PUBLISHED_HIDDEN'
  /** Successfully published. (States and transitions) */
  | 'PUBLISHED_POSTED'
  /** Recurring series (their children carry states of their own). (States and transitions) */
  | 'RECURRING'
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

/** The rule of a series, in the request’s words; keys left out keep their value (Update post, recurring object; D8, D23). */
export type RecurringInput = {
  /** Weekdays: 0 to 6 with 0 = Monday, or their names (D6). */
  daysOfWeek?: Array<unknown> | null | undefined;
  /** No occurrence after it: a date or a datetime with its offset. */
  endDate?: string | null | undefined;
  /** daily, weekly, monthly or yearly (D6). */
  repeat?: string | null | undefined;
  /** Every so many of `repeat`; at least 1. */
  repeatRate?: number | null | undefined;
  /** First occurrence: a date (midnight in the workspace’s zone) or a datetime with its offset. */
  startDate?: string | null | undefined;
};

/** How a post is published again and again; keys left out keep their value (Update post, recycling object). */
export type RecyclingInput = {
  /** Number of publications before it expires; at least 1. */
  expireCount?: number | null | undefined;
  /** Last day, YYYY-MM-DD. */
  expireDate?: string | null | undefined;
  /** Distance between two publications, in `gapFreq`; at least 1. */
  gap?: number | null | undefined;
  /** Unit of `gap`: days, weeks or months (D6). */
  gapFreq?: string | null | undefined;
  /** Label of the group it recycles with. */
  label?: string | null | undefined;
  /** Recycle alone, not with others of its label. */
  solo?: boolean | null | undefined;
  /** First day, YYYY-MM-DD. */
  startDate?: string | null | undefined;
};

/** What a member is in a workspace (D4). */
export type Role =
  /** Has post-action access and may approve. (D4) */
  | 'ADMIN'
  /** Edits own posts; others’ with post-action access. Restricted: may not approve. (D4) */
  | 'EDITOR'
  /** Owns the workspace: may do everything in it, approve included. (D4) */
  | 'OWNER'
  /** Reads; edits and deletes nothing, own posts included. (D4) */
  | 'VIEWER';

/** Who pays for a promotional post (Update post, details object). */
export type SponsorInput = {
  /** Whether the sponsor may boost the post. */
  boost?: boolean | null | undefined;
  /** The network’s own id of the sponsor. */
  id?: string | number | null | undefined;
  /** The sponsor’s name. */
  name?: string | null | undefined;
  /** Whether the network has verified the sponsor. */
  verified?: boolean | null | undefined;
};

/** Someone or something tagged in a picture (Update post, media object). */
export type TagInput = {
  /** The network’s own id of what is tagged. */
  id?: string | number | null | undefined;
  /** Its name on the network. */
  name?: string | null | undefined;
  /** Distance from the left edge, as a fraction: 0 to 1. */
  x?: number | null | undefined;
  /** Distance from the top edge, as a fraction: 0 to 1. */
  y?: number | null | undefined;
};

/** Two sizes of a thumbnail; both are https URLs (Update post, media object). */
export type ThumbnailsInput = {
  /** In full size. */
  real?: string | null | undefined;
  /** In small size. */
  small?: string | null | undefined;
};

/** One update of one post. */
export type UpdatePostInput = {
  /** Comes back unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Runs every rule and answers as it would; nothing is changed, made, queued or recorded (D28). */
  dryRun?: boolean;
  /** The version the change was made on; another one there is CONFLICT (D26). */
  expectedVersion?: number | null | undefined;
  /** The post, by either of its ids (D3). */
  id: string | number;
  /** 1 to 255 characters, kept 24 hours: the same input again gives the recorded outcome, another input is IDEMPOTENCY_MISMATCH (D27). */
  idempotencyKey?: string | null | undefined;
  /** What changes. An empty one changes nothing and raises no version. */
  post: PostPatch;
};

export type DeletePostsMutationVariables = Exact<{
  input: DeletePostsInput;
}>;


export type DeletePostsMutation = { deletePosts: { deletedIds: Array<string>, results: Array<{ id: string, deleted: boolean, code: ErrorCode | null, message: string | null }>, userErrors: Array<{ code: ErrorCode, message: string }> } };

export type JobStatusQueryVariables = Exact<{
  id: string | number;
}>;


export type JobStatusQuery = { jobStatus: { id: string, kind: JobKind, status: JobStatus, progress: number, createdAt: string, finishedAt: string | null, failures: Array<{ id: string, code: string, message: string }>, post: { id: string, text: string, networkSync: { status: NetworkSyncStatus, error: string | null } | null } | null } | null };

export type ListPostsQueryVariables = Exact<{
  filter?: PostFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ListPostsQuery = { posts: { totalCount: number, nodes: Array<{ id: string, text: string, state: PostState, type: PostType, network: Network | null, scheduledAt: string | null, account: { id: string, name: string } | null, labels: Array<{ name: string, color: string }> }>, facets: { states: Array<{ state: PostState, count: number }>, networks: Array<{ network: Network, count: number }> }, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PostRightsQueryVariables = Exact<{
  id: string | number;
}>;


export type PostRightsQuery = { post: { id: string, version: number, text: string, state: PostState, network: Network | null, editability: Array<{ field: string, allowed: boolean, reason: string | null, rule: string | null, maxLength: number | null, appliesTo: AppliesTo }>, deletability: { allowed: boolean, code: ErrorCode | null, reason: string | null }, networkSync: { status: NetworkSyncStatus, error: string | null, attemptedAt: string | null } | null } | null };

export type RuleTablesQueryVariables = Exact<{ [key: string]: never; }>;


export type RuleTablesQuery = { networks: Array<{ network: Network, kind: NetworkKind, editable: Array<{ field: string, maxLength: number | null, types: Array<PostType>, appliesTo: AppliesTo }>, dailyCaps: Array<{ postKind: string, accountTypes: Array<string>, plan: Plan, limit: number }>, adapter: { edits: boolean, verified: boolean, note: string | null } }> };

export type PlaygroundStartQueryVariables = Exact<{ [key: string]: never; }>;


export type PlaygroundStartQuery = { viewer: { role: Role | null, user: { name: string }, workspace: { name: string } | null }, published: { nodes: Array<{ id: string, networkSync: { job: { id: string } | null } | null }> }, scheduled: { nodes: Array<{ id: string, deletability: { allowed: boolean } }> } };

export type UpdatePostMutationVariables = Exact<{
  input: UpdatePostInput;
}>;


export type UpdatePostMutation = { updatePost: { post: { id: string, text: string, version: number, state: PostState, labels: Array<{ name: string, color: string }>, networkSync: { status: NetworkSyncStatus } | null } | null, job: { id: string, status: JobStatus } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, rule: string | null }> } };

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

export const DeletePostsDocument = new TypedDocumentString(`
    mutation DeletePosts($input: DeletePostsInput!) {
  deletePosts(input: $input) {
    deletedIds
    results {
      id
      deleted
      code
      message
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeletePostsMutation, DeletePostsMutationVariables>;
export const JobStatusDocument = new TypedDocumentString(`
    query JobStatus($id: ID!) {
  jobStatus(id: $id) {
    id
    kind
    status
    progress
    failures {
      id
      code
      message
    }
    createdAt
    finishedAt
    post {
      id
      text
      networkSync {
        status
        error
      }
    }
  }
}
    `) as unknown as TypedDocumentString<JobStatusQuery, JobStatusQueryVariables>;
export const ListPostsDocument = new TypedDocumentString(`
    query ListPosts($filter: PostFilter, $first: Int, $after: String) {
  posts(filter: $filter, first: $first, after: $after) {
    totalCount
    nodes {
      id
      text
      state
      type
      network
      scheduledAt
      account {
        id
        name
      }
      labels {
        name
        color
      }
    }
    facets {
      states {
        state
        count
      }
      networks {
        network
        count
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ListPostsQuery, ListPostsQueryVariables>;
export const PostRightsDocument = new TypedDocumentString(`
    query PostRights($id: ID!) {
  post(id: $id) {
    id
    version
    text
    state
    network
    editability {
      field
      allowed
      reason
      rule
      maxLength
      appliesTo
    }
    deletability {
      allowed
      code
      reason
    }
    networkSync {
      status
      error
      attemptedAt
    }
  }
}
    `) as unknown as TypedDocumentString<PostRightsQuery, PostRightsQueryVariables>;
export const RuleTablesDocument = new TypedDocumentString(`
    query RuleTables {
  networks {
    network
    kind
    editable {
      field
      maxLength
      types
      appliesTo
    }
    dailyCaps {
      postKind
      accountTypes
      plan
      limit
    }
    adapter {
      edits
      verified
      note
    }
  }
}
    `) as unknown as TypedDocumentString<RuleTablesQuery, RuleTablesQueryVariables>;
export const PlaygroundStartDocument = new TypedDocumentString(`
    query PlaygroundStart {
  viewer {
    user {
      name
    }
    role
    workspace {
      name
    }
  }
  published: posts(first: 100, filter: {states: [PUBLISHED_POSTED]}) {
    nodes {
      id
      networkSync {
        job {
          id
        }
      }
    }
  }
  scheduled: posts(
    first: 50
    filter: {states: [SCHEDULED]}
    orderBy: {field: SCHEDULED_AT, direction: ASC}
  ) {
    nodes {
      id
      deletability {
        allowed
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PlaygroundStartQuery, PlaygroundStartQueryVariables>;
export const UpdatePostDocument = new TypedDocumentString(`
    mutation UpdatePost($input: UpdatePostInput!) {
  updatePost(input: $input) {
    post {
      id
      text
      version
      state
      labels {
        name
        color
      }
      networkSync {
        status
      }
    }
    job {
      id
      status
    }
    userErrors {
      code
      message
      field
      rule
    }
  }
}
    `) as unknown as TypedDocumentString<UpdatePostMutation, UpdatePostMutationVariables>;