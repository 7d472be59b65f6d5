/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Where a change is applied: in the gateway only, or on the network as well. */
export type AppliesTo =
  /** The change is made in the gateway only. */
  | 'SERVICE'
  /** The change is made in the gateway and on the social network. */
  | 'SERVICE_AND_NETWORK';

/** How a mutation treats posts that are rejected. */
export type BatchPolicy =
  /** Does nothing if any of the posts is rejected. */
  | 'ALL_OR_NOTHING'
  /** Processes the posts that are allowed and returns the reason for each of the others. */
  | 'SKIP_REFUSED';

/** Block of rich text. Stored as sent. */
export type ContentBlockInput = {
  /** Data of the block, stored as sent. Its keys depend on `type`. paragraph: text; header: text, level; list: style, items; media: url, file, type, alt, caption, link; table: rows, content, header, withHeadings, footer, caption; delimiter: mark; code: code; html: html; quote: text, caption. Texts can contain inline HTML. An item of a list is a text or {text or content, style, items}; `rows` or `content` of a table is a list of lists of texts; `file` is {url}. Texts that an article would not show are refused; keys about the look in an editor, such as `alignment`, are ignored. */
  data: unknown;
  /** Block type: paragraph, header, list, media, table, delimiter, code, html or quote. */
  type: string;
};

/** Input of `createPosts`. */
export type CreatePostsInput = {
  /** Whether to allow a post with the same account and content as another post within 24 hours. Without it, such a post is rejected with DUPLICATE_CONTENT. Content is what readers see: text, links, media, poll, type and the like. */
  allowDuplicate?: boolean;
  /** Client-defined ID, returned unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded. */
  dryRun?: boolean;
  /** Idempotency key, 1 to 255 characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH. */
  idempotencyKey?: string | null | undefined;
  /** Whether the posts become drafts, are scheduled or are published immediately. */
  mode: ShareMode;
  /** How to proceed if some of the posts cannot be created. */
  policy?: BatchPolicy;
  /** Content of all posts. `type` is required. */
  post: PostPatch;
  /** Publication time of targets without a time of their own, at least one minute in the future. Required in mode SCHEDULE, except for a series whose rule has a start. Makes a draft dated. */
  scheduledAt?: string | null | undefined;
  /** Accounts to create a post for, at most 1,000. In mode DRAFT, an empty list creates one draft without an account. */
  targets: Array<PostTargetInput>;
  /** Content that differs for a network. */
  variants?: Array<PostVariantInput> | null | undefined;
  /** Who can see the drafts, in mode DRAFT. */
  visibility?: DraftVisibility;
};

/** How a deletion proceeds when some of the posts cannot be deleted. */
export type DeletePolicy =
  /** Deletes nothing if any of the posts cannot be deleted. */
  | 'ALL_OR_NOTHING'
  /** Deletes the posts that can be deleted and returns the reason for each of the others. */
  | 'SKIP_REFUSED';

/** Input of `deletePosts`. */
export type DeletePostsInput = {
  /** Client-defined ID, returned unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded. */
  dryRun?: boolean;
  /** Idempotency key, 1 to 255 characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 100 posts, each as ID or database ID. Two IDs of the same post count once. */
  ids: Array<string | number>;
  /** Whether to remove published posts from their social networks first. A job does that, and then deletes them here. A post that its network does not remove stays, and the job says why. */
  onNetwork?: boolean;
  /** How to proceed if some of the posts cannot be deleted. */
  policy?: DeletePolicy;
};

/** What became of a message of a webhook. */
export type DeliveryStatus =
  /** The receiver responded with a status from 200 to 299. */
  | 'DELIVERED'
  /** Not delivered. The gateway makes no further attempt unless it is requested. */
  | 'FAILED'
  /** Waiting for its next attempt, or being sent. */
  | 'PENDING';

/** Settings that apply only to some networks or post types. Omitted keys keep their value. */
export type DetailsInput = {
  /** Name of the sound. */
  audio?: string | null | undefined;
  /** Whether the network adds music automatically. */
  autoAddMusic?: boolean | null | undefined;
  /** Whether the post can be boosted. */
  boost?: boolean | null | undefined;
  /** Whether to allow comments. */
  comment?: boolean | null | undefined;
  /** Coupon code of the offer. */
  coupon?: string | null | undefined;
  /** Whether to allow duets. */
  duet?: boolean | null | undefined;
  /** End of the event. */
  end?: string | null | undefined;
  /** Whether to share a reel to the feed as well. */
  feed?: boolean | null | undefined;
  /** Language of the text, as a BCP 47 tag. */
  language?: string | null | undefined;
  /** Whether the post is paid for. */
  paid?: boolean | null | undefined;
  /** Audience of the post, as a value that the network defines. */
  privacy?: string | null | undefined;
  /** Whether the post promotes the author’s own business. */
  promotional?: boolean | null | undefined;
  /** Whether to remind a person to publish the post instead of publishing it automatically. */
  reminder?: boolean | null | undefined;
  /** Sponsor of the post. */
  sponsor?: SponsorInput | null | undefined;
  /** Start of the event. */
  start?: string | null | undefined;
  /** Whether to allow stitches. */
  stitch?: boolean | null | undefined;
  /** Terms of the offer. */
  terms?: string | null | undefined;
  /** ID of the background preset of a text-only post, on Facebook. */
  textFormatPresetId?: string | null | undefined;
  /** Title of the event. */
  title?: string | null | undefined;
  /** Variant of the post: reel, story, short, document, photo, event, offer or long_post. */
  type?: string | null | undefined;
};

/** Who can see a draft. */
export type DraftVisibility =
  /** Members of the workspace, as with any other post. */
  | 'ACCOUNT'
  /** Only its creator. */
  | 'PRIVATE'
  /** A public draft of the workspace. */
  | 'PUBLIC';

/** Error code, with its HTTP status in REST v1. Both APIs use the same codes. */
export type ErrorCode =
  /** The workspace requires approval, which this member cannot give. HTTP status in v1: 422. */
  | 'APPROVAL_REQUIRED'
  /** The network does not allow the gateway’s app to connect this account: the app is in development or not approved. HTTP status in v1: 422. */
  | 'APP_NOT_APPROVED'
  /** The input is malformed. Every problem is listed with its path and the allowed values. HTTP status in v1: 400. */
  | 'BAD_USER_INPUT'
  /** The post’s version differs from the expected version. Nothing was changed. HTTP status in v1: 412. */
  | 'CONFLICT'
  /** The connection was not completed within 10 minutes. Start again. HTTP status in v1: 422. */
  | 'CONNECTION_EXPIRED'
  /** No connection in this workspace has this ID. HTTP status in v1: 404. */
  | 'CONNECTION_NOT_FOUND'
  /** The person did not give consent on the page of the network. HTTP status in v1: 422. */
  | 'CONSENT_DENIED'
  /** The cursor is too old, or belongs to another database. Read all posts again, and start with a new cursor. HTTP status in v1: 410. */
  | 'CURSOR_EXPIRED'
  /** The change would schedule more posts within 24 hours than the plan allows. HTTP status in v1: 422. */
  | 'DAILY_LIMIT_EXCEEDED'
  /** The account has another post with the same content within 24 hours of this one. HTTP status in v1: 422. */
  | 'DUPLICATE_CONTENT'
  /** The post exists but is not accessible, or you are not allowed to do this. HTTP status in v1: 403. */
  | 'FORBIDDEN'
  /** A key was sent over plain HTTP. HTTP status in v1: 403. */
  | 'HTTPS_REQUIRED'
  /** A request with the same idempotency key is still running after 10 seconds. HTTP status in v1: 409. */
  | 'IDEMPOTENCY_IN_FLIGHT'
  /** The idempotency key was already used with a different input. HTTP status in v1: 422. */
  | 'IDEMPOTENCY_MISMATCH'
  /** Internal error. Report the X-Request-Id header, which identifies the error in the server log. HTTP status in v1: 500. */
  | 'INTERNAL_SERVER_ERROR'
  /** No job in this workspace has this ID. HTTP status in v1: 404. */
  | 'JOB_NOT_FOUND'
  /** No media in this workspace has this ID. HTTP status in v1: 422. */
  | 'MEDIA_NOT_FOUND'
  /** The workspace has as many bytes of files, open upload URLs or files to import as its plan allows. HTTP status in v1: 422. */
  | 'MEDIA_QUOTA_EXCEEDED'
  /** The route does not support this method. The Allow header lists the supported methods. HTTP status in v1: 405. */
  | 'METHOD_NOT_ALLOWED'
  /** The key does not have the scope that the route or field requires. HTTP status in v1: 403. */
  | 'MISSING_SCOPE'
  /** The Service-Workspace-Id header is missing. HTTP status in v1: 403. */
  | 'MISSING_WORKSPACE'
  /** The key’s user is not a member of the workspace. HTTP status in v1: 403. */
  | 'NOT_A_MEMBER'
  /** The operator of the gateway has not set up what this needs. HTTP status in v1: 422. */
  | 'NOT_CONFIGURED'
  /** The route does not exist. HTTP status in v1: 404. */
  | 'NOT_FOUND'
  /** The post is not on the sandbox network. HTTP status in v1: 404. */
  | 'NOT_IN_SANDBOX'
  /** The posting schedule of the account has no free time within a year, or in the requested range. HTTP status in v1: 422. */
  | 'NO_FREE_SLOT'
  /** The request body or the uploaded file is too large. HTTP status in v1: 413. */
  | 'PAYLOAD_TOO_LARGE'
  /** GraphQL: the request has a persisted query instead of, or besides, a document. HTTP status in v1: 400. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The key’s user is not on the business plan. HTTP status in v1: 403. */
  | 'PLAN_REQUIRED'
  /** No post has this ID. HTTP status in v1: 422. */
  | 'POST_NOT_FOUND'
  /** The post is being published, so only its labels can be changed now. Retry after the number of seconds in the Retry-After header. HTTP status in v1: 409. */
  | 'PUBLISHING'
  /** The operation exceeds the cost limit, or its answer the size limit. HTTP status in v1: 400. */
  | 'QUERY_TOO_COMPLEX'
  /** The operation is nested too deeply. HTTP status in v1: 400. */
  | 'QUERY_TOO_DEEP'
  /** Rate limit exceeded. Retry later. HTTP status in v1: 429. */
  | 'RATE_LIMITED'
  /** A rule does not allow the change. There is one message for each rejected field. HTTP status in v1: 422. */
  | 'RULE_VIOLATION'
  /** The person did not grant all permissions that the gateway needs. HTTP status in v1: 422. */
  | 'SCOPES_MISSING'
  /** The operation has too many aliases. HTTP status in v1: 400. */
  | 'TOO_MANY_ALIASES'
  /** The operation has too many directives. HTTP status in v1: 400. */
  | 'TOO_MANY_DIRECTIVES'
  /** The operation has too many fields, root fields or mutations. HTTP status in v1: 400. */
  | 'TOO_MANY_FIELDS'
  /** The document has too many tokens. HTTP status in v1: 400. */
  | 'TOO_MANY_TOKENS'
  /** The key is missing, malformed, unknown, revoked or expired. HTTP status in v1: 401. */
  | 'UNAUTHENTICATED'
  /** The gateway is overloaded or a dependency is unavailable. Retry after the number of seconds in the Retry-After header. HTTP status in v1: 503. */
  | 'UNAVAILABLE'
  /** The request body is not JSON or, for an upload, not a form with a file. HTTP status in v1: 415. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** No webhook in this workspace has this ID. HTTP status in v1: 404. */
  | 'WEBHOOK_NOT_FOUND'
  /** The network has no API for this kind of account, such as a personal account. HTTP status in v1: 422. */
  | 'WRONG_ACCOUNT_KIND'
  /** The credentials belong to another account than the one to connect, or the account is connected in another workspace. HTTP status in v1: 422. */
  | 'WRONG_IDENTITY';

/** Cause of a publication error. */
export type ErrorSource =
  /** The account: its connection, rights or limits. */
  | 'ACCOUNT'
  /** The network, which did not accept the post. */
  | 'NETWORK'
  /** The gateway. */
  | 'SERVICE'
  /** The post: its content or its time has to change. */
  | 'USER';

/** What happened. */
export type EventType =
  /** An account was connected. */
  | 'ACCOUNT_CONNECTED'
  /** The credentials of an account were deleted. */
  | 'ACCOUNT_DISCONNECTED'
  /** The network no longer accepts the credentials of an account. */
  | 'ACCOUNT_NEEDS_REAUTHORIZATION'
  /** The credentials of an account expire soon. */
  | 'ACCOUNT_TOKEN_EXPIRING'
  /** A job has completed or failed. */
  | 'JOB_FINISHED'
  /** A label was created or changed. */
  | 'LABEL_CHANGED'
  /** The alternative text of a media item was changed, or the item was deleted. */
  | 'MEDIA_CHANGED'
  /** A media item could not be fetched. */
  | 'MEDIA_FAILED'
  /** A media item can be published. */
  | 'MEDIA_READY'
  /** A member received a notification. Among the members, only this one sees the event. */
  | 'NOTIFICATION_CREATED'
  /** The post is waiting for approval. */
  | 'POST_APPROVAL_REQUESTED'
  /** The post was approved. */
  | 'POST_APPROVED'
  /** The post was created or imported. */
  | 'POST_CREATED'
  /** Approval of the post was declined. */
  | 'POST_DECLINED'
  /** The post was deleted. */
  | 'POST_DELETED'
  /** The post could not be published. */
  | 'POST_FAILED'
  /** The post was not published, because its time was too long ago. */
  | 'POST_MISSED'
  /** The network shows the changes of the published post. */
  | 'POST_NETWORK_UPDATED'
  /** The post was published on its network. */
  | 'POST_PUBLISHED'
  /** The post became due, and its publication starts. */
  | 'POST_QUEUED'
  /** A recycling post was published again. */
  | 'POST_RECYCLED'
  /** The deleted post was restored. */
  | 'POST_RESTORED'
  /** The post was scheduled, and will be published at its scheduled time. */
  | 'POST_SCHEDULED'
  /** An occurrence of a series was not created, because of a daily cap. */
  | 'POST_SKIPPED'
  /** It is unknown whether the network published the post. A member has to decide. */
  | 'POST_UNCONFIRMED'
  /** The post is no longer on its network, but the gateway keeps its record. */
  | 'POST_UNPUBLISHED'
  /** The post became a draft again. */
  | 'POST_UNSCHEDULED'
  /** The post was changed in a way that no other type describes. */
  | 'POST_UPDATED'
  /** A test of a webhook. Sent only on request, to the webhook that is tested. */
  | 'WEBHOOK_TEST';

/** Featured image of a blog post. */
export type FeaturedMediaInput = {
  /** HTTPS URL of the image, up to 2,048 characters. The gateway fetches it only to send the post to a blog. */
  path: string;
};

/** Kind of work that a job does. */
export type JobKind =
  /** Renews the access to connected accounts, and asks their networks once a day whether they accept them. */
  | 'CONNECTION'
  /** Creates posts. If it also publishes them immediately, it ends when their publication has ended. */
  | 'CREATE'
  /** Imports posts from an export file. */
  | 'IMPORT'
  /** Fetches media files from other servers. */
  | 'MEDIA'
  /** Updates a published post on its social network. */
  | 'NETWORK_EDIT'
  /** Delivered a notification, in version 0.2.0 and earlier. */
  | 'NOTIFICATION'
  /** Reads the numbers of published posts of an account from its network. */
  | 'NUMBERS'
  /** Publishes a post on its social network. */
  | 'PUBLISH'
  /** Deletes expired records. */
  | 'PURGE'
  /** Follows the posts that `schedulePosts` or `retryPosts` publishes immediately. Ends when each of them is published, has failed, or requires someone to act. */
  | 'SHARE'
  /** Removes published posts from their social networks. May also delete them in the gateway. */
  | 'UNPUBLISH'
  /** Sends messages of a webhook again. */
  | 'WEBHOOK';

/** Status of a job. */
export type JobStatus =
  /** Finished. `failures` lists what could not be done, if anything. */
  | 'COMPLETED'
  /** Finished without doing anything. `failures` contains the reasons. */
  | 'FAILED'
  /** Queued or running. */
  | 'WORKING';

/** Label, by name (case-insensitive). An existing label keeps its color; an unknown one is created. */
export type LabelInput = {
  /** Color of a new label, `#rrggbb`. Defaults to #808080. */
  color?: string | null | undefined;
  /** Name of the label. */
  name: string;
};

/** Link with its preview. */
export type LinkInput = {
  /** Action of the button. */
  callToAction?: string | null | undefined;
  /** HTTPS URL of the preview image. */
  defaultImage?: string | null | undefined;
  /** Description of the preview. */
  description?: string | null | undefined;
  /** HTTPS URLs of the images to choose from. */
  images?: Array<string> | null | undefined;
  /** Description that the linked page provides. */
  originalDescription?: string | null | undefined;
  /** HTTPS URLs of the images that the linked page provides. */
  originalImages?: Array<string> | null | undefined;
  /** Title that the linked page provides. */
  originalTitle?: string | null | undefined;
  /** Phone number of a call button. */
  phoneNumber?: string | null | undefined;
  /** Name of the linked site, as displayed. */
  providerDisplay?: string | null | undefined;
  /** Title of the preview. */
  title?: string | null | undefined;
  /** HTTP or HTTPS URL. On the `link` of a post, the same value as the `url` of the post. */
  url?: string | null | undefined;
};

/** Place that a post is tagged with. */
export type LocationInput = {
  /** ID of the place on the network. */
  id: string | number;
  /** Name of the place. */
  name?: string | null | undefined;
};

/** Attached media item: either one of the workspace, by `id`, or any file, by `path`. */
export type MediaInput = {
  /** Alternative text, called `altText` in a result. */
  caption?: string | null | undefined;
  /** Tagged collaborators. */
  collaboratorTags?: Array<TagInput> | null | undefined;
  /** HTTPS URL of the default thumbnail. */
  defaultThumbnail?: string | null | undefined;
  /** ID of a media item of the workspace. Other IDs are rejected with MEDIA_NOT_FOUND. */
  id?: string | number | null | undefined;
  /** Whether to add the item to the media library of the workspace. */
  inLibrary?: boolean | null | undefined;
  /** HTTPS URL of the file, called `url` in a result. The gateway fetches it only to publish the post. If `id` is set, `path` must be the URL of that item. */
  path?: string | null | undefined;
  /** Tagged products. */
  productTags?: Array<TagInput> | null | undefined;
  /** Custom thumbnail. */
  thumbnails?: ThumbnailsInput | null | undefined;
  /** Title of the media item. */
  title?: string | null | undefined;
  /** Tagged users, with their positions. */
  userTags?: Array<TagInput> | null | undefined;
};

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

/** Generic name of a network, as used in the interface document, the specification of REST v1. */
export type NetworkKind =
  /** Blog/CMS. */
  | 'BLOG_CMS'
  /** Business-listing network. */
  | 'BUSINESS_LISTING'
  /** Decentralized microblog. */
  | 'DECENTRALIZED_MICROBLOG'
  /** Federated microblog. */
  | 'FEDERATED_MICROBLOG'
  /** Large general network. */
  | 'LARGE_GENERAL'
  /** Messaging network. */
  | 'MESSAGING'
  /** Photo-sharing network. */
  | 'PHOTO_SHARING'
  /** Pin board network. */
  | 'PIN_BOARD'
  /** Professional network. */
  | 'PROFESSIONAL'
  /** Short-message network. */
  | 'SHORT_MESSAGE'
  /** Short-video network. */
  | 'SHORT_VIDEO'
  /** The photo-sharing network’s text-conversation app. */
  | 'TEXT_CONVERSATION'
  /** Video network. */
  | 'VIDEO';

/** Settings that are specific to one network. Omitted keys keep their value. */
export type NetworkOptionsInput = {
  /** ID of the board to pin to, on Pinterest: digits. */
  boardId?: string | null | undefined;
  /** ID of the section of the board to pin to, on Pinterest: digits. */
  boardSectionId?: string | null | undefined;
  /** Category of a video, as an ID that YouTube defines: digits. */
  category?: string | null | undefined;
  /** Whether the post is sent without a preview of its link, on Telegram. */
  disableLinkPreview?: boolean | null | undefined;
  /** Whether the post is sent without notifying members of the channel, on Telegram. */
  disableNotification?: boolean | null | undefined;
  /** Whether the video is made for children, on YouTube. */
  madeForKids?: boolean | null | undefined;
  /** Markup of the text, on Telegram: HTML, Markdown or MarkdownV2. */
  parseMode?: string | null | undefined;
  /** ID of the playlist that the video is added to, on YouTube. */
  playlistId?: string | null | undefined;
  /** Who can reply, as a value that the network defines. */
  replySettings?: string | null | undefined;
  /** Whether media are hidden until a reader reveals them. */
  sensitive?: boolean | null | undefined;
  /** Content warning that is shown instead of the text, on Mastodon. */
  spoilerText?: string | null | undefined;
  /** Whether media contain realistic scenes that were altered or made by AI, on YouTube and TikTok. */
  syntheticContent?: boolean | null | undefined;
  /** Audience. On Mastodon: public, unlisted, private or direct. On LinkedIn: PUBLIC, CONNECTIONS or LOGGED_IN. */
  visibility?: string | null | undefined;
};

/** Status of the last update of a published post on its network. */
export type NetworkSyncStatus =
  /** The network rejected the update; `error` contains the reason. The gateway keeps the edit. */
  | 'FAILED'
  /** The network update is queued or running. */
  | 'PENDING'
  /** A later change replaced this one before it reached the network. */
  | 'SUPERSEDED'
  /** The network shows the saved post. */
  | 'SYNCED';

/** Subscription plan of a user. A workspace has the plan of its owner. */
export type Plan =
  /** Business plan, with API access. */
  | 'BUSINESS'
  /** Free plan, without API access. */
  | 'FREE'
  /** Professional plan, without API access. */
  | 'PROFESSIONAL';

/** Action that members can perform on posts. */
export type PostAction =
  /** Give the post the next free time of the posting schedule of its account. */
  | 'ADD_TO_QUEUE'
  /** Approve the post, with `reviewPosts`. */
  | 'APPROVE'
  /** Decline the post, with `reviewPosts`. */
  | 'DECLINE'
  /** Delete the post with `deletePosts`. */
  | 'DELETE'
  /** Change fields with `updatePost`. `editability` lists the fields. */
  | 'EDIT'
  /** Make the post a draft, with `schedulePosts` in mode DRAFT. */
  | 'MOVE_TO_DRAFTS'
  /** Pause a recycling post with `pausePosts`. */
  | 'PAUSE'
  /** Request approval for the post, with `reviewPosts`. */
  | 'REQUEST_APPROVAL'
  /** Record with `resolvePublication` whether the post is on its network, if its publication is unconfirmed or its reminder is due. */
  | 'RESOLVE'
  /** Restore a deleted post with `restorePosts`, within 30 days. */
  | 'RESTORE'
  /** Resume a recycling post with `resumePosts`. */
  | 'RESUME'
  /** Publish a post with `retryPosts`, after its publication did not succeed. */
  | 'RETRY'
  /** Go back to an earlier version with `revertPost`. `history` lists the versions. */
  | 'REVERT'
  /** Schedule the post, or change its time, with `schedulePosts`. */
  | 'SCHEDULE'
  /** Publish the post immediately, with `schedulePosts`. */
  | 'SHARE_NOW'
  /** Remove the post from its network with `unpublishPosts`. The gateway keeps its record. */
  | 'UNPUBLISH';

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

/** Changes to a post. Omitted fields keep their value, null clears a field, a list replaces the current list, and an object is merged key by key. On a published post, only the fields listed in `networks.editable` can be changed. */
export type PostPatch = {
  /** Categories of the post. */
  categories?: Array<string> | null | undefined;
  /** Rich text, as blocks. Sent to a blog as HTML. */
  content?: Array<ContentBlockInput> | null | undefined;
  /** Settings that apply only to some networks or post types. */
  details?: DetailsInput | null | undefined;
  /** Duration of a poll, in days. */
  duration?: number | null | undefined;
  /** Excerpt, on networks that have excerpts. */
  excerpt?: string | null | undefined;
  /** Featured image of a blog post. */
  featuredMedia?: FeaturedMediaInput | null | undefined;
  /** All labels of the post. Replaces the current labels. Labels can be changed on every published post. */
  labels?: Array<LabelInput> | null | undefined;
  /** Link of the post, with its preview. */
  link?: LinkInput | null | undefined;
  /** Place that the post is tagged with. */
  location?: LocationInput | null | undefined;
  /** Attached media, in order. Replaces the current list. */
  media?: Array<MediaInput> | null | undefined;
  /** Settings that are specific to one network. */
  networkOptions?: NetworkOptionsInput | null | undefined;
  /** Options of a poll. */
  options?: Array<string> | null | undefined;
  /** Question of a poll. */
  question?: string | null | undefined;
  /** Recurrence rule of a series. A change reschedules, creates or deletes future occurrences. */
  recurring?: RecurringInput | null | undefined;
  /** Repeated publication of the post. */
  recycling?: RecyclingInput | null | undefined;
  /** New time of a scheduled post, draft or future occurrence, at least one minute in the future. Daily caps apply. */
  scheduledAt?: string | null | undefined;
  /** Additional links. Each requires a `url`. */
  sublinks?: Array<LinkInput> | null | undefined;
  /** Tags of the post. */
  tags?: Array<string> | null | undefined;
  /** Main text. On published posts, up to 5,000 code points on YouTube and 1,500 on Google Business Profile. */
  text?: string | null | undefined;
  /** Title, on networks that have titles. Up to 100 code points on posts published on YouTube. */
  title?: string | null | undefined;
  /** Content type, one of the types that the network of the post supports. Cannot be null. */
  type?: PostType | null | undefined;
  /** URL of a link post, the same value as `link.url`. Slug of a blog post. */
  url?: string | null | undefined;
};

/** Post and the version that the decision is based on. */
export type PostRefInput = {
  /** Version of the post that the decision is based on, required to approve. If the post has another version, it is rejected with CONFLICT. */
  expectedVersion?: number | null | undefined;
  /** ID or database ID of the post. */
  id: string | number;
};

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

/** Account to create a post for. */
export type PostTargetInput = {
  /** ID of the account. */
  accountId: string | number;
  /** Fields that differ for this account. They replace those of the variant and of the common post; objects are merged key by key. */
  post?: PostPatch | null | undefined;
  /** Publication time of this post. Defaults to `scheduledAt` of the input. */
  scheduledAt?: string | null | undefined;
};

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

/** Content that differs for all accounts of a network. */
export type PostVariantInput = {
  /** Network. Each network has at most one variant. */
  network: Network;
  /** Fields that replace those of the common post; objects are merged key by key. */
  post: PostPatch;
};

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

/** Recurrence rule of a series. Omitted keys keep their value. */
export type RecurringInput = {
  /** Weekdays, as numbers 0 (Monday) to 6 (Sunday) or English names. */
  daysOfWeek?: Array<unknown> | null | undefined;
  /** End of the series, inclusive: a date or a date and time with an offset. */
  endDate?: string | null | undefined;
  /** Unit of repetition: daily, weekly, monthly or yearly. */
  repeat?: string | null | undefined;
  /** Interval between occurrences, in units of `repeat`, at least 1. */
  repeatRate?: number | null | undefined;
  /** First occurrence: a date (midnight in the time zone of the workspace) or a date and time with an offset. */
  startDate?: string | null | undefined;
};

/** Repeated publication of a post. Omitted keys keep their value. */
export type RecyclingInput = {
  /** Number of repetitions after the first publication, at least 1. Then recycling ends. */
  expireCount?: number | null | undefined;
  /** Last day, as YYYY-MM-DD. */
  expireDate?: string | null | undefined;
  /** Interval between two publications, in units of `gapFreq`, at least 1. */
  gap?: number | null | undefined;
  /** Unit of `gap`: days, weeks or months. */
  gapFreq?: string | null | undefined;
  /** Label of the group of posts that the post is recycled with. */
  label?: string | null | undefined;
  /** Whether the previous publication is removed from the network after each new one. */
  solo?: boolean | null | undefined;
  /** First day, as YYYY-MM-DD. */
  startDate?: string | null | undefined;
};

/** Input of `retryPosts`. */
export type RetryPostsInput = {
  /** Whether to allow a post with the same account and content as another post within 24 hours. Without it, such a post is rejected with DUPLICATE_CONTENT. Content is what readers see: text, links, media, poll, type and the like. */
  allowDuplicate?: boolean;
  /** Client-defined ID, returned unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Whether you have checked that the posts are not on their networks. Required for posts whose publication is UNCONFIRMED. */
  confirmNotLive?: boolean;
  /** Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded. */
  dryRun?: boolean;
  /** Idempotency key, 1 to 255 characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH. */
  idempotencyKey?: string | null | undefined;
  /** 1 to 100 posts, each as ID or database ID. Two IDs of the same post count once. */
  ids: Array<string | number>;
  /** How to proceed if the action cannot be performed on some of the posts. */
  policy?: BatchPolicy;
};

/** Decision about posts that need approval. */
export type ReviewDecision =
  /** Approve the posts: they are published at their scheduled time. */
  | 'APPROVE'
  /** Decline the posts: they are not published. Their creators are notified. */
  | 'DECLINE'
  /** Request approval: the posts are not published until they are approved. */
  | 'REQUEST';

/** Input of `reviewPosts`. */
export type ReviewPostsInput = {
  /** Client-defined ID, returned unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Decision about all posts. */
  decision: ReviewDecision;
  /** Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded. */
  dryRun?: boolean;
  /** Idempotency key, 1 to 255 characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH. */
  idempotencyKey?: string | null | undefined;
  /** Reason, kept in the history of the posts. Required to decline. */
  note?: string | null | undefined;
  /** How to proceed if the decision is rejected for some of the posts. */
  policy?: BatchPolicy;
  /** 1 to 100 posts. Two IDs of the same post count once; with different versions, the post is rejected. A decision about a series also applies to its future occurrences. */
  posts: Array<PostRefInput>;
  /** Whether posts whose time has passed are published when they are approved. */
  publishLate?: boolean;
};

/** Role of a member in a workspace. */
export type Role =
  /** Can edit and delete posts of other members (post-action access), and approve posts. */
  | 'ADMIN'
  /** Can edit and delete their own posts and, with post-action access, those of other members. Cannot approve posts. */
  | 'EDITOR'
  /** Owns the workspace. Has all rights in it, including approval. */
  | 'OWNER'
  /** Read-only access: cannot edit or delete posts, including their own. */
  | 'VIEWER';

/** Permission of an API key, fixed when the key is created. POSTS implies POSTS_READ and POSTS_WRITE. */
export type Scope =
  /** Read the accounts of the selected workspace. */
  | 'ACCOUNTS'
  /** Connect and disconnect accounts. For owners and admins. */
  | 'CONNECTIONS'
  /** Read the media library, and add media. */
  | 'MEDIA'
  /** Read, create, update and delete posts. Includes `posts:read` and `posts:write`. */
  | 'POSTS'
  /** Read posts, jobs and labels. */
  | 'POSTS_READ'
  /** Create, update and delete posts. */
  | 'POSTS_WRITE'
  /** Manage the webhooks of the workspace. For owners and admins. */
  | 'WEBHOOKS'
  /** Read the user’s workspaces. */
  | 'WORKSPACES';

/** Whether posts become drafts, are scheduled or are published immediately. */
export type ShareMode =
  /** Posts that are published at the next free time in the posting schedule of their account. */
  | 'ADD_TO_QUEUE'
  /** Drafts, with or without a date. */
  | 'DRAFT'
  /** Posts that are published at their scheduled time. */
  | 'SCHEDULE'
  /** Posts that are published immediately. */
  | 'SHARE_NOW';

/** Sponsor of a promotional post. */
export type SponsorInput = {
  /** Whether the sponsor can boost the post. */
  boost?: boolean | null | undefined;
  /** ID of the sponsor on the network. */
  id?: string | number | null | undefined;
  /** Name of the sponsor. */
  name?: string | null | undefined;
  /** Whether the network has verified the sponsor. */
  verified?: boolean | null | undefined;
};

/** User or product tagged in a media item. */
export type TagInput = {
  /** ID of the tagged user or product on the network. */
  id?: string | number | null | undefined;
  /** Name of the tagged user or product on the network. */
  name?: string | null | undefined;
  /** Distance from the left edge, as a fraction of the width: 0 to 1. */
  x?: number | null | undefined;
  /** Distance from the top edge, as a fraction of the height: 0 to 1. */
  y?: number | null | undefined;
};

/** Thumbnail in two sizes, each as an HTTPS URL. */
export type ThumbnailsInput = {
  /** HTTPS URL of the thumbnail in full size. */
  real?: string | null | undefined;
  /** HTTPS URL of the thumbnail in small size. */
  small?: string | null | undefined;
};

/** Input of `updatePost`. */
export type UpdatePostInput = {
  /** Whether to allow a post with the same account and content as another post within 24 hours. Without it, such a post is rejected with DUPLICATE_CONTENT. Content is what readers see: text, links, media, poll, type and the like. */
  allowDuplicate?: boolean;
  /** Client-defined ID, returned unchanged in the payload. */
  clientMutationId?: string | null | undefined;
  /** Whether to only validate the request. Every rule is checked and the expected result is returned; nothing is changed, queued or recorded. Records that would be created have placeholder IDs such as `dry_run_label_1`, `dry_run_media_1` and `dry_run_post_1`, and the database ID 0. */
  dryRun?: boolean;
  /** Version of the post that the change is based on. If the post has another version, the update is rejected with CONFLICT. */
  expectedVersion?: number | null | undefined;
  /** ID or database ID of the post. */
  id: string | number;
  /** Idempotency key, 1 to 255 characters, stored for 24 hours. Repeating the request with the same input returns the recorded result; another input is rejected with IDEMPOTENCY_MISMATCH. */
  idempotencyKey?: string | null | undefined;
  /** Changes to apply. An empty object changes nothing and does not increase `version`. */
  post: PostPatch;
};

/** Whether a webhook receives events. */
export type WebhookStatus =
  /** Events are sent to the receiver. */
  | 'ACTIVE'
  /** Nothing is sent. The gateway disables a webhook if its receiver responds with 410, or has failed for three days. */
  | 'DISABLED';

export type BestPostsQueryVariables = Exact<{
  filter?: PostFilter | null | undefined;
  first?: number | null | undefined;
}>;


export type BestPostsQuery = { posts: { totalCount: number, nodes: Array<{ id: string, text: string, network: Network | null, analytics: { engagement: number | null, reach: number | null, likes: number | null, comments: number | null, shares: number | null, updatedAt: string } | null, analyticsHistory: Array<{ engagement: number | null, updatedAt: string }> }> } };

export type CreatePostsMutationVariables = Exact<{
  input: CreatePostsInput;
}>;


export type CreatePostsMutation = { createPosts: { results: Array<{ index: number, accountId: string | null, state: PostState | null, scheduledAt: string | null, message: string | null }>, posts: Array<{ id: string, network: Network | null, text: string }>, userErrors: Array<{ code: ErrorCode, field: Array<string> | null, message: string, rule: string | null }> } };

export type DeletePostsMutationVariables = Exact<{
  input: DeletePostsInput;
}>;


export type DeletePostsMutation = { deletePosts: { deletedIds: Array<string>, results: Array<{ id: string, deleted: boolean, code: ErrorCode | null, message: string | null }>, userErrors: Array<{ code: ErrorCode, message: string }> } };

export type FailedPostsQueryVariables = Exact<{
  first?: number | null | undefined;
}>;


export type FailedPostsQuery = { posts: { nodes: Array<{ id: string, text: string, network: Network | null, stateReason: string, publication: { status: PublicationStatus, attempts: number, error: { code: string, message: string, source: ErrorSource, retryable: boolean } | null } | null, actions: Array<{ action: PostAction, allowed: boolean, reason: string | null }> }> } };

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

export type LiveEventsSubscriptionVariables = Exact<{
  types?: Array<EventType> | EventType | null | undefined;
}>;


export type LiveEventsSubscription = { events: { type: EventType, at: string, postId: string | null, stateBefore: PostState | null, stateAfter: PostState | null, fields: Array<string>, cursor: string, user: { name: string } | null, post: { state: PostState, text: string } | null } };

export type PostRightsQueryVariables = Exact<{
  id: string | number;
}>;


export type PostRightsQuery = { post: { id: string, version: number, text: string, state: PostState, network: Network | null, editability: Array<{ field: string, allowed: boolean, reason: string | null, rule: string | null, maxLength: number | null, appliesTo: AppliesTo }>, deletability: { allowed: boolean, code: ErrorCode | null, reason: string | null }, networkSync: { status: NetworkSyncStatus, error: string | null, attemptedAt: string | null } | null } | null };

export type RetryPostsMutationVariables = Exact<{
  input: RetryPostsInput;
}>;


export type RetryPostsMutation = { retryPosts: { results: Array<{ id: string, done: boolean, code: ErrorCode | null, message: string | null, post: { state: PostState, scheduledAt: string | null } | null }>, job: { id: string, status: JobStatus } | null } };

export type ReviewPostsMutationVariables = Exact<{
  input: ReviewPostsInput;
}>;


export type ReviewPostsMutation = { reviewPosts: { results: Array<{ id: string, done: boolean, code: ErrorCode | null, message: string | null, post: { text: string, state: PostState, stateReason: string } | null }> } };

export type RuleTablesQueryVariables = Exact<{ [key: string]: never; }>;


export type RuleTablesQuery = { networks: Array<{ network: Network, kind: NetworkKind, editable: Array<{ field: string, maxLength: number | null, types: Array<PostType>, appliesTo: AppliesTo }>, dailyCaps: Array<{ postKind: string, accountTypes: Array<string>, plan: Plan, limit: number }>, adapter: { edits: boolean, verified: boolean, note: string | null } }> };

export type PlaygroundStartQueryVariables = Exact<{
  hasWorkspaces: boolean;
  hasPosts: boolean;
}>;


export type PlaygroundStartQuery = { workspaces?: Array<{ id: string, name: string }>, published?: { nodes: Array<{ id: string, networkSync: { job: { id: string } | null } | null }> }, scheduled?: { nodes: Array<{ id: string, network: Network | null, account: { id: string } | null, deletability: { allowed: boolean } }> }, pending?: { nodes: Array<{ id: string, version: number }> }, failed?: { nodes: Array<{ id: string }> } };

export type UpdatePostMutationVariables = Exact<{
  input: UpdatePostInput;
}>;


export type UpdatePostMutation = { updatePost: { post: { id: string, text: string, version: number, state: PostState, labels: Array<{ name: string, color: string }>, networkSync: { status: NetworkSyncStatus } | null } | null, job: { id: string, status: JobStatus } | null, userErrors: Array<{ code: ErrorCode, message: string, field: Array<string> | null, rule: string | null }> } };

export type PlaygroundViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type PlaygroundViewerQuery = { viewer: { role: Role | null, scopes: Array<Scope>, user: { name: string }, workspace: { id: string, name: string } | null } };

export type WebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type WebhooksQuery = { webhooks: Array<{ id: string, url: string, status: WebhookStatus, types: Array<EventType>, deliveries: { nodes: Array<{ eventType: EventType, status: DeliveryStatus, attempts: number, lastAttemptAt: string | null, responseStatus: number | null, responseBody: string | null, nextAttemptAt: string | null }> } }> };

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

export const BestPostsDocument = new TypedDocumentString(`
    query BestPosts($filter: PostFilter, $first: Int) {
  posts(
    first: $first
    filter: $filter
    orderBy: {field: ENGAGEMENT, direction: DESC}
  ) {
    totalCount
    nodes {
      id
      text
      network
      analytics {
        engagement
        reach
        likes
        comments
        shares
        updatedAt
      }
      analyticsHistory(first: 5) {
        engagement
        updatedAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BestPostsQuery, BestPostsQueryVariables>;
export const CreatePostsDocument = new TypedDocumentString(`
    mutation CreatePosts($input: CreatePostsInput!) {
  createPosts(input: $input) {
    results {
      index
      accountId
      state
      scheduledAt
      message
    }
    posts {
      id
      network
      text
    }
    userErrors {
      code
      field
      message
      rule
    }
  }
}
    `) as unknown as TypedDocumentString<CreatePostsMutation, CreatePostsMutationVariables>;
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
export const FailedPostsDocument = new TypedDocumentString(`
    query FailedPosts($first: Int) {
  posts(first: $first, filter: {states: [FAILED]}) {
    nodes {
      id
      text
      network
      stateReason
      publication {
        status
        attempts
        error {
          code
          message
          source
          retryable
        }
      }
      actions {
        action
        allowed
        reason
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FailedPostsQuery, FailedPostsQueryVariables>;
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
export const LiveEventsDocument = new TypedDocumentString(`
    subscription LiveEvents($types: [EventType!]) {
  events(types: $types) {
    type
    at
    postId
    stateBefore
    stateAfter
    fields
    user {
      name
    }
    post {
      state
      text
    }
    cursor
  }
}
    `) as unknown as TypedDocumentString<LiveEventsSubscription, LiveEventsSubscriptionVariables>;
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
export const RetryPostsDocument = new TypedDocumentString(`
    mutation RetryPosts($input: RetryPostsInput!) {
  retryPosts(input: $input) {
    results {
      id
      done
      code
      message
      post {
        state
        scheduledAt
      }
    }
    job {
      id
      status
    }
  }
}
    `) as unknown as TypedDocumentString<RetryPostsMutation, RetryPostsMutationVariables>;
export const ReviewPostsDocument = new TypedDocumentString(`
    mutation ReviewPosts($input: ReviewPostsInput!) {
  reviewPosts(input: $input) {
    results {
      id
      done
      code
      message
      post {
        text
        state
        stateReason
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ReviewPostsMutation, ReviewPostsMutationVariables>;
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
    query PlaygroundStart($hasWorkspaces: Boolean!, $hasPosts: Boolean!) {
  workspaces @include(if: $hasWorkspaces) {
    id
    name
  }
  published: posts(first: 100, filter: {states: [PUBLISHED_POSTED]}) @include(if: $hasPosts) {
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
  ) @include(if: $hasPosts) {
    nodes {
      id
      network
      account {
        id
      }
      deletability {
        allowed
      }
    }
  }
  pending: posts(first: 10, filter: {states: [SCHEDULED_PENDING]}) @include(if: $hasPosts) {
    nodes {
      id
      version
    }
  }
  failed: posts(first: 10, filter: {states: [FAILED]}) @include(if: $hasPosts) {
    nodes {
      id
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
export const PlaygroundViewerDocument = new TypedDocumentString(`
    query PlaygroundViewer {
  viewer {
    user {
      name
    }
    role
    workspace {
      id
      name
    }
    scopes
  }
}
    `) as unknown as TypedDocumentString<PlaygroundViewerQuery, PlaygroundViewerQueryVariables>;
export const WebhooksDocument = new TypedDocumentString(`
    query Webhooks {
  webhooks {
    id
    url
    status
    types
    deliveries(first: 5) {
      nodes {
        eventType
        status
        attempts
        lastAttemptAt
        responseStatus
        responseBody
        nextAttemptAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;