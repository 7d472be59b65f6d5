import type { Post } from '../../domain/posts/post.js';
import { STORED_STATES } from '../../domain/posts/states.js';

/** How a property of a post is stored: its column, and its value for PostgreSQL if it differs. */
export interface Column {
  readonly column: string;
  readonly type?: string;
  readonly value?: (post: Post) => unknown;
}

const json = (column: string, field: keyof Post): Column => ({
  column,
  type: 'jsonb',
  value: (post) => (post[field] === null ? null : JSON.stringify(post[field])),
});

type ColumnTable = Partial<Record<keyof Post, Column>>;

/** Columns of `post` that a change may set. */
export const POST_COLUMNS: ColumnTable = {
  type: { column: 'type', type: 'post_type' },
  storedState: {
    column: 'stored_state',
    type: 'smallint',
    value: (post) => STORED_STATES[post.storedState].number,
  },
  scheduledAt: { column: 'scheduled_at', type: 'timestamptz' },
  hasMedia: { column: 'has_media', type: 'boolean' },
  reminder: { column: 'reminder', type: 'boolean' },
  parentId: { column: 'parent_id', type: 'bigint' },
};

/** Columns of `post_body`. */
export const BODY_COLUMNS: ColumnTable = {
  text: { column: 'text', type: 'text' },
  title: { column: 'title', type: 'text' },
  excerpt: { column: 'excerpt', type: 'text' },
  question: { column: 'question', type: 'text' },
  duration: { column: 'duration', type: 'int' },
  url: { column: 'url', type: 'text' },
  featuredMedia: json('featured_media', 'featuredMedia'),
  link: json('link', 'link'),
  details: json('details', 'details'),
  recycling: json('recycling', 'recycling'),
  recurring: json('recurring', 'recurring'),
  content: json('content', 'content'),
  location: json('location', 'location'),
  options: { column: 'options', type: 'text[]' },
  tags: { column: 'tags', type: 'text[]' },
  categories: { column: 'categories', type: 'text[]' },
  sublinks: json('sublinks', 'sublinks'),
  ownFields: { column: 'own_fields', type: 'text[]' },
};

/** Columns that are set once, when the post is created. */
export const FIXED_COLUMNS: ColumnTable = {
  databaseId: { column: 'id', type: 'bigint' },
  id: { column: 'doc_id', type: 'char(24)' },
  workspaceId: { column: 'workspace_id', type: 'text' },
  accountId: { column: 'account_id', type: 'text' },
  creatorId: { column: 'creator_id', type: 'text' },
  network: { column: 'network', type: 'network' },
  version: { column: 'version', type: 'int' },
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
  queuedAt: { column: 'queued_at', type: 'timestamptz' },
  postLink: { column: 'post_link', type: 'text' },
  remoteId: { column: 'remote_id', type: 'text' },
  auto: { column: 'auto', type: 'boolean' },
  origin: { column: 'origin', type: 'post_origin' },
};

/** The properties and columns of a table. */
export const entriesOf = (table: ColumnTable): [keyof Post, Column][] =>
  Object.entries(table) as [keyof Post, Column][];
/** The value of a property for PostgreSQL. */
export const valueOf = (post: Post, field: keyof Post, { value }: Column): unknown =>
  value ? value(post) : post[field];

/** Builds the text and values of a statement. */
export class Assignments {
  readonly values: unknown[];
  constructor(...first: unknown[]) {
    this.values = first;
  }
  placeholder(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
  set(post: Post, fields: readonly [keyof Post, Column][]): string[] {
    return fields.map(
      ([field, column]) =>
        `${column.column} = ${this.placeholder(valueOf(post, field, column), column.type ?? 'text')}`,
    );
  }
}
