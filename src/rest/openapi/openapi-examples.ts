import {
  presentConnectedAccount,
  presentConnection,
  presentConnectLink,
  presentCreatedConnectLink,
} from '../connections/connection-bodies.js';
import { ERRORS } from '../../domain/errors.js';
import type { MediaItem } from '../../domain/media/media-file.js';
import { toMediaUsage } from '../../domain/media/media-quota.js';
import { BLANK_POST } from '../../domain/posts/post.js';
import type { Post } from '../../domain/posts/post.js';
import type { ConnectLink } from '../../domain/connections/connect-link.js';
import type { CalendarFeed } from '../../domain/posts/calendar-feed.js';
import { presentCalendarFeed, presentCreatedCalendarFeed } from '../calendar-feeds.js';
import type { Webhook, WebhookDelivery } from '../../domain/webhooks/webhook.js';
import { presentFields } from '../body-fields.js';
import { MEDIA, MEDIA_USAGE, UPLOADED_MEDIA } from '../media/media-bodies.js';
import { EXAMPLE_CURSOR, presentChangePage } from '../posts/change-feed.js';
import { presentHistory } from '../posts/history.js';
import { presentDetail, presentList } from '../posts/post-bodies.js';
import {
  presentTimelines,
  SANDBOX_CLOCK,
  SANDBOX_FAULTS,
  SANDBOX_POST,
} from '../sandbox/sandbox-bodies.js';
import { presentDelivery, presentSecret, presentWebhook } from '../webhooks/webhook-bodies.js';
import { ACCOUNT, WORKSPACE } from '../workspaces.js';

/** The post in the examples of the OpenAPI document, presented like any other post. */
export const EXAMPLE_POST: Post = {
  ...BLANK_POST,
  id: '6740a1f2c3d4e5f607182930',
  databaseId: 1,
  workspaceId: 'wks_4fKq2mZx8RtB1nYc',
  version: 3,
  storedState: 'scheduled',
  type: 'link',
  network: 'mastodon',
  accountId: 'acc_9sVb3kLw7QpD2hXe',
  creatorId: 'usr_1aBc2dEf3gHi4jKl',
  text: 'Our autumn release is out. #release',
  url: 'https://example.com/autumn',
  scheduledAt: new Date('2026-12-01T09:30:00Z'),
  createdAt: new Date('2026-11-20T14:05:12Z'),
  updatedAt: new Date('2026-11-21T08:00:41Z'),
  hasMedia: true,
  link: {
    title: 'Autumn release',
    description: 'What is new.',
    defaultImage: 'https://example.com/autumn.png',
  },
  media: [
    {
      id: 'med_7uJm4nBv6YcX5zAs',
      type: 'photo',
      url: 'https://example.com/leaf.jpg',
      altText: 'A red leaf',
      title: null,
      defaultThumbnail: null,
      thumbnails: null,
      userTags: [],
      collaboratorTags: [],
      productTags: [],
    },
  ],
  labels: [{ id: 'lbl_2wEr5tYu8iOp1qAz', name: 'Release', color: '#2f9e44' }],
  user: { id: 'usr_1aBc2dEf3gHi4jKl', name: 'Ada Winter', picture: 'https://example.com/ada.png' },
  account: {
    id: 'acc_9sVb3kLw7QpD2hXe',
    type: 'profile',
    name: '@example',
    picture: null,
    network: 'mastodon',
    socialId: '109302',
    needsReauth: false,
    sandbox: false,
  },
};

const WEBHOOK: Webhook = {
  id: 'whk_3fGh7jKl9mNp2qRs',
  url: 'https://hooks.example.com/posts',
  types: ['post.published', 'post.failed'],
  status: 'active',
  createdAt: new Date('2026-11-21T09:30:00Z'),
};
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

const DELIVERY: WebhookDelivery = {
  id: 'dlv_7e1f5c0b9a2d4e63',
  eventType: 'post.published',
  eventId: 'evt_5b2f8d7c41e09a36',
  status: 'delivered',
  attempts: 1,
  responseStatus: 204,
  responseBody: '',
  error: null,
  durationMs: 84,
  lastAttemptAt: new Date('2026-11-21T09:31:00Z'),
  nextAttemptAt: null,
  createdAt: new Date('2026-11-21T09:31:00Z'),
};

const TEST: WebhookDelivery = {
  ...DELIVERY,
  id: 'dlv_0c9d8e7f6a5b4c3d',
  eventType: 'webhook.test',
  eventId: null,
  status: 'pending',
  attempts: 0,
  responseStatus: null,
  responseBody: null,
  durationMs: null,
  lastAttemptAt: null,
  nextAttemptAt: DELIVERY.createdAt,
};

const EXAMPLE_UPLOAD: MediaItem = {
  id: 'med_8dKq2wEr5yUi1oPa',
  type: 'photo',
  url: 'https://gateway.example.com/media/med_8dKq2wEr5yUi1oPa/pQ7rT2uV9xY4zA1bC3dE5f',
  altText: 'The shop in autumn',
  title: 'shop.jpg',
  file: {
    status: 'ready',
    content: {
      contentType: 'image/jpeg',
      bytes: 1_843_200,
      size: { width: 3_000, height: 2_000 },
      video: null,
    },
    thumbnailUrl:
      'https://gateway.example.com/media/med_8dKq2wEr5yUi1oPa/pQ7rT2uV9xY4zA1bC3dE5f/thumbnail',
    error: null,
  },
};

/** A connect link. */
export const CONNECT_LINK: ConnectLink = {
  id: 'lnk_5tYh7uJm9kLo1pQa',
  networks: ['mastodon', 'bluesky'],
  expiresAt: new Date('2026-11-22T09:30:00Z'),
  revoked: false,
};

/** A calendar feed. */
export const CALENDAR_FEED: CalendarFeed = {
  id: 'cal_8sHj3kLp6nQw2xZv',
  accountIds: ['acc_7Yx2QpLm9RtVb4Ks'],
  states: ['scheduled', 'published'],
  createdAt: new Date('2026-11-21T09:30:00Z'),
  revoked: false,
};

/** An example body of each schema that a route accepts or returns. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  PostList: presentList(0, {
    posts: [EXAMPLE_POST],
    totalCount: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }),
  PostDetail: presentDetail(EXAMPLE_POST, { analytics: false }),
  ChangeList: presentChangePage({
    changes: [
      {
        kind: 'upserted',
        postId: EXAMPLE_POST.id,
        version: EXAMPLE_POST.version,
        at: EXAMPLE_POST.updatedAt,
        post: EXAMPLE_POST,
      },
    ],
    nextCursor: EXAMPLE_CURSOR,
    hasMore: false,
  }),
  History: presentHistory({
    entries: [
      {
        version: EXAMPLE_POST.version,
        type: 'post.updated',
        at: EXAMPLE_POST.updatedAt,
        user: EXAMPLE_POST.user,
        api: 'rest',
        note: null,
        changes: [{ field: 'text', before: 'Our release is out.', after: EXAMPLE_POST.text }],
      },
    ],
    hasNextPage: true,
  }),
  Deleted: { deleted_ids: [EXAMPLE_POST.id], failures: { 7: [ERRORS.POST_NOT_FOUND.description] } },
  JobStatus: { status: 'completed', payload: { failures: {} } },
  WorkspaceList: {
    workspaces: [
      presentFields(WORKSPACE, {
        id: EXAMPLE_POST.workspaceId,
        name: 'Example',
        picture: null,
        plan: 'business',
        timeZone: 'Europe/Berlin',
        requiresApproval: false,
        locked: false,
      }),
    ],
  },
  AccountList: {
    accounts: EXAMPLE_POST.account
      ? [presentFields(ACCOUNT, { account: EXAMPLE_POST.account, isSensitiveVisible: true })]
      : [],
  },
  ConnectAccount: {
    network: 'mastodon',
    credentials: [
      { name: 'instance', value: 'https://mastodon.example' },
      { name: 'accessToken', value: '(a token of the account)' },
    ],
  },
  StartConnection: {
    network: 'mastodon',
    server: 'https://mastodon.example',
    return_url: 'https://app.example.com/accounts',
  },
  FinishConnection: { choices: ['1'] },
  CalendarFeed: presentCalendarFeed({ ...CALENDAR_FEED, revoked: true }),
  CalendarFeedList: { feeds: [presentCalendarFeed(CALENDAR_FEED)] },
  CreateCalendarFeed: {
    account_ids: CALENDAR_FEED.accountIds,
    states: CALENDAR_FEED.states,
  },
  CreatedCalendarFeed: presentCreatedCalendarFeed({
    feed: CALENDAR_FEED,
    url: 'https://gateway.example.com/calendar/spc_4Lm….ics',
  }),
  CreateConnectLink: { networks: CONNECT_LINK.networks, expires_at: '2026-11-22T09:30:00Z' },
  ConnectLink: presentConnectLink({ ...CONNECT_LINK, revoked: true }),
  CreatedConnectLink: presentCreatedConnectLink({
    link: CONNECT_LINK,
    url: 'https://gateway.example.com/connect/link#spl_7Xq…',
  }),
  ConnectLinkList: { links: [presentConnectLink(CONNECT_LINK)] },
  Connection: presentConnection({
    id: 'con_2Hf8sKq5LtWz9RvB',
    network: 'mastodon',
    status: 'started',
    authorizeUrl: 'https://mastodon.example/oauth/authorize?response_type=code',
    expiresAt: new Date('2026-11-21T09:40:00Z'),
    choices: [],
    accountIds: [],
    error: null,
  }),
  ConnectedAccount: presentConnectedAccount({
    account: EXAMPLE_POST.account!,
    connection: {
      method: 'credentials',
      health: 'ok',
      message: null,
      grantedScopes: [],
      expiresAt: null,
      renewsItself: false,
      checkedAt: new Date('2026-11-21T09:30:00Z'),
    },
  }),
  MediaList: { media: EXAMPLE_POST.media.map((item) => presentFields(MEDIA, item)) },
  UploadMedia: { file: '(the bytes of the file)', caption: 'The shop in autumn' },
  ImportMedia: { media: [{ url: 'https://example.com/shop.jpg', caption: 'The shop in autumn' }] },
  ImportJob: { job_id: 'job_5kTq8wEr2yUi4oPa' },
  ImportPreview: {
    media: [
      {
        id: 'dry_run_media_1',
        path: 'https://example.com/shop.jpg',
        name: null,
        caption: 'The shop in autumn',
      },
    ],
  },
  MediaUsage: presentFields(
    MEDIA_USAGE,
    toMediaUsage(
      { bytes: 734_003_200, openUploads: 2, waitingImports: 0 },
      { bytes: 536_870_912_000, openUploads: 1_000, waitingImports: 1_000 },
    ),
  ),
  UploadedMedia: presentFields(UPLOADED_MEDIA, EXAMPLE_UPLOAD),
  UpdateMedia: { caption: 'The shop in autumn' },
  DeletedMedia: { deleted_id: EXAMPLE_UPLOAD.id },
  LabelList: { labels: EXAMPLE_POST.labels },
  Label: EXAMPLE_POST.labels[0],
  UpdateLabel: { name: 'Autumn menu', color: '#b45309' },
  MergeLabel: { into_id: EXAMPLE_POST.labels[0]!.id },
  DeletedLabel: { deleted_id: EXAMPLE_POST.labels[0]!.id },
  WebhookList: { webhooks: [presentWebhook(WEBHOOK)] },
  Webhook: presentWebhook(WEBHOOK),
  WebhookWithSecret: presentSecret(WEBHOOK, SECRET),
  CreateWebhook: { url: WEBHOOK.url, types: WEBHOOK.types },
  UpdateWebhook: { types: ['post.published', 'post.failed', 'post.missed'] },
  DeletedWebhook: { deleted_id: WEBHOOK.id },
  RotateWebhookSecret: { grace_hours: 48 },
  WebhookDelivery: presentDelivery(TEST),
  WebhookDeliveryList: { deliveries: [presentDelivery(DELIVERY)] },
  RedeliverWebhook: { delivery_ids: [DELIVERY.id] },
  RedeliveryJob: { job_id: 'job_5kTq8wEr2yUi4oPa' },
  SandboxPost: presentFields(SANDBOX_POST, { post: EXAMPLE_POST, edits: 0, editedAt: null }),
  SandboxTimelines: presentTimelines(
    EXAMPLE_POST.account
      ? [
          {
            account: EXAMPLE_POST.account,
            posts: [{ post: EXAMPLE_POST, edits: 0, editedAt: null }],
          },
        ]
      : [],
  ),
  SandboxFaults: presentFields(SANDBOX_FAULTS, {
    fail: { code: 'NETWORK_UNAVAILABLE', times: 2 },
    delayMs: null,
    rateLimitSeconds: null,
    tokenExpired: false,
    publish: { fault: 'cut_after', times: 1 },
    remove: { fault: 'error_after', times: 1 },
    guarantee: 'compared',
    listLagSeconds: 90,
  }),
  SandboxFaultsInput: { fail: { code: 'NETWORK_UNAVAILABLE', times: 2 }, delay_ms: null },
  SandboxClock: presentFields(SANDBOX_CLOCK, { now: EXAMPLE_POST.updatedAt, aheadSeconds: 3_600 }),
  SandboxClockInput: { advance_seconds: 3_600 },
  SchedulePosts: {
    bulk: {
      state: 'scheduled',
      posts: [
        {
          networks: { default: { type: 'status', text: EXAMPLE_POST.text } },
          accounts: [{ id: EXAMPLE_POST.accountId, scheduled_at: '2026-12-01T09:30:00+00:00' }],
        },
      ],
    },
  },
  PublishPosts: {
    bulk: {
      state: 'scheduled',
      posts: [
        {
          networks: { default: { type: 'status', text: EXAMPLE_POST.text } },
          accounts: [{ id: EXAMPLE_POST.accountId }],
        },
      ],
    },
  },
  RemovalJob: { job_id: 'job_5kTq8wEr2yUi4oPa' },
  CreationJob: { job_id: 'job_5kTq8wEr2yUi4oPa' },
  CreationPreview: {
    posts: [
      {
        index: 0,
        account_id: EXAMPLE_POST.accountId,
        network: EXAMPLE_POST.network,
        state: 'scheduled',
        scheduled_at: '2026-12-01T09:30:00+00:00',
        occurrence_dates: [],
      },
    ],
    failures: {},
    warnings: [],
  },
  PostIds: { post_ids: [EXAMPLE_POST.id] },
  ScheduleAction: {
    post_ids: [EXAMPLE_POST.id],
    mode: 'schedule',
    scheduled_at: '2026-12-01T09:30:00+00:00',
  },
  ReviewAction: {
    posts: [{ id: EXAMPLE_POST.id, expected_version: EXAMPLE_POST.version }],
    decision: 'approve',
  },
  RetryAction: { post_ids: [EXAMPLE_POST.id], confirm_not_live: true },
  RestoreAction: { post_ids: [EXAMPLE_POST.id] },
  ResolvePublication: { url: 'https://mastodon.example/@nordlicht/113458' },
  RevertPost: { to_version: 2 },
  CopyPost: { visibility: 'private' },
  CopiedPost: { id: EXAMPLE_POST.id, state: 'draft_private' },
  ActionResults: {
    results: [
      {
        id: EXAMPLE_POST.id,
        done: true,
        code: null,
        message: null,
        post: presentDetail(EXAMPLE_POST, { analytics: false }),
      },
      {
        id: '7',
        done: false,
        code: 'POST_NOT_FOUND',
        message: ERRORS.POST_NOT_FOUND.description,
        post: null,
      },
    ],
    job_id: null,
  },
  SetPostingSchedule: { slots: [{ weekday: 'tuesday', time: '09:30' }] },
  PostingSchedule: {
    account_id: EXAMPLE_POST.accountId,
    time_zone: 'Europe/Berlin',
    uses_workspace_time_zone: true,
    paused: false,
    slots: [{ weekday: 'tuesday', time: '09:30' }],
    next_free: ['2026-12-01T08:30:00+00:00'],
  },
  CreateMediaUpload: { name: 'autumn.mp4', bytes: 18_400_000 },
  MediaUpload: {
    media_id: 'med_4zJ8vNc1QpT7wXyA',
    url: 'https://posts.example.com/media/med_4zJ8vNc1QpT7wXyA/9vX0b2YcQm3kD7sTn1LwAg',
    expires_at: '2026-12-01T09:45:00+00:00',
  },
  UpdatePost: {
    post: { text: 'Our autumn release is out!', labels: [{ name: 'Release', color: '#2f9e44' }] },
  },
};
