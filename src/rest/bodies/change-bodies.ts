import { enumKeys } from '../../domain/enums.js';
import { CHANGE_KINDS, type PostChange } from '../../domain/events/post-change.js';
import type { ChangePage } from '../../services/events/list-changes.js';
import { timestamp } from '../../domain/timestamp.js';
import { field, presentFields, schemaOf } from './body-fields.js';
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
} from './json-schema.js';
import { presentDetail } from './post-bodies.js';

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
