import { ACCOUNT_TYPES, NETWORKS } from '../../domain/networks/networks.js';
import type { JobPayload } from '../../domain/jobs/job-payload.js';
import { POST_STATES } from '../../domain/posts/states.js';
import type { Job } from '../../domain/jobs/job.js';
import { MEDIA_TYPES, type Media } from '../../domain/posts/post-content.js';
import type { Account, PostAnalytics, UserSummary } from '../../domain/posts/post.js';
import type { Workspace } from '../../domain/access/viewer.js';
import { JOB_STATUSES, PLANS, enumKeys } from '../../domain/enums.js';
import { timestamp } from '../../domain/timestamp.js';
import { field, schemaOf } from './body-fields.js';
import {
  BOOLEAN,
  withDescription,
  INTEGER,
  arrayOf,
  NUMBER,
  objectOf,
  enumOf,
  nullable,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from './json-schema.js';

const PICTURE = nullable(TEXT);

/** A user. */
export const USER = {
  id: field(TEXT, ({ id }: UserSummary) => id),
  name: field(TEXT, ({ name }: UserSummary) => name),
  picture: field(PICTURE, ({ picture }: UserSummary) => picture),
};

/** The account of a post (D2). */
export const ACCOUNT_OF_POST = {
  id: field(TEXT, ({ id }: Account) => id),
  type: field(enumOf(enumKeys(ACCOUNT_TYPES)), ({ type }: Account) => type),
  name: field(TEXT, ({ name }: Account) => name),
  picture: field(PICTURE, ({ picture }: Account) => picture),
};

/** An account in a list (D2), and whether the viewer can see its sensitive fields (D44). */
interface VisibleAccount {
  readonly account: Account;
  readonly isSensitiveVisible: boolean;
}
/** An account in the list of accounts. */
export const ACCOUNT = {
  id: field(TEXT, ({ account }: VisibleAccount) => account.id),
  provider: field(enumOf(enumKeys(NETWORKS)), ({ account }: VisibleAccount) => account.network),
  name: field(TEXT, ({ account }: VisibleAccount) => account.name),
  social_id: field(
    withDescription(
      'Identifier on the network. Null unless the user is an owner or admin of the workspace.',
      nullable(TEXT),
    ),
    ({ account, isSensitiveVisible }: VisibleAccount) =>
      isSensitiveVisible ? account.socialId : null,
  ),
  picture: field(PICTURE, ({ account }: VisibleAccount) => account.picture),
  type: field(enumOf(enumKeys(ACCOUNT_TYPES)), ({ account }: VisibleAccount) => account.type),
};

/** A workspace in a list (D43). */
export const WORKSPACE = {
  id: field(TEXT, ({ id }: Workspace) => id),
  name: field(TEXT, ({ name }: Workspace) => name),
  picture: field(PICTURE, ({ picture }: Workspace) => picture),
  plan: field(
    withDescription('Plan of the workspace owner.', enumOf(enumKeys(PLANS))),
    ({ plan }: Workspace) => plan,
  ),
  time_zone: field(
    withDescription('IANA time zone name.', TEXT),
    ({ timeZone }: Workspace) => timeZone,
  ),
  requires_approval: field(BOOLEAN, ({ requiresApproval }: Workspace) => requiresApproval),
  locked: field(
    withDescription(
      'Whether the workspace is locked: none of its posts is published until an operator unlocks it.',
      BOOLEAN,
    ),
    ({ locked }: Workspace) => locked,
  ),
};

/** A media item of a post or of the media library. */
export const MEDIA = {
  id: field(TEXT, ({ id }: Media) => id),
  type: field(enumOf(MEDIA_TYPES), ({ type }: Media) => type),
  url: field(TEXT, ({ url }: Media) => url),
  alt_text: field(nullable(TEXT), ({ altText }: Media) => altText),
};

/** Metrics reported by the network (D7). Rates are fractions: 0.05 is 5 %. */
export const ANALYTICS = {
  reach: field(nullable(INTEGER), ({ reach }: PostAnalytics) => reach),
  engagement: field(nullable(INTEGER), ({ engagement }: PostAnalytics) => engagement),
  engagement_rate: field(nullable(NUMBER), ({ engagementRate }: PostAnalytics) => engagementRate),
  likes: field(nullable(INTEGER), ({ likes }: PostAnalytics) => likes),
  comments: field(nullable(INTEGER), ({ comments }: PostAnalytics) => comments),
  shares: field(nullable(INTEGER), ({ shares }: PostAnalytics) => shares),
  saves: field(nullable(INTEGER), ({ saves }: PostAnalytics) => saves),
  video_views: field(nullable(INTEGER), ({ videoViews }: PostAnalytics) => videoViews),
  link_clicks: field(nullable(INTEGER), ({ linkClicks }: PostAnalytics) => linkClicks),
  post_clicks: field(nullable(INTEGER), ({ postClicks }: PostAnalytics) => postClicks),
  click_through_rate: field(
    nullable(NUMBER),
    ({ clickThroughRate }: PostAnalytics) => clickThroughRate,
  ),
  reach_rate: field(nullable(NUMBER), ({ reachRate }: PostAnalytics) => reachRate),
  updated_at: field(TIMESTAMP, ({ updatedAt }: PostAnalytics) => timestamp(updatedAt)),
};

const FAILURES: JsonSchema = {
  type: 'object',
  additionalProperties: arrayOf(TEXT),
  description: 'Error messages by post or account ID. Empty if nothing failed.',
};
const WARNINGS = withDescription('Warnings about the created posts.', arrayOf(TEXT));

/** A post of a creation (D50), without what only created posts have. */
const PLANNED_POST = {
  index: withDescription('Index of the entry of the request.', INTEGER),
  account_id: withDescription('Null for a draft without an account.', nullable(TEXT)),
  network: nullable(enumOf(enumKeys(NETWORKS))),
  state: enumOf(enumKeys(POST_STATES)),
  scheduled_at: nullable(TIMESTAMP),
};
const { index, ...PLANNED_FIELDS } = PLANNED_POST;
const CREATED_POST: JsonSchema = objectOf({
  index,
  id: TEXT,
  ...PLANNED_FIELDS,
  post_link: nullable(TEXT),
});

/** Schema of the result of a dry run of a creation (D50). */
const CREATION_PREVIEW: JsonSchema = objectOf({
  posts: withDescription('Posts that would be created.', arrayOf(objectOf(PLANNED_POST))),
  failures: FAILURES,
  warnings: WARNINGS,
});

/** Schema of a job, and of its payload (D42, D51). */
const JOB: JsonSchema = objectOf({
  status: enumOf(enumKeys(JOB_STATUSES)),
  payload: objectOf(
    {
      posts: withDescription(
        'For a job that creates posts or publishes them now: the current data of the posts, without deleted ones.',
        arrayOf(CREATED_POST),
      ),
      failures: FAILURES,
      warnings: WARNINGS,
    },
    ['posts', 'warnings'],
  ),
});

/** Presents the "Job status (asynchronous operations)" of the interface document. */
export const presentJob = ({ status }: Job, payload: JobPayload): Record<string, unknown> => ({
  status,
  payload,
});

/** The failures of a job, with their messages in the words of v1. */
export const presentFailures = (
  failures: JobPayload['failures'],
  toMessage: (message: string) => string,
): JobPayload['failures'] =>
  Object.fromEntries(
    Object.entries(failures).map(([id, messages]) => [id, messages.map(toMessage)]),
  );

/** Schemas of the other bodies by component name. */
export const RESOURCE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  User: schemaOf(USER),
  AccountOfPost: schemaOf(ACCOUNT_OF_POST),
  Account: schemaOf(ACCOUNT),
  Workspace: schemaOf(WORKSPACE),
  Media: schemaOf(MEDIA),
  Analytics: schemaOf(ANALYTICS),
  JobStatus: JOB,
  CreationPreview: CREATION_PREVIEW,
};
