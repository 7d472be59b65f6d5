import {
  PATCH_FIELDS,
  fieldOf,
  type PatchField,
  type PostFields,
} from '../domain/posts/post-fields.js';
import type { Post } from '../domain/posts/post.js';
import { STORED_STATES } from '../domain/posts/states.js';
import { toSnakeCase } from '../domain/snake-case.js';
import type { Post as PostRow, PostBody as PostBodyRow, Prisma } from './prisma/client.js';

/** A property of a post that is a column of `post` or `post_body`. */
export interface PostColumn {
  readonly field: keyof Post;
  readonly table: 'post' | 'post_body';
  readonly column: string;
  /** PostgreSQL type. */
  readonly type: string;
  /** The value to store. */
  readonly valueOf: (post: Post) => unknown;
}

/** What a table returns for a column of a type, apart from enums. */
interface ColumnValues {
  text: string | null;
  'text[]': string[];
  boolean: boolean;
  int: number | null;
  timestamptz: Date | null;
  jsonb: Prisma.JsonValue | null;
}
type TableOf<F extends PatchField> = PostFields[F] extends { column: null }
  ? never
  : PostFields[F] extends { table: infer Table }
    ? Table
    : 'post_body';
type FieldsIn<Table> = {
  [F in PatchField]: Table extends TableOf<F> ? F : never;
}[PatchField];
type RowWith<F extends PatchField> = {
  [K in F]: PostFields[K]['column'] extends keyof ColumnValues
    ? ColumnValues[PostFields[K]['column']]
    : unknown;
};
/**
 * The compiler rejects a field whose column prisma/schema.prisma lacks, or has with another type.
 */
type ColumnsOf<F extends PatchField, Row extends RowWith<F>> = F & keyof Row;
type PatchColumn =
  ColumnsOf<FieldsIn<'post'>, PostRow> | ColumnsOf<FieldsIn<'post_body'>, PostBodyRow>;

/** Columns that the service sets. */
const SERVICE_COLUMNS = {
  databaseId: { type: 'bigint', column: 'id' },
  id: { type: 'char(24)', column: 'doc_id' },
  workspaceId: { type: 'text' },
  accountId: { type: 'text' },
  creatorId: { type: 'text' },
  network: { type: 'network' },
  version: { type: 'int' },
  createdAt: { type: 'timestamptz' },
  updatedAt: { type: 'timestamptz' },
  queuedAt: { type: 'timestamptz' },
  armedAt: { type: 'timestamptz' },
  retryAt: { type: 'timestamptz' },
  postLink: { type: 'text' },
  remoteId: { type: 'text' },
  groupId: { type: 'text' },
  recycledFromId: { type: 'char(24)' },
  publishedCount: { type: 'int' },
  pausedAfterApproval: { type: 'boolean' },
  auto: { type: 'boolean' },
  origin: { type: 'post_origin' },
  storedState: {
    type: 'smallint',
    valueOf: ({ storedState }) => STORED_STATES[storedState].number,
  },
  hasMedia: { type: 'boolean' },
  reminder: { type: 'boolean' },
  parentId: { type: 'bigint' },
  extendAt: { type: 'timestamptz' },
  occurrenceState: {
    type: 'smallint',
    valueOf: ({ occurrenceState }) => occurrenceState && STORED_STATES[occurrenceState].number,
  },
  ownFields: { type: 'text[]', table: 'post_body' },
} as const satisfies {
  readonly [F in keyof Post]?: Pick<PostColumn, 'type'> & Partial<PostColumn>;
};

/** A property that is a column; the others are in other tables. */
export type ColumnField = keyof typeof SERVICE_COLUMNS | PatchColumn;

const toJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const PATCH_COLUMNS = PATCH_FIELDS.flatMap((field): PostColumn[] => {
  const { column: type, table = 'post_body' } = fieldOf(field);
  if (type === null) return [];
  const valueOf: PostColumn['valueOf'] =
    type === 'jsonb' ? (post) => toJson(post[field]) : (post) => post[field];
  return [{ field, table, column: toSnakeCase(field), type, valueOf }];
});

/** All columns of posts. */
export const POST_COLUMNS: readonly PostColumn[] = [
  ...(Object.entries(SERVICE_COLUMNS) as [keyof Post, Pick<PostColumn, 'type'>][]).map(
    ([field, column]): PostColumn => ({
      field,
      table: 'post',
      column: toSnakeCase(field),
      valueOf: (post) => post[field],
      ...column,
    }),
  ),
  ...PATCH_COLUMNS,
];
