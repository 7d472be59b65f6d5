import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import { listGraphqlInputs } from './graphql-inputs.js';
import { OWN_POST_IDS } from './own-posts.js';
import { listRestInputs } from './rest-inputs.js';

const UNKNOWN_POST_ID = 'cccccccccccccccccccccccc';

export const SCHEMA = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);

/** Fields that parts of a post require, in both APIs. */
const REFUSED_URL = 'http://example.com/own';
const REQUIRED_FIELDS = {
  'FeaturedMediaInput.path': 'https://example.com/a.png',
  'ContentBlockInput.type': 'paragraph',
  'ContentBlockInput.data': {},
  'LocationInput.id': 'here',
  'LabelInput.name': 'own',
};

/**
 * Every argument of GraphQL and every field inside one. Other values name the caller's own posts,
 * and mutations are dry runs.
 */
export const GRAPHQL_INPUTS = listGraphqlInputs(SCHEMA, {
  arguments: {
    'Query.post.id': `"${OWN_POST_IDS.series}"`,
    'Query.posts.first': '3',
    'Query.jobStatus.id': '"job_none"',
    'Query.connection.id': '"con_none"',
    'Query.node.id': '"none"',
    'Account.analytics.from': '"2026-11-01T00:00:00Z"',
    'Account.analytics.to': '"2026-12-01T00:00:00Z"',
    'Query.nodes.ids': '["none"]',
  },
  fields: {
    'UpdatePostInput.id': OWN_POST_IDS.post,
    'UpdatePostInput.post': {},
    'UpdatePostInput.dryRun': true,
    'DeletePostsInput.ids': [UNKNOWN_POST_ID, OWN_POST_IDS.post],
    'DeletePostsInput.dryRun': true,
    'CreatePostsInput.targets': [],
    'CreatePostsInput.post': { type: 'STATUS', text: 'Own' },
    'CreatePostsInput.mode': 'DRAFT',
    'CreatePostsInput.dryRun': true,
    'PostTargetInput.accountId': 'acc_none',
    'SchedulePostsInput.ids': [OWN_POST_IDS.post],
    'SchedulePostsInput.mode': 'DRAFT',
    'SchedulePostsInput.dryRun': true,
    'ReviewPostsInput.posts': [{ id: OWN_POST_IDS.post }],
    'ReviewPostsInput.decision': 'REQUEST',
    'ReviewPostsInput.dryRun': true,
    'PostRefInput.id': OWN_POST_IDS.post,
    'RetryPostsInput.ids': [OWN_POST_IDS.post],
    'RetryPostsInput.dryRun': true,
    'RevertPostInput.id': OWN_POST_IDS.post,
    'RevertPostInput.toVersion': 1,
    'RevertPostInput.dryRun': true,
    'RestorePostsInput.ids': [OWN_POST_IDS.post],
    'RestorePostsInput.dryRun': true,
    'ResolvePublicationInput.id': OWN_POST_IDS.post,
    'ResolvePublicationInput.notLive': true,
    'ResolvePublicationInput.dryRun': true,
    'CopyPostInput.id': OWN_POST_IDS.post,
    'CopyPostInput.dryRun': true,
    'UnpublishPostsInput.ids': [OWN_POST_IDS.post],
    'UnpublishPostsInput.dryRun': true,
    'PausePostsInput.ids': [OWN_POST_IDS.post],
    'PausePostsInput.dryRun': true,
    'ResumePostsInput.ids': [OWN_POST_IDS.post],
    'ResumePostsInput.dryRun': true,
    'CreateMediaUploadInput.name': 'own.png',
    'CreateMediaUploadInput.bytes': 1,
    'ImportMediaInput.urls': ['https://example.com/own.png'],
    'ImportMediaInput.dryRun': true,
    'PostVariantInput.network': 'MASTODON',
    'PostVariantInput.post': {},
    'SetPostingScheduleInput.accountId': 'acc_none',
    'SetPostingScheduleInput.dryRun': true,
    'PostingSlotInput.weekday': 'MONDAY',
    'PostingSlotInput.time': '10:00',
    // Refused, so that no call creates a webhook: the URL is not https.
    'CreateWebhookInput.url': REFUSED_URL,
    'CreateWebhookInput.types': ['POST_CREATED'],
    'UpdateMediaInput.id': 'med_none',
    'UpdateMediaInput.dryRun': true,
    'DeleteMediaInput.id': 'med_none',
    'DeleteMediaInput.dryRun': true,
    'UpdateLabelInput.id': 'lbl_none',
    'UpdateLabelInput.dryRun': true,
    'MergeLabelsInput.id': 'lbl_none',
    'MergeLabelsInput.intoId': 'lbl_none',
    'MergeLabelsInput.dryRun': true,
    'DeleteLabelInput.id': 'lbl_none',
    'DeleteLabelInput.dryRun': true,
    'UpdateWebhookInput.id': 'whk_none',
    'DeleteWebhookInput.id': 'whk_none',
    'RotateWebhookSecretInput.id': 'whk_none',
    'TestWebhookInput.id': 'whk_none',
    'RedeliverWebhooksInput.webhookId': 'whk_none',
    // Refused, so that no network is called: the credentials are incomplete.
    'ConnectAccountInput.network': 'MASTODON',
    'ConnectAccountInput.credentials': [],
    'CredentialInput.name': 'instance',
    'CredentialInput.value': 'x',
    'DisconnectAccountInput.id': 'acc_none',
    // Without a server.
    'StartConnectionInput.network': 'MASTODON',
    'FinishConnectionInput.id': 'con_none',
    'FinishConnectionInput.choices': ['1'],
    'CheckAccountInput.id': 'acc_none',
    // Refused: the secret of a new link or feed would differ in each response.
    'CreateConnectLinkInput.expiresAt': '2020-01-01T00:00:00Z',
    'RevokeConnectLinkInput.id': 'lnk_none',
    'CreateCalendarFeedInput.accountIds': ['acc_none'],
    'RevokeCalendarFeedInput.id': 'cal_none',
    ...REQUIRED_FIELDS,
  },
});

const OWN_CONTENT = { type: 'status', text: 'Own' };

/** The same for REST v1 and the sandbox: every parameter and every field of a body. */
export const REST_INPUTS = listRestInputs({
  parameters: {
    id: OWN_POST_IDS.published,
    job_id: 'job_none',
    webhook_id: 'whk_none',
    account_id: 'acc_none',
    connection_id: 'con_none',
    link_id: 'lnk_none',
    feed_id: 'cal_none',
    'post_ids[]': UNKNOWN_POST_ID,
    'PUT /v1/posts/{id} id': OWN_POST_IDS.post,
    'PUT /v1/posts/{id} dry_run': 'true',
    'DELETE /v1/posts dry_run': 'true',
    'PUT /v1/media/{id} dry_run': 'true',
    'DELETE /v1/media/{id} dry_run': 'true',
    'PUT /v1/labels/{id} dry_run': 'true',
    'POST /v1/labels/{id}/merge dry_run': 'true',
    'DELETE /v1/labels/{id} dry_run': 'true',
    ...Object.fromEntries(
      ['schedule', 'review', 'retry', 'pause', 'resume', 'unpublish', 'restore'].map((action) => [
        `POST /v1/posts/actions/${action} dry_run`,
        'true',
      ]),
    ),
    'POST /v1/posts/{id}/resolve dry_run': 'true',
    'POST /v1/posts/{id}/revert dry_run': 'true',
    'POST /v1/posts/{id}/copy dry_run': 'true',
    'POST /v1/posts/schedule dry_run': 'true',
    'POST /v1/posts/schedule/publish dry_run': 'true',
  },
  fields: {
    ...REQUIRED_FIELDS,
    '.state': 'draft',
    '.posts': [{ networks: { default: OWN_CONTENT } }],
    '.networks': { default: OWN_CONTENT },
    '.id': 'acc_none',
    'CreateWebhook.url': REFUSED_URL,
    'CreateWebhook.types': ['post.created'],
    'ConnectAccount.network': 'mastodon',
    'StartConnection.network': 'mastodon',
    'FinishConnection.choices': ['1'],
    'ConnectAccount.credentials': [{ name: 'instance', value: 'x' }],
    'MergeLabel.into_id': 'lbl_none',
    'ScheduleAction.post_ids': [OWN_POST_IDS.post],
    'ScheduleAction.mode': 'draft',
    'ReviewAction.posts': [{ id: OWN_POST_IDS.post }],
    'ReviewAction.decision': 'request',
    'RetryAction.post_ids': [OWN_POST_IDS.post],
    'RestoreAction.post_ids': [OWN_POST_IDS.post],
    'PostIds.post_ids': [OWN_POST_IDS.post],
    'RevertPost.to_version': 1,
  },
  companions: {
    PostContent: OWN_CONTENT,
    VideoContent: OWN_CONTENT,
    // Refused: the secret of a new link or feed would differ in each response.
    CreateConnectLink: { expires_at: '2020-01-01T00:00:00Z' },
    CreateCalendarFeed: { account_ids: ['acc_none'] },
  },
  bodies: {
    'POST /v1/posts/schedule': {
      bulk: { state: 'draft', posts: [{ networks: { default: OWN_CONTENT } }] },
    },
    'POST /v1/posts/schedule/publish': {
      bulk: {
        state: 'scheduled',
        posts: [{ networks: { default: OWN_CONTENT }, accounts: [{ id: 'acc_none' }] }],
      },
    },
    'PUT /v1/posts/{id}': { post: {} },
    'POST /v1/posts/{id}/resolve': { not_live: true },
    'POST /v1/posts/{id}/revert': { to_version: 1 },
    'POST /v1/posts/{id}/copy': {},
    'PUT /v1/webhooks/{webhook_id}': {},
    'POST /v1/webhooks/{webhook_id}/secret': {},
    'POST /v1/webhooks/{webhook_id}/redeliver': { delivery_ids: ['dlv_none'] },
    'PUT /sandbox/clock': { advance_seconds: 0 },
    'PUT /sandbox/{id}/faults': {},
  },
});
