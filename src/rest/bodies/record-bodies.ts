import { ACCOUNT_TYPES, NETWORKS } from '../../domain/networks/networks.js';
import { failuresById, type Job } from '../../domain/jobs/job.js';
import {
  MEDIA_TYPES,
  type Account,
  type Media,
  type PostAnalytics,
  type UserSummary,
} from '../../domain/posts/post.js';
import type { Workspace } from '../../domain/access/viewer.js';
import { JOB_STATUSES, PLANS, wordsOf } from '../../domain/vocabulary.js';
import { field, schemaOf, timestamp } from './body-fields.js';
import {
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  NUMBER,
  objectOf,
  oneOf,
  orNull,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from './json-schema.js';

const PICTURE = orNull(TEXT);

export const USER = {
  id: field(TEXT, ({ id }: UserSummary) => id),
  name: field(TEXT, ({ name }: UserSummary) => name),
  picture: field(PICTURE, ({ picture }: UserSummary) => picture),
};

/** The account inside a post (D2). */
export const ACCOUNT_OF_POST = {
  id: field(TEXT, ({ id }: Account) => id),
  type: field(oneOf(wordsOf(ACCOUNT_TYPES)), ({ type }: Account) => type),
  name: field(TEXT, ({ name }: Account) => name),
  picture: field(PICTURE, ({ picture }: Account) => picture),
};

/** An account in a list (D2), and whether who asks may see sensitive fields (D44). */
interface SeenAccount {
  readonly account: Account;
  readonly seesSensitive: boolean;
}
export const ACCOUNT = {
  id: field(TEXT, ({ account }: SeenAccount) => account.id),
  provider: field(oneOf(wordsOf(NETWORKS)), ({ account }: SeenAccount) => account.network),
  name: field(TEXT, ({ account }: SeenAccount) => account.name),
  social_id: field(
    described(
      'The network’s own identifier; null for anyone but owners and admins (D44).',
      orNull(TEXT),
    ),
    ({ account, seesSensitive }: SeenAccount) => (seesSensitive ? account.socialId : null),
  ),
  picture: field(PICTURE, ({ account }: SeenAccount) => account.picture),
  type: field(oneOf(wordsOf(ACCOUNT_TYPES)), ({ account }: SeenAccount) => account.type),
};

/** D43. */
export const WORKSPACE = {
  id: field(TEXT, ({ id }: Workspace) => id),
  name: field(TEXT, ({ name }: Workspace) => name),
  picture: field(PICTURE, ({ picture }: Workspace) => picture),
  plan: field(
    described('The owner’s plan (D34).', oneOf(wordsOf(PLANS))),
    ({ plan }: Workspace) => plan,
  ),
  time_zone: field(described('IANA name.', TEXT), ({ timeZone }: Workspace) => timeZone),
  requires_approval: field(BOOLEAN, ({ requiresApproval }: Workspace) => requiresApproval),
};

/** Media as a post's detail has them. */
export const MEDIA = {
  id: field(TEXT, ({ id }: Media) => id),
  type: field(oneOf(MEDIA_TYPES), ({ type }: Media) => type),
  url: field(TEXT, ({ url }: Media) => url),
  alt_text: field(orNull(TEXT), ({ altText }: Media) => altText),
};

/** D7: figures a network reported; rates are fractions of 1. */
export const ANALYTICS = {
  reach: field(orNull(INTEGER), ({ reach }: PostAnalytics) => reach),
  engagement: field(orNull(INTEGER), ({ engagement }: PostAnalytics) => engagement),
  engagement_rate: field(orNull(NUMBER), ({ engagementRate }: PostAnalytics) => engagementRate),
  likes: field(orNull(INTEGER), ({ likes }: PostAnalytics) => likes),
  comments: field(orNull(INTEGER), ({ comments }: PostAnalytics) => comments),
  shares: field(orNull(INTEGER), ({ shares }: PostAnalytics) => shares),
  saves: field(orNull(INTEGER), ({ saves }: PostAnalytics) => saves),
  video_views: field(orNull(INTEGER), ({ videoViews }: PostAnalytics) => videoViews),
  link_clicks: field(orNull(INTEGER), ({ linkClicks }: PostAnalytics) => linkClicks),
  post_clicks: field(orNull(INTEGER), ({ postClicks }: PostAnalytics) => postClicks),
  click_through_rate: field(
    orNull(NUMBER),
    ({ clickThroughRate }: PostAnalytics) => clickThroughRate,
  ),
  reach_rate: field(orNull(NUMBER), ({ reachRate }: PostAnalytics) => reachRate),
  updated_at: field(TIMESTAMP, ({ updatedAt }: PostAnalytics) => timestamp(updatedAt)),
};

const FAILURES: JsonSchema = {
  type: 'object',
  additionalProperties: listOf(TEXT),
  description: 'Post or account id → messages; `{}` when there are none (D42).',
};
/** "Job status (asynchronous operations)": nothing else is told of a job. */
export const JOB = {
  status: field(oneOf(wordsOf(JOB_STATUSES)), ({ status }: Job) => status),
  payload: field(objectOf({ failures: FAILURES }), ({ failures }: Job) => ({
    failures: failuresById(failures),
  })),
};

export const RECORD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  User: schemaOf(USER),
  AccountOfPost: schemaOf(ACCOUNT_OF_POST),
  Account: schemaOf(ACCOUNT),
  Workspace: schemaOf(WORKSPACE),
  Media: schemaOf(MEDIA),
  Analytics: schemaOf(ANALYTICS),
  JobStatus: schemaOf(JOB),
};
