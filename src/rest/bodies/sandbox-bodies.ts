import { enumKeys } from '../../domain/enums.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import { DELIVERY_GUARANTEES } from '../../domain/networks/publishing-capabilities.js';
import {
  SANDBOX_FAILURES,
  SANDBOX_PUBLISH_FAULTS,
  SANDBOX_REMOVE_FAULTS,
  type SandboxFaults,
} from '../../domain/networks/sandbox.js';
import type { NetworkField } from '../../domain/posts/post-fields.js';
import type { Post } from '../../domain/posts/post.js';
import type { SnakeCase } from '../../domain/snake-case.js';
import type {
  SandboxClock,
  SandboxTimeline,
  SandboxView,
} from '../../services/networks/network-ports.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import { field, presentFields, schemaOf, type PostBodyField } from './body-fields.js';
import {
  BOOLEAN,
  withDescription,
  INTEGER,
  arrayOf,
  objectOf,
  enumOf,
  nullable,
  ref,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from './json-schema.js';
import { DETAIL, SUMMARY } from './post-bodies.js';
import { MEDIA } from './resource-bodies.js';

const NULLABLE_TEXT = nullable(TEXT);
const ofPost = (schema: JsonSchema, present: (post: Post) => unknown) =>
  field(schema, ({ post }: SandboxView) => present(post));
const sameAs = ({ schema, present }: PostBodyField) => ofPost(schema, present);
const BLOCK = objectOf({ type: TEXT, data: {} });

/** A post as stored on the sandbox network. */
export const SANDBOX_POST = {
  id: sameAs(SUMMARY.id),
  network: sameAs(SUMMARY.network),
  account_id: sameAs(SUMMARY.account_id),
  type: sameAs(SUMMARY.type),
  text: sameAs(SUMMARY.text),
  title: ofPost(NULLABLE_TEXT, ({ title }) => title),
  excerpt: ofPost(NULLABLE_TEXT, ({ excerpt }) => excerpt),
  url: ofPost(
    withDescription('URL of a link post, or slug of an article.', NULLABLE_TEXT),
    ({ url }) => url,
  ),
  link: sameAs(DETAIL.link),
  content: ofPost(arrayOf(BLOCK), ({ content }) => content),
  featured_media: ofPost(
    nullable(ref('Media')),
    ({ featuredMedia }) => featuredMedia && presentFields(MEDIA, featuredMedia),
  ),
  categories: ofPost(arrayOf(TEXT), ({ categories }) => categories),
  tags: ofPost(arrayOf(TEXT), ({ tags }) => tags),
  question: ofPost(NULLABLE_TEXT, ({ question }) => question),
  options: ofPost(arrayOf(TEXT), ({ options }) => options),
  duration: ofPost(
    withDescription('Duration of a poll in days.', nullable(INTEGER)),
    ({ duration }) => duration,
  ),
  language: ofPost(NULLABLE_TEXT, ({ details }) => details?.language ?? null),
  text_format_preset_id: ofPost(
    NULLABLE_TEXT,
    ({ details }) => details?.textFormatPresetId ?? null,
  ),
  media: sameAs(DETAIL.media),
  published_at: ofPost(nullable(TIMESTAMP), ({ scheduledAt }) => timestampOrNull(scheduledAt)),
  edits: field(
    withDescription('Number of edits made on the sandbox network.', INTEGER),
    ({ edits }: SandboxView) => edits,
  ),
  edited_at: field(
    withDescription('Time of the last edit.', nullable(TIMESTAMP)),
    ({ editedAt }: SandboxView) => timestampOrNull(editedAt),
  ),
} satisfies Record<SnakeCase<Exclude<NetworkField, 'details'>>, unknown> & Record<string, unknown>;

/** A sandbox account with its newest posts. */
const SANDBOX_TIMELINE = {
  id: field(TEXT, ({ account }: SandboxTimeline) => account.id),
  network: field(enumOf(enumKeys(NETWORKS)), ({ account }: SandboxTimeline) => account.network),
  name: field(TEXT, ({ account }: SandboxTimeline) => account.name),
  posts: field(
    withDescription('Newest first.', arrayOf(ref('SandboxPost'))),
    ({ posts }: SandboxTimeline) => posts.map((view) => presentFields(SANDBOX_POST, view)),
  ),
};

/** Presents the sandbox accounts of a workspace. */
export const presentTimelines = (
  timelines: readonly SandboxTimeline[],
): Record<string, unknown> => ({
  accounts: timelines.map((timeline) => presentFields(SANDBOX_TIMELINE, timeline)),
});

const FAIL = objectOf({
  code: enumOf(SANDBOX_FAILURES),
  times: withDescription('Number of edits that still fail.', INTEGER),
});

const PUBLISH = objectOf({
  fault: enumOf(enumKeys(SANDBOX_PUBLISH_FAULTS)),
  times: withDescription('Number of calls that still have the fault.', INTEGER),
});

const REMOVE = objectOf({
  fault: enumOf(enumKeys(SANDBOX_REMOVE_FAULTS)),
  times: withDescription('Number of calls that still have the fault.', INTEGER),
});

/** The active faults, with remaining counts and seconds. */
export const SANDBOX_FAULTS = {
  fail: field(
    nullable(FAIL),
    ({ fail }: SandboxFaults) => fail && { code: fail.code, times: fail.times },
  ),
  delay_ms: field(nullable(INTEGER), ({ delayMs }: SandboxFaults) => delayMs),
  rate_limit_seconds: field(
    withDescription('Remaining seconds, by the sandbox clock.', nullable(INTEGER)),
    ({ rateLimitSeconds }: SandboxFaults) => rateLimitSeconds,
  ),
  token_expired: field(BOOLEAN, ({ tokenExpired }: SandboxFaults) => tokenExpired),
  publish: field(
    nullable(PUBLISH),
    ({ publish }: SandboxFaults) => publish && { fault: publish.fault, times: publish.times },
  ),
  remove: field(
    nullable(REMOVE),
    ({ remove }: SandboxFaults) => remove && { fault: remove.fault, times: remove.times },
  ),
  guarantee: field(
    enumOf(enumKeys(DELIVERY_GUARANTEES)),
    ({ guarantee }: SandboxFaults) => guarantee,
  ),
  list_lag_seconds: field(INTEGER, ({ listLagSeconds }: SandboxFaults) => listLagSeconds),
};

/** The sandbox clock of a workspace. */
export const SANDBOX_CLOCK = {
  now: field(TIMESTAMP, ({ now }: SandboxClock) => timestamp(now)),
  advance_seconds: field(
    withDescription('Seconds by which the sandbox clock is ahead of real time.', INTEGER),
    ({ aheadSeconds }: SandboxClock) => aheadSeconds,
  ),
};

/** Schemas of sandbox bodies by component name. */
export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  SandboxPost: schemaOf(SANDBOX_POST),
  SandboxTimelines: objectOf({ accounts: arrayOf(schemaOf(SANDBOX_TIMELINE)) }),
  SandboxFaults: schemaOf(SANDBOX_FAULTS),
  SandboxClock: schemaOf(SANDBOX_CLOCK),
};
