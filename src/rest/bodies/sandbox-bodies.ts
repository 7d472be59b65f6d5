import { SANDBOX_FAILURES, type SandboxFaults } from '../../domain/networks/sandbox.js';
import type { Post } from '../../domain/posts/post.js';
import type { SandboxView } from '../../services/networks/sandbox.js';
import type { SandboxClock } from '../../services/networks/sandbox-ports.js';
import { field, presentFields, schemaOf, timestamp, timestampOrNull } from './body-fields.js';
import {
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  objectOf,
  oneOf,
  orNull,
  ref,
  TEXT,
  TIMESTAMP,
  type JsonSchema,
} from './json-schema.js';
import { DETAIL, SUMMARY } from './post-bodies.js';
import { MEDIA } from './record-bodies.js';

const NAMED = orNull(TEXT);
const ofPost = (schema: JsonSchema, of: (post: Post) => unknown) =>
  field(schema, ({ post }: SandboxView) => of(post));
const sameAs = ({ schema, of }: { schema: JsonSchema; of: (post: Post) => unknown }) =>
  ofPost(schema, of);
const BLOCK = objectOf({ type: TEXT, data: {} });

/** A post as the sandbox network has it. */
export const SANDBOX_POST = {
  id: sameAs(SUMMARY.id),
  network: sameAs(SUMMARY.network),
  account_id: sameAs(SUMMARY.account_id),
  type: sameAs(SUMMARY.type),
  text: sameAs(SUMMARY.text),
  title: ofPost(NAMED, ({ title }) => title),
  excerpt: ofPost(NAMED, ({ excerpt }) => excerpt),
  url: ofPost(described('A link post’s address; an article’s slug.', NAMED), ({ url }) => url),
  link: sameAs(DETAIL.link),
  content: ofPost(listOf(BLOCK), ({ content }) => content),
  featured_media: ofPost(
    orNull(ref('Media')),
    ({ featuredMedia }) => featuredMedia && presentFields(MEDIA, featuredMedia),
  ),
  categories: ofPost(listOf(TEXT), ({ categories }) => categories),
  tags: ofPost(listOf(TEXT), ({ tags }) => tags),
  question: ofPost(NAMED, ({ question }) => question),
  options: ofPost(listOf(TEXT), ({ options }) => options),
  duration: ofPost(described('Of a poll, in days.', orNull(INTEGER)), ({ duration }) => duration),
  language: ofPost(NAMED, ({ details }) => details?.language ?? null),
  text_format_preset_id: ofPost(NAMED, ({ details }) => details?.textFormatPresetId ?? null),
  media: sameAs(DETAIL.media),
  published_at: ofPost(orNull(TIMESTAMP), ({ scheduledAt }) => timestampOrNull(scheduledAt)),
  edits: field(
    described('Edits that were made there.', INTEGER),
    ({ edits }: SandboxView) => edits,
  ),
  edited_at: field(
    described('When the last of them was.', orNull(TIMESTAMP)),
    ({ editedAt }: SandboxView) => timestampOrNull(editedAt),
  ),
};

const FAIL = objectOf({
  code: oneOf(SANDBOX_FAILURES),
  times: described('How many edits are still to fail.', INTEGER),
});

/** Faults in force, as far as they last. */
export const SANDBOX_FAULTS = {
  fail: field(
    orNull(FAIL),
    ({ fail }: SandboxFaults) => fail && { code: fail.code, times: fail.times },
  ),
  delay_ms: field(orNull(INTEGER), ({ delayMs }: SandboxFaults) => delayMs),
  rate_limit_seconds: field(
    described('What is left of it, by the sandbox’s clock.', orNull(INTEGER)),
    ({ rateLimitSeconds }: SandboxFaults) => rateLimitSeconds,
  ),
  token_expired: field(BOOLEAN, ({ tokenExpired }: SandboxFaults) => tokenExpired),
};

export const SANDBOX_CLOCK = {
  now: field(TIMESTAMP, ({ now }: SandboxClock) => timestamp(now)),
  advance_seconds: field(
    described('How far it is ahead of the real time.', INTEGER),
    ({ aheadSeconds }: SandboxClock) => aheadSeconds,
  ),
};

export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  SandboxPost: schemaOf(SANDBOX_POST),
  SandboxFaults: schemaOf(SANDBOX_FAULTS),
  SandboxClock: schemaOf(SANDBOX_CLOCK),
};
