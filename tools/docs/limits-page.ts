import type { FieldLimit } from '../../src/domain/input/readers.js';
import { FIELD_LIMITS } from '../../src/domain/posts/post-fields.js';
import { rateBucketOf } from '../../src/domain/networks/networks.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { FAILURE_LIMIT, WINDOW_MS } from '../../src/domain/access/rate-window.js';
import { REQUEST_LIMITS } from '../../src/domain/input/request-limits.js';
import { RETENTION, type RetentionKey } from '../../src/domain/jobs/retention.js';
import { enumKeys, type PostType } from '../../src/domain/enums.js';
import {
  CODECS,
  MEDIA_CONTENT_TYPES,
  type CodecName,
} from '../../src/domain/media/media-content.js';
import { presentBytes } from '../../src/domain/media/media-file.js';
import type { FileLimit, FileLimits } from '../../src/domain/networks/network-definition.js';
import type { MediaType } from '../../src/domain/posts/post-content.js';
import { code, EMPTY_CELL, number, page, table } from './markdown.js';

/** The limits that are defined in the APIs. */
export interface ApiLimits {
  /** Limits of a GraphQL operation. */
  readonly operation: Readonly<
    Record<
      | 'depth'
      | 'fields'
      | 'aliases'
      | 'rootFields'
      | 'mutations'
      | 'directives'
      | 'tokens'
      | 'cost'
      | 'answerBytes'
      | 'introspectionDepth'
      | 'introspections',
      number
    >
  >;
  /** Values of `first` and `last` of a GraphQL connection. */
  readonly connection: { readonly default: number; readonly max: number };
  /** Posts per page in v1. */
  readonly page: number;
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems, items }: FieldLimit): string {
  const range = (min: number | undefined, max: number | undefined): string =>
    min !== undefined && max !== undefined
      ? `${number(min)} to ${number(max)}`
      : max !== undefined
        ? `at most ${number(max)}`
        : `at least ${number(min ?? 0)}`;
  return [
    (minLength ?? maxLength) !== undefined && `${range(minLength, maxLength)} characters`,
    (minimum ?? maximum) !== undefined && range(minimum, maximum),
    maxItems !== undefined && `at most ${number(maxItems)} entries`,
    items && `each ${bounds(items)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const range = (min: number | undefined, max: number | undefined, unit: string): string | false =>
  min !== undefined && max !== undefined && `${number(min)} to ${number(max)} ${unit}`;

/** What a network takes of a file, in words. */
const fileBounds = (limits: FileLimits): string => {
  const { formats, videoCodecs, audioCodecs, minBytes, maxBytes, minSeconds, maxSeconds } = limits;
  const { minFrameRate, maxFrameRate, minSide, maxSide, maxSides, maxPixels, maxRatio } = limits;
  const { minAspect, maxAspect, firstFrame } = limits;
  const names = (codecs: readonly CodecName[]): string =>
    codecs.map((codec) => CODECS[codec]).join(' or ');
  return [
    formats?.map((format) => MEDIA_CONTENT_TYPES[format].name).join(' or '),
    minBytes !== undefined && `at least ${presentBytes(minBytes)}`,
    maxBytes !== undefined && `at most ${presentBytes(maxBytes)}`,
    videoCodecs && `picture ${names(videoCodecs)}`,
    audioCodecs && `sound ${names(audioCodecs)}`,
    range(minSeconds, maxSeconds, 'seconds') ||
      (maxSeconds !== undefined && `at most ${number(maxSeconds)} seconds`),
    range(minFrameRate, maxFrameRate, 'frames per second') ||
      (maxFrameRate !== undefined && `at most ${maxFrameRate} frames per second`),
    minSide !== undefined && `sides of at least ${number(minSide)} pixels`,
    maxSide !== undefined && `sides of at most ${number(maxSide)} pixels`,
    maxSides !== undefined && `both sides together at most ${number(maxSides)} pixels`,
    maxPixels !== undefined && `at most ${number(maxPixels)} pixels`,
    maxRatio !== undefined && `long side at most ${maxRatio} times the short side`,
    minAspect !== undefined && minAspect > 0 && `width at least ${minAspect} times the height`,
    maxAspect !== undefined &&
      maxAspect < Infinity &&
      `width at most ${maxAspect} times the height`,
    firstFrame && 'the first frame is sent',
  ]
    .filter(Boolean)
    .join(', ');
};

function fileRows(network: Network): string[][] {
  const files: Partial<Record<MediaType, FileLimit>> = NETWORKS[network].files ?? {};
  return (Object.entries(files) as [MediaType, FileLimit][]).flatMap(
    ([kind, { ofTypes = {}, ...limits }]) => {
      const common = fileBounds(limits);
      const ofKind = [code(network), kind];
      return [
        ...(common ? [[...ofKind, common, 'all']] : []),
        ...(Object.entries(ofTypes) as [PostType, FileLimits][]).map(([type, differing]) => [
          ...ofKind,
          fileBounds(differing) || 'any shape',
          code(type),
        ]),
      ];
    },
  );
}

const fieldRows = (Object.entries(FIELD_LIMITS) as [string, Record<string, FieldLimit>][]).flatMap(
  ([shape, fields]) =>
    Object.entries(fields).map(([field, limit]) => [
      shape === 'postPatch' ? code(field) : code(`${shape}.${field}`),
      bounds(limit),
    ]),
);

function rateLimitRow(network: Network): (string | number)[][] {
  const limit = rateBucketOf({ network, sandbox: false });
  return limit ? [[code(network), limit.maxConcurrent, limit.maxPerMinute]] : [];
}

/** docs/reference/limits.md: all limits except daily caps. */
export const limitsPage = ({ operation, connection, page: perPage }: ApiLimits): string =>
  page(
    'Limits',
    'For the maximum number of posts per day, see [Daily caps](caps.md). For the errors and how to resolve them, see [Errors](errors.md).',
    '## Requests',
    table(
      ['subject', 'limit', 'error'],
      [
        [
          'requests per user, with all keys and through both APIs',
          `RATE_LIMIT_REQUESTS (default 100) in each window of ${WINDOW_MS.requests / 1000} s, or the user’s custom limit`,
          code('RATE_LIMITED'),
        ],
        [
          'requests with an invalid key per client address',
          `${FAILURE_LIMIT} in each window of ${WINDOW_MS.failures / 1000} s`,
          `${code('RATE_LIMITED')}, but not for requests with a valid key`,
        ],
        ['request body', `${number(REQUEST_LIMITS.bodyBytes)} bytes`, code('PAYLOAD_TOO_LARGE')],
        [
          'request body of v1 routes that create posts',
          `${number(REQUEST_LIMITS.creationBodyBytes)} bytes`,
          code('PAYLOAD_TOO_LARGE'),
        ],
        [
          'entries in `bulk.posts` of v1 routes that create posts',
          number(REQUEST_LIMITS.creationItems),
          code('BAD_USER_INPUT'),
        ],
        [
          'new posts per `createPosts` call or v1 request, including the occurrences of series',
          number(REQUEST_LIMITS.newPosts),
          `${code('BAD_USER_INPUT')} or ${code('RULE_VIOLATION')}`,
        ],
        ['IDs per deletion', number(REQUEST_LIMITS.deletedIds), code('BAD_USER_INPUT')],
        ['changes per page', number(REQUEST_LIMITS.changes), code('BAD_USER_INPUT')],
        ['posts per action', number(REQUEST_LIMITS.postsOfAction), code('BAD_USER_INPUT')],
        [
          'idempotency key',
          `${number(REQUEST_LIMITS.idempotencyKey)} characters`,
          code('BAD_USER_INPUT'),
        ],
        ['search text', `${number(REQUEST_LIMITS.query)} characters`, code('BAD_USER_INPUT')],
        ['posts per page in v1', perPage, EMPTY_CELL],
        [
          '`first` and `last` in GraphQL',
          `${connection.max} (default ${connection.default})`,
          code('BAD_USER_INPUT'),
        ],
      ],
    ),
    '## GraphQL operations',
    'A fragment counts each time an operation uses it. Fields inside `__schema` and `__type` have separate limits, which allow the standard introspection query. The cost of a list is the cost of one item multiplied by `first`, also for `nextFree`. `contentHtml` costs 10. The cost of a mutation’s results is the cost of one result multiplied by the number of posts in its input.',
    table(
      ['subject', 'limit', 'error'],
      [
        ['nesting depth', operation.depth, code('QUERY_TOO_DEEP')],
        ['nesting depth of introspection', operation.introspectionDepth, code('QUERY_TOO_DEEP')],
        ['fields', operation.fields, code('TOO_MANY_FIELDS')],
        ['root fields', operation.rootFields, code('TOO_MANY_FIELDS')],
        ['mutations', operation.mutations, code('TOO_MANY_FIELDS')],
        ['`__schema` or `__type`', operation.introspections, code('TOO_MANY_FIELDS')],
        ['aliases', operation.aliases, code('TOO_MANY_ALIASES')],
        ['directives', operation.directives, code('TOO_MANY_DIRECTIVES')],
        ['tokens per document', number(operation.tokens), code('TOO_MANY_TOKENS')],
        ['cost', number(operation.cost), code('QUERY_TOO_COMPLEX')],
        [
          '`data` of an answer',
          `${number(operation.answerBytes)} bytes`,
          code('QUERY_TOO_COMPLEX'),
        ],
      ],
    ),
    '## Fields of a post update',
    'Lengths are in Unicode code points. Published posts can have lower limits, which [Edit and delete rules](rules.md) lists.',
    table(['field', 'limit'], fieldRows),
    '## Files of networks',
    'Creation and publication apply these limits to files that the gateway stores. A photo of another format, or with too many bytes or pixels, is [converted](../media.md#converted-pictures).',
    table(
      ['network', 'media', 'limit', 'post types'],
      enumKeys<Network>(NETWORKS).flatMap(fileRows),
    ),
    '## Retention',
    table(
      ['data', 'kept for'],
      enumKeys<RetentionKey>(RETENTION).map((kind) => [
        RETENTION[kind].description,
        RETENTION[kind].hours < 48
          ? `${RETENTION[kind].hours} hours`
          : `${RETENTION[kind].hours / 24} days`,
      ]),
    ),
    '## Edits per network',
    'These limits apply to all processes together. If a network returns `Retry-After`, the gateway also pauses edits for that account for the requested time.',
    table(
      ['network', 'concurrent edits', 'edits per minute'],
      enumKeys<Network>(NETWORKS).flatMap(rateLimitRow),
    ),
  );
