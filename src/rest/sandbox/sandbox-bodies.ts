import { enumKeys } from '../../domain/enums.js';
import { flag, integer, oneOf } from '../../domain/input/readers.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import {
  DELIVERY_GUARANTEES,
  type DeliveryGuarantee,
} from '../../domain/networks/network-definition.js';
import {
  MAX_CLOCK_ADVANCE_SECONDS,
  NO_FAULTS,
  SANDBOX_FAILURES,
  SANDBOX_LIMITS,
  SANDBOX_PUBLISH_FAULTS,
  SANDBOX_REMOVE_FAULTS,
  type SandboxFailure,
  type SandboxFaults,
  type SandboxPublishFault,
  type SandboxRemoveFault,
  type SandboxClock,
  type SandboxTimeline,
  type SandboxView,
} from '../../domain/networks/sandbox.js';
import type { NetworkField } from '../../domain/posts/post-fields.js';
import type { Post } from '../../domain/posts/post.js';
import { toSnakeCase, type SnakeCase } from '../../domain/snake-case.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import { field, presentFields, schemaOf, type PostBodyField } from '../body-fields.js';
import { nullableReader, objectReader, type BodyReader } from '../../http/body-readers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  INTEGER,
  nullable,
  objectOf,
  ref,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';
import { MEDIA } from '../media/media-bodies.js';
import { DETAIL, SUMMARY } from '../posts/post-bodies.js';

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
  network_options: ofPost(
    withDescription(
      'Options of the network that the post has, such as spoiler_text; null if it has none.',
      nullable({ type: 'object', additionalProperties: {} }),
    ),
    ({ networkOptions }) =>
      networkOptions &&
      Object.fromEntries(
        Object.entries(networkOptions).map(([key, value]) => [toSnakeCase(key), value]),
      ),
  ),
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

interface FailInput {
  code: SandboxFailure;
  times?: number | null;
}
interface PublishInput {
  fault: SandboxPublishFault;
  times?: number | null;
}
interface RemoveInput {
  fault: SandboxRemoveFault;
  times?: number | null;
}
interface FaultsInput {
  fail?: FailInput | null;
  delay_ms?: number | null;
  rate_limit_seconds?: number | null;
  token_expired?: boolean | null;
  publish?: PublishInput | null;
  remove?: RemoveInput | null;
  guarantee?: DeliveryGuarantee | null;
  list_lag_seconds?: number | null;
}

const wholeNumber = (
  description: string,
  bounds: { minimum: number; maximum: number },
): BodyReader<number> => ({
  schema: withDescription(description, { ...INTEGER, ...bounds }),
  read: integer(bounds),
});

const FAIL_READER = objectReader<FailInput>(
  {
    code: {
      schema: withDescription('The failure that the network reports.', enumOf(SANDBOX_FAILURES)),
      read: oneOf(SANDBOX_FAILURES),
    },
    times: nullableReader(
      wholeNumber('Number of edits of the post that fail. Default: 1.', {
        minimum: 1,
        maximum: SANDBOX_LIMITS.times,
      }),
    ),
  },
  ['code'],
);

const PUBLISH_FAULTS = enumKeys<SandboxPublishFault>(SANDBOX_PUBLISH_FAULTS);
const GUARANTEES = enumKeys<DeliveryGuarantee>(DELIVERY_GUARANTEES);
const REMOVE_FAULTS = enumKeys<SandboxRemoveFault>(SANDBOX_REMOVE_FAULTS);
const CALLS = nullableReader(
  wholeNumber('Number of calls with the fault. Default: 1.', {
    minimum: 1,
    maximum: SANDBOX_LIMITS.times,
  }),
);
const PUBLISH_READER = objectReader<PublishInput>(
  {
    fault: {
      schema: withDescription('What happens to the call that publishes.', enumOf(PUBLISH_FAULTS)),
      read: oneOf(PUBLISH_FAULTS),
    },
    times: CALLS,
  },
  ['fault'],
);
const REMOVE_READER = objectReader<RemoveInput>(
  {
    fault: {
      schema: withDescription('What happens to the call that removes.', enumOf(REMOVE_FAULTS)),
      read: oneOf(REMOVE_FAULTS),
    },
    times: CALLS,
  },
  ['fault'],
);

/** Changes to the faults, merged like an update of a post (D20). */
export const FAULTS_READER = objectReader<FaultsInput>({
  fail: nullableReader({
    ...FAIL_READER,
    schema: withDescription('Makes the next edits of this post fail.', FAIL_READER.schema),
  }),
  delay_ms: nullableReader(
    wholeNumber('Delays each edit of this post by this many milliseconds.', {
      minimum: 1,
      maximum: SANDBOX_LIMITS.delayMs,
    }),
  ),
  rate_limit_seconds: nullableReader(
    wholeNumber(
      'Rejects all edits of the account as rate limited for this many seconds of the sandbox clock.',
      {
        minimum: 1,
        maximum: SANDBOX_LIMITS.rateLimitSeconds,
      },
    ),
  ),
  token_expired: nullableReader({
    schema: withDescription(
      'Whether the account’s credentials are rejected. `false` reconnects the account.',
      BOOLEAN,
    ),
    read: flag,
  }),
  publish: nullableReader({
    ...PUBLISH_READER,
    schema: withDescription(
      'Affects the next calls that publish this post.',
      PUBLISH_READER.schema,
    ),
  }),
  remove: nullableReader({
    ...REMOVE_READER,
    schema: withDescription('Affects the next calls that remove this post.', REMOVE_READER.schema),
  }),
  guarantee: nullableReader({
    schema: withDescription(
      'How reliably the network can answer whether it has a post of the account. Default: exact.',
      enumOf(GUARANTEES),
    ),
    read: oneOf(GUARANTEES),
  }),
  list_lag_seconds: nullableReader(
    wholeNumber(
      'Seconds of the sandbox clock until a new post appears in the list of the account, with the guarantee `compared`.',
      { minimum: 1, maximum: SANDBOX_LIMITS.listLagSeconds },
    ),
  ),
});

/**
 * Converts the input to a change of the faults: absent fields are unchanged, null clears a fault.
 */
export const toFaults = ({
  fail,
  delay_ms: delayMs,
  rate_limit_seconds: rateLimitSeconds,
  token_expired: tokenExpired,
  publish,
  remove,
  guarantee,
  list_lag_seconds: listLagSeconds,
}: FaultsInput): Partial<SandboxFaults> => ({
  ...(fail !== undefined && { fail: fail && { code: fail.code, times: fail.times ?? 1 } }),
  ...(delayMs !== undefined && { delayMs }),
  ...(rateLimitSeconds !== undefined && { rateLimitSeconds }),
  ...(tokenExpired !== undefined && { tokenExpired: tokenExpired ?? false }),
  ...(publish !== undefined && {
    publish: publish && { fault: publish.fault, times: publish.times ?? 1 },
  }),
  ...(remove !== undefined && {
    remove: remove && { fault: remove.fault, times: remove.times ?? 1 },
  }),
  ...(guarantee !== undefined && { guarantee: guarantee ?? NO_FAULTS.guarantee }),
  ...(listLagSeconds !== undefined && {
    listLagSeconds: listLagSeconds ?? NO_FAULTS.listLagSeconds,
  }),
});

/** New state of the sandbox clock. */
export const CLOCK_READER = objectReader<{ advance_seconds: number }>(
  {
    advance_seconds: wholeNumber(
      'Seconds by which the sandbox clock is ahead of real time. `0` resets it.',
      { minimum: 0, maximum: MAX_CLOCK_ADVANCE_SECONDS },
    ),
  },
  ['advance_seconds'],
);
