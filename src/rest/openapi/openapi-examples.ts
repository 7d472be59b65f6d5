import type { MediaItem } from '../../domain/media/media-file.js';
import { ERRORS } from '../../domain/errors.js';
import { presentFields } from '../bodies/body-fields.js';
import { EXAMPLE_CURSOR, presentChangePage } from '../bodies/change-bodies.js';
import { presentHistory } from '../bodies/history-bodies.js';
import { presentDetail, presentList } from '../bodies/post-bodies.js';
import { UPLOADED_MEDIA } from '../bodies/media-bodies.js';
import { ACCOUNT, MEDIA, WORKSPACE } from '../bodies/resource-bodies.js';
import {
  presentTimelines,
  SANDBOX_CLOCK,
  SANDBOX_FAULTS,
  SANDBOX_POST,
} from '../bodies/sandbox-bodies.js';
import { EXAMPLE_POST } from './example-post.js';
import { WEBHOOK_EXAMPLES } from '../webhooks/webhook-examples.js';

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
    },
    thumbnailUrl:
      'https://gateway.example.com/media/med_8dKq2wEr5yUi1oPa/pQ7rT2uV9xY4zA1bC3dE5f/thumbnail',
    error: null,
  },
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
  UploadedMedia: presentFields(UPLOADED_MEDIA, EXAMPLE_UPLOAD),
  ...WEBHOOK_EXAMPLES,
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
      },
    ],
    failures: {},
    warnings: [],
  },
  UpdatePost: {
    post: { text: 'Our autumn release is out!', labels: [{ name: 'Release', color: '#2f9e44' }] },
  },
};
