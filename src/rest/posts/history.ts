import { enumKeys } from '../../domain/enums.js';
import { GatewayError } from '../../domain/errors.js';
import { API_KINDS } from '../../domain/access/viewer.js';
import { EVENT_TYPES } from '../../domain/events/event.js';
import type { FieldChange, HistoryEntry } from '../../domain/history/history-entry.js';
import { toSnakeCase } from '../../domain/snake-case.js';
import { timestamp } from '../../domain/timestamp.js';
import type { HistoryPage } from '../../services/history/history.js';
import { field, presentFields, schemaOf } from '../body-fields.js';
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
import { positiveInteger, singleParam, type QueryParams } from '../query-params.js';
import { inWorkspace, readQuery } from '../route.js';
import { USER } from './post-bodies.js';

/** A value of a changed field with the names and times of v1. */
function presentValue(value: unknown): unknown {
  if (value instanceof Date) return timestamp(value);
  if (Array.isArray(value)) return value.map(presentValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toSnakeCase(key), presentValue(inner)]),
  );
}

/** The data of content blocks is the client's: its keys stay as they are. */
const presentFieldChange = ({ field: name, before, after }: FieldChange) => {
  const present = name === 'content' ? (value: unknown) => value : presentValue;
  return { field: toSnakeCase(name), before: present(before), after: present(after) };
};

const FIELD_CHANGE = objectOf({
  field: TEXT,
  before: withDescription(
    'Value before the change. Always null in the change that made the post visible to the user.',
    {},
  ),
  after: withDescription('Value after the change.', {}),
});

/** A change of a post. */
const HISTORY_ENTRY = {
  version: field<HistoryEntry>(INTEGER, ({ version }) => version),
  type: field<HistoryEntry>(enumOf(enumKeys(EVENT_TYPES)), ({ type }) => type),
  at: field<HistoryEntry>(TIMESTAMP, ({ at }) => timestamp(at)),
  user: field<HistoryEntry>(
    withDescription('Null if the gateway or an operator made the change.', nullable(ref('User'))),
    ({ user }) => user && presentFields(USER, user),
  ),
  api: field<HistoryEntry>(enumOf(enumKeys(API_KINDS)), ({ api }) => api),
  note: field<HistoryEntry>(nullable(TEXT), ({ note }) => note),
  changes: field<HistoryEntry>(arrayOf(FIELD_CHANGE), ({ changes }) =>
    changes.map(presentFieldChange),
  ),
};

/** Presents a page of the history of a post. */
export const presentHistory = ({ entries, hasNextPage }: HistoryPage): Record<string, unknown> => ({
  history: entries.map((entry) => presentFields(HISTORY_ENTRY, entry)),
  has_more: hasNextPage,
});

/** Schemas of histories by component name. */
export const HISTORY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  HistoryEntry: schemaOf(HISTORY_ENTRY),
  History: objectOf({
    history: arrayOf(ref('HistoryEntry')),
    has_more: withDescription('Whether there are earlier changes.', BOOLEAN),
  }),
};

const PAGE_SIZE = { max: 100, default: 20 } as const;
const MAX_VERSION = 2_147_483_647;

const HISTORY_PARAMS = {
  before: singleParam(
    positiveInteger(MAX_VERSION),
    'Only changes before this version. To read the next page, send the version of the last change of a page.',
    MAX_VERSION,
  ),
  first: singleParam(
    positiveInteger(PAGE_SIZE.max, { default: PAGE_SIZE.default }),
    'Maximum number of changes.',
    PAGE_SIZE.max,
  ),
} satisfies QueryParams;

/** The changes of a post (D71). */
export const GET_HISTORY = inWorkspace(
  {
    method: 'GET',
    path: '/v1/posts/{id}/history',
    operationId: 'getHistory',
    tag: 'Posts',
    summary: 'Get history',
    description:
      'Changes of a post, newest first: who changed which fields, when and how. For members other than its creator, the history begins with the change that made the post visible to them.',
    scopes: [['posts:read']],
    params: HISTORY_PARAMS,
    responseSchema: 'History',
    errorCodes: ['FORBIDDEN', 'POST_NOT_FOUND'],
  },
  async (viewer, { id, query }, { services }) => {
    const { before, first: limit = PAGE_SIZE.default } = readQuery(HISTORY_PARAMS, query);
    const { databaseId } = await services.posts.get(viewer, id, new Set());
    const pages = await services.history.pages(viewer, [databaseId], {
      limit,
      ...(before !== undefined && { before }),
    });
    const page = pages.get(databaseId);
    if (!page) throw new GatewayError('POST_NOT_FOUND');
    return { status: 200, body: presentHistory(page) };
  },
);
