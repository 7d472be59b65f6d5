import { enumKeys, POST_TYPES } from '../enums.js';
import {
  instant,
  type FieldLimit,
  integer,
  oneOf,
  type Reader,
  text,
  urlOrSlug,
  shape,
} from '../input/readers.js';
import type { Shape } from '../input/shapes.js';
import type { Attachment, Label, Media } from './post-content.js';
import {
  SHAPES,
  readContent,
  readDetails,
  readFeaturedMedia,
  readLabels,
  readLink,
  readLocation,
  readMedia,
  readNames,
  readNetworkOptions,
  readOptions,
  readRecurring,
  readRecycling,
  readSublinks,
} from './post-settings.js';
import type { Problem } from '../errors.js';

/** A field with the patch value `Patch`, stored in a column of the PostgreSQL type `Column`. */
interface FieldOf<Patch, Column, Empty> {
  /** Reads the value of a patch: checks its format, and normalizes it. */
  readonly read: Reader<Patch>;
  /** The bounds that `read` checks, for the OpenAPI document and the reference pages. */
  readonly limit?: FieldLimit;
  /** Null for a list of records that has a table of its own. */
  readonly column: Column;
  /** The table of the column, if it is not `post_body`: lists filter or sort by the field. */
  readonly table?: 'post';
  /** The value of a new post, and of a field that a patch clears. Undefined: cannot be cleared. */
  readonly empty: Empty;
  /** Whether networks have the field: the sandbox shows it, and a network may let it change. */
  readonly isOnNetworks?: true;
  /** Whether REST v1 lacks the field (D29). */
  readonly isGraphqlOnly?: true;
}

/** What a column can hold. Another combination of reader, column and empty value is an error. */
type PostField =
  | FieldOf<string, 'text', '' | null>
  | FieldOf<string, 'post_type', undefined>
  | FieldOf<boolean, 'boolean', false>
  | FieldOf<number, 'int', null>
  | FieldOf<Date, 'timestamptz', null>
  | FieldOf<string[], 'text[]', readonly []>
  | FieldOf<object[], 'jsonb' | null, readonly []>
  | FieldOf<object, 'jsonb', null>;

/** A reader with a limit, and the limit. */
const limited = <const L extends FieldLimit, P>(reader: (limit: L) => Reader<P>, limit: L) => ({
  read: reader(limit),
  limit,
});

const TAGS = { maxItems: 100, items: { minLength: 1, maxLength: 200 } } as const;
const TEXT = { column: 'text', empty: null } as const;
const TEXTS = { column: 'text[]', empty: [] } as const;
const OBJECT = { column: 'jsonb', empty: null } as const;
const OBJECTS = { column: 'jsonb', empty: [] } as const;
const RECORDS = { column: null, empty: [] } as const;
const ON_NETWORKS = { isOnNetworks: true } as const;

/**
 * The fields of a post that clients can set: the 20 fields of an update, `networkOptions` and
 * `scheduledAt` (D29).
 * Types of posts and patches, readers, columns, limits and the v1 names of a request follow from
 * this table; the compiler compares the GraphQL types and prisma/schema.prisma with it. The limits
 * of text, title and excerpt equal the database's constraints.
 */
export const POST_FIELDS = {
  type: {
    read: oneOf(enumKeys(POST_TYPES)),
    column: 'post_type',
    table: 'post',
    empty: undefined,
    ...ON_NETWORKS,
  },
  text: { ...limited(text, { maxLength: 100_000 }), column: 'text', empty: '', ...ON_NETWORKS },
  /** The URL of a link post; the slug of a blog post (D20). */
  url: { ...limited(urlOrSlug, { maxLength: 2_048 }), ...TEXT, ...ON_NETWORKS },
  title: { ...limited(text, { maxLength: 2_000 }), ...TEXT, ...ON_NETWORKS },
  excerpt: { ...limited(text, { maxLength: 20_000 }), ...TEXT, ...ON_NETWORKS },
  question: { ...limited(text, { maxLength: 1_000 }), ...TEXT, ...ON_NETWORKS },
  /** Poll duration in days (D6). */
  duration: {
    ...limited(integer, { minimum: 1, maximum: 365 }),
    column: 'int',
    empty: null,
    ...ON_NETWORKS,
  },
  featuredMedia: { read: readFeaturedMedia, ...OBJECT, ...ON_NETWORKS },
  media: { ...limited(readMedia, { maxItems: 50 }), ...RECORDS, ...ON_NETWORKS },
  /** Without its `url`: that is the `url` of the post (D20); see linkOf. */
  link: { read: readLink, ...OBJECT, ...ON_NETWORKS },
  details: { read: readDetails, ...OBJECT, ...ON_NETWORKS },
  recycling: { read: readRecycling, ...OBJECT },
  recurring: { read: readRecurring, ...OBJECT },
  content: { ...limited(readContent, { maxItems: 1_000 }), ...OBJECTS, ...ON_NETWORKS },
  location: { read: readLocation, ...OBJECT },
  labels: { ...limited(readLabels, { maxItems: 50 }), ...RECORDS },
  options: { ...limited(readOptions, { ...TAGS, maxItems: 10 }), ...TEXTS, ...ON_NETWORKS },
  tags: { ...limited(readNames, TAGS), ...TEXTS, ...ON_NETWORKS },
  categories: { ...limited(readNames, TAGS), ...TEXTS, ...ON_NETWORKS },
  sublinks: { ...limited(readSublinks, { maxItems: 20 }), ...OBJECTS },
  networkOptions: { read: readNetworkOptions, ...OBJECT, isGraphqlOnly: true },
  /** In whole seconds (D8). */
  scheduledAt: {
    read: instant,
    column: 'timestamptz',
    table: 'post',
    empty: null,
    isGraphqlOnly: true,
  },
} as const satisfies Readonly<Record<string, PostField>>;

export type PostFields = typeof POST_FIELDS;
/** A field that clients can set. */
export type PatchField = keyof PostFields;
/** The fields that clients can set, in the order of the interface document. */
export const PATCH_FIELDS = Object.keys(POST_FIELDS) as readonly PatchField[];

/** The definition of a field. */
export const fieldOf = (field: PatchField): PostField => POST_FIELDS[field];

/** The value that a patch sets a field to. */
export type PatchValue<F extends PatchField> =
  PostFields[F]['read'] extends Reader<infer Patch> ? Patch : never;
/** Fields whose patch refers to records of the workspace, with their values in a post. */
interface ReferenceFields {
  featuredMedia: Media | null;
  media: Attachment[];
  labels: Label[];
}
export type ReferenceField = keyof ReferenceFields;
/** The values of a post's fields that clients can set. */
export type PatchableValues = {
  -readonly [F in keyof PostFields]: F extends ReferenceField
    ? ReferenceFields[F]
    : PatchValue<F> | Exclude<PostFields[F]['empty'], readonly [] | undefined>;
};

/** The fields as an API returns them: as stored, except objects, which it converts. */
export type PostFieldViews = {
  [F in PatchField]: PostFields[F]['column'] extends 'jsonb' | null ? unknown : PatchableValues[F];
};

/** A field that networks have. */
export type NetworkField = {
  [F in PatchField]: PostFields[F] extends { isOnNetworks: true } ? F : never;
}[PatchField];
/** The fields that networks have. */
export const NETWORK_FIELDS = PATCH_FIELDS.filter(
  (field) => fieldOf(field).isOnNetworks,
) as readonly NetworkField[];

/** The values of a post without any. Lists are frozen, because posts share them. */
export const EMPTY_VALUES = Object.fromEntries(
  PATCH_FIELDS.map((field) => {
    const { empty } = fieldOf(field);
    return [field, Array.isArray(empty) ? Object.freeze([]) : empty];
  }),
) as unknown as PatchableValues;

/** The value of a field that a patch clears. */
export const emptyValueOf = (field: PatchField): unknown => EMPTY_VALUES[field];

type LimitedField = {
  [F in PatchField]: PostFields[F] extends { limit: FieldLimit } ? F : never;
}[PatchField];
type Limits = Readonly<Record<string, FieldLimit>>;

/** The bounds of the fields of a patch. */
export const POST_FIELD_LIMITS = Object.fromEntries(
  PATCH_FIELDS.flatMap((field) => {
    const { limit } = fieldOf(field);
    return limit ? [[field, limit]] : [];
  }),
) as { readonly [F in LimitedField]: PostFields[F]['limit'] };

/**
 * The bounds of the fields of a patch (`postPatch`), and of the keys of each shape in it. readPatch
 * checks them, and the reference pages print them.
 */
export const FIELD_LIMITS: Readonly<Record<string, Limits>> = {
  postPatch: POST_FIELD_LIMITS,
  ...Object.fromEntries(
    Object.entries<Shape>(SHAPES).map(([name, keys]) => [
      name,
      Object.fromEntries(
        Object.entries(keys).flatMap(([key, { limit }]) => (limit ? [[key, limit]] : [])),
      ),
    ]),
  ),
};

/** A patch, read: an absent field is kept, null clears it (D20). */
export type PostPatch = {
  -readonly [F in keyof PostFields]?:
    PatchValue<F> | (PostFields[F]['empty'] extends undefined ? never : null);
};

/** A value before it is read: enum values are strings, and weekdays may be names. */
export type InputOf<Value> = Value extends string
  ? string
  : Value extends number[]
    ? unknown[]
    : Value extends (infer Item)[]
      ? InputOf<Item>[]
      : Value extends Date
        ? Date
        : Value extends object
          ? { readonly [K in keyof Value]?: InputOf<Value[K]> | null }
          : Value;

/** The fields of PatchInput, none of which an API may lack. */
export type PatchInputFields = {
  readonly [F in PatchField]: InputOf<PatchValue<F>> | null | undefined;
};
/**
 * A patch as both APIs pass it on, before its formats are checked (see readPatch): enum values in
 * lower case, times as Dates, names in camelCase. Absent (keep) and null (clear) are different
 * (D20).
 */
export type PatchInput = Partial<PatchInputFields>;

const postPatch = shape<PostPatch>(
  Object.fromEntries(PATCH_FIELDS.map((field) => [field, fieldOf(field).read])) as never,
  { notNull: PATCH_FIELDS.filter((field) => fieldOf(field).empty === undefined) },
);

/**
 * Reads a patch from an API: checks all formats that do not depend on network, type or state (D21)
 * and normalizes enum values (D6). Returns all problems; a field with a problem is omitted from
 * `patch`, a list as a whole. Never throws.
 */
export function readPatch(input: PatchInput): { patch: PostPatch; problems: Problem[] } {
  const problems: Problem[] = [];
  return { patch: postPatch(input, [], problems) ?? {}, problems };
}
