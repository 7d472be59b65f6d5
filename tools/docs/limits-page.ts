import { FIELD_LIMITS, type FieldLimit } from '../../src/domain/input/field-limits.js';
import { laneOf } from '../../src/domain/networks/network-pace.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { FAILURE_LIMIT, WINDOW_MS } from '../../src/domain/access/rate-window.js';
import { REQUEST_LIMITS } from '../../src/domain/input/request-limits.js';
import { RETENTION, type Retained } from '../../src/domain/jobs/retention.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { code, number, page, table } from './markdown.js';

/** The limits that the doors keep themselves. */
export interface DoorLimits {
  /** Of a GraphQL operation. */
  readonly operation: Readonly<
    Record<
      | 'depth'
      | 'fields'
      | 'aliases'
      | 'rootFields'
      | 'mutations'
      | 'directives'
      | 'tokens'
      | 'complexity'
      | 'introspectionDepth'
      | 'introspections',
      number
    >
  >;
  /** Items of a connection. */
  readonly connection: { readonly default: number; readonly max: number };
  /** Posts of a page in v1. */
  readonly page: number;
}

function bounds({ minLength, maxLength, minimum, maximum, maxItems, items }: FieldLimit): string {
  const range = (least: number | undefined, most: number | undefined): string =>
    least !== undefined && most !== undefined
      ? `${number(least)} to ${number(most)}`
      : most !== undefined
        ? `at most ${number(most)}`
        : `at least ${number(least ?? 0)}`;
  return [
    (minLength ?? maxLength) !== undefined && `${range(minLength, maxLength)} characters`,
    (minimum ?? maximum) !== undefined && range(minimum, maximum),
    maxItems !== undefined && `at most ${number(maxItems)} entries`,
    items && `each ${bounds(items)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const fieldRows = (Object.entries(FIELD_LIMITS) as [string, Record<string, FieldLimit>][]).flatMap(
  ([shape, fields]) =>
    Object.entries(fields).map(([field, limit]) => [
      shape === 'postPatch' ? code(field) : code(`${shape}.${field}`),
      bounds(limit),
    ]),
);

function paceRow(network: Network): (string | number)[][] {
  const pace = laneOf({ network, sandbox: false });
  return pace ? [[code(network), pace.atOnce, pace.perMinute]] : [];
}

/** docs/reference/limits.md: how much of anything. Daily caps have a page of their own. */
export const limitsPage = ({ operation, connection, page: perPage }: DoorLimits): string =>
  page(
    'Limits',
    'Daily caps are [here](caps.md). What each refusal means and what to do about it: [errors](errors.md).',
    '## Requests',
    table(
      ['what', 'at most', 'beyond it'],
      [
        [
          'requests of a user, over all keys and both doors',
          `RATE_LIMIT_REQUESTS (100) in a fixed window of ${WINDOW_MS.requests / 1000} s, or the user’s own limit`,
          code('RATE_LIMITED'),
        ],
        [
          'failures to know a key, from one address',
          `${FAILURE_LIMIT} in ${WINDOW_MS.failures / 1000} s`,
          `${code('RATE_LIMITED')}; a valid key always passes`,
        ],
        ['body', `${number(REQUEST_LIMITS.bodyBytes)} bytes`, code('PAYLOAD_TOO_LARGE')],
        ['ids of one delete', number(REQUEST_LIMITS.deletedIds), code('BAD_USER_INPUT')],
        [
          'idempotency key',
          `${number(REQUEST_LIMITS.idempotencyKey)} characters`,
          code('BAD_USER_INPUT'),
        ],
        ['search text', `${number(REQUEST_LIMITS.query)} characters`, code('BAD_USER_INPUT')],
        ['posts of a page in v1', perPage, 'fixed'],
        [
          '`first` and `last` in GraphQL',
          `${connection.max}; ${connection.default} where neither is given`,
          code('BAD_USER_INPUT'),
        ],
      ],
    ),
    '## A GraphQL operation',
    'Fragments are counted as often as they are used. `__schema` and `__type` have bounds of their own, so that the usual introspection query passes.',
    table(
      ['what', 'at most', 'beyond it'],
      [
        ['levels of fields', operation.depth, code('QUERY_TOO_DEEP')],
        ['levels of introspection', operation.introspectionDepth, code('QUERY_TOO_DEEP')],
        ['fields', operation.fields, code('TOO_MANY_FIELDS')],
        ['root fields', operation.rootFields, code('TOO_MANY_FIELDS')],
        ['mutations', operation.mutations, code('TOO_MANY_FIELDS')],
        ['`__schema` or `__type`', operation.introspections, code('TOO_MANY_FIELDS')],
        ['aliases', operation.aliases, code('TOO_MANY_ALIASES')],
        ['directives', operation.directives, code('TOO_MANY_DIRECTIVES')],
        ['tokens of the document', number(operation.tokens), code('TOO_MANY_TOKENS')],
        [
          'cost, where a list counts its `first` times what is inside',
          number(operation.complexity),
          code('QUERY_TOO_COMPLEX'),
        ],
      ],
    ),
    '## Fields of a change',
    'Lengths are in Unicode code points. A published post may have narrower ones: [rules](rules.md).',
    table(['field', 'bounds'], fieldRows),
    '## How long things are kept',
    table(
      ['what', 'for'],
      wordsOf<Retained>(RETENTION).map((one) => [
        RETENTION[one].meaning,
        RETENTION[one].hours < 48
          ? `${RETENTION[one].hours} hours`
          : `${RETENTION[one].hours / 24} days`,
      ]),
    ),
    '## How fast edits go to a network',
    'For all processes together. The network’s own `Retry-After` pauses an account beyond that.',
    table(['network', 'at once', 'a minute'], wordsOf<Network>(NETWORKS).flatMap(paceRow)),
  );
