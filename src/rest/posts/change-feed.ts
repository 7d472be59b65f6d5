import { enumKeys } from '../../domain/enums.js';
import { CHANGE_KINDS, type PostChange } from '../../domain/events/post-change.js';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { timestamp } from '../../domain/timestamp.js';
import type { ChangePage } from '../../services/events/list-changes.js';
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
import { detailSelection, presentDetail } from './post-bodies.js';

/** A cursor in the examples of the OpenAPI document. */
export const EXAMPLE_CURSOR =
  'q3zvOQH1m8sXb2LkT0p5R7wYc4NfJdVhUe6iGa9oKtBnMxPzSrQvElDyWuFgCjHA1234567890abcdefg';

/** A change of the list of posts. */
const CHANGE = {
  kind: field<PostChange>(
    withDescription(
      'upserted: the post is new or was changed. deleted: it was deleted, or is no longer visible to the user.',
      enumOf(enumKeys(CHANGE_KINDS)),
    ),
    ({ kind }) => kind,
  ),
  post_id: field<PostChange>(TEXT, ({ postId }) => postId),
  version: field<PostChange>(nullable(INTEGER), ({ version }) => version),
  at: field<PostChange>(TIMESTAMP, ({ at }) => timestamp(at)),
  post: field<PostChange>(
    withDescription('Null if the post was deleted.', nullable(ref('PostDetail'))),
    ({ post }) => post && presentDetail(post, { analytics: false }),
  ),
};

/** Presents a page of changes. */
export const presentChangePage = ({
  changes,
  nextCursor,
  hasMore,
}: ChangePage): Record<string, unknown> => ({
  changes: changes.map((change) => presentFields(CHANGE, change)),
  next_cursor: nextCursor,
  has_more: hasMore,
});

/** Schemas of changes by component name. */
export const CHANGE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Change: schemaOf(CHANGE),
  ChangeList: objectOf({
    changes: arrayOf(ref('Change')),
    next_cursor: withDescription('Cursor to send as `after` to continue.', TEXT),
    has_more: withDescription('Whether more changes can be read now.', BOOLEAN),
  }),
};

const { changes: MAX_CHANGES } = REQUEST_LIMITS;

const CHANGES_PARAMS = {
  after: singleParam(
    { schema: TEXT, read: (value) => ({ value }) },
    '`next_cursor` of the previous page. If omitted, the page is empty, and its cursor marks the current position.',
    EXAMPLE_CURSOR,
  ),
  first: singleParam(
    positiveInteger(MAX_CHANGES, { default: MAX_CHANGES }),
    'Maximum number of changes.',
    MAX_CHANGES,
  ),
} satisfies QueryParams;

/** Fields of the posts, which have the form of "Get post". */
const FIELDS = detailSelection(false);

/** Changes since a cursor (D73). */
export const LIST_CHANGES = inWorkspace(
  {
    method: 'GET',
    path: '/v1/posts/changes',
    operationId: 'listChanges',
    tag: 'Posts',
    summary: 'List changes',
    description:
      'Changes since a cursor to the posts that are visible to the user, in the order in which they happened. A page has one change for each post, with the current content of the post. A page can have fewer changes than requested, or none, even if `has_more` is true. A cursor that is older than 30 days, or that was created before a backup was restored, gets 410: read the whole list again.',
    scopes: [['posts:read']],
    params: CHANGES_PARAMS,
    responseSchema: 'ChangeList',
    errorCodes: ['CURSOR_EXPIRED'],
  },
  async (viewer, { query }, { services }) => {
    const { after = null, first = MAX_CHANGES } = readQuery(CHANGES_PARAMS, query);
    const page = await services.changes.list(viewer, { after, first, fields: FIELDS });
    return { status: 200, body: presentChangePage(page) };
  },
);
