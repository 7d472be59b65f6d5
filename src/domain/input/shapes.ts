import type { FieldLimit } from './readers.js';
import { flag, integer, list, number, shape, type Bounds, type Reader } from './readers.js';

/** How the APIs declare the value of a key. `object`: a shape of its own. */
export type KeyType = 'text' | 'id' | 'flag' | 'integer' | 'number' | 'json' | 'object';

/** One key of an object that clients send: what it may be, and what it means. */
export interface ShapeKey<T = unknown> {
  readonly read: Reader<T>;
  readonly type: KeyType;
  readonly isList?: true;
  /** The bounds that `read` checks, for the OpenAPI document and the reference pages. */
  readonly limit?: FieldLimit;
  /** One sentence for users. */
  readonly description: string;
  /** The description in a result, if it differs. */
  readonly inResult?: string;
  /** Whether results always have the key. */
  readonly isAlwaysInResult?: true;
  /** `never_null`: the key can be absent, but not null. Without it, null clears the key. */
  readonly presence?: 'required' | 'never_null';
  /** Whether GraphQL lacks the key in requests. */
  readonly isRestOnly?: true;
  /** Whether results lack the key. */
  readonly isRequestOnly?: true;
}
/** The keys of an object. */
export type Shape = Readonly<Record<string, ShapeKey>>;

type ValueOf<K> = K extends { readonly read: Reader<infer T> } ? T : never;
type PresenceOf<K> = K extends { readonly presence: infer P } ? P : null;
type KeysWith<S, P> = { [K in keyof S]: PresenceOf<S[K]> extends P ? K : never }[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

/** The object that a shape reads. An absent key is kept, null clears it (D20). */
export type Shaped<S> = Flat<
  { -readonly [K in KeysWith<S, 'required'>]: ValueOf<S[K]> } & {
    -readonly [K in KeysWith<S, 'never_null'>]?: ValueOf<S[K]>;
  } & { -readonly [K in KeysWith<S, null>]?: ValueOf<S[K]> | null }
>;

/** Reads the objects of a shape. `required`: keys that must be present, besides those of the shape. */
export function shaped<const S extends Shape>(
  keys: S,
  required: readonly (keyof S & string)[] = [],
): Reader<Shaped<S>> {
  const entries = Object.entries<ShapeKey>(keys);
  const having = (presence: ShapeKey['presence']): string[] =>
    entries.filter(([, key]) => key.presence === presence).map(([name]) => name);
  return shape<Record<string, unknown>>(
    Object.fromEntries(entries.map(([name, { read }]) => [name, read])),
    { required: [...having('required'), ...required], notNull: having('never_null') },
  ) as Reader<unknown> as Reader<Shaped<S>>;
}

/** A text that a reader with a limit reads. */
export const textKey = <const L extends FieldLimit>(
  reader: (limit: L) => Reader<string>,
  limit: L,
  description: string,
) => ({ type: 'text', read: reader(limit), limit, description }) as const;

/** A text that names a record of the workspace or of a network. */
export const idKey = <const L extends FieldLimit>(
  reader: (limit: L) => Reader<string>,
  limit: L,
  description: string,
) => ({ type: 'id', read: reader(limit), limit, description }) as const;

/** A text in one of several forms, which its reader knows. */
export const formKey = <T extends string>(read: Reader<T>, description: string) =>
  ({ type: 'text', read, description }) as const;

/** true or false. */
export const flagKey = (description: string) =>
  ({ type: 'flag', read: flag, description }) as const;

/** A whole number. */
export const integerKey = <const L extends Bounds>(limit: L, description: string) =>
  ({ type: 'integer', read: integer(limit), limit, description }) as const;

/** A number. */
export const numberKey = <const L extends Bounds>(limit: L, description: string) =>
  ({ type: 'number', read: number(limit), limit, description }) as const;

/** An object of another shape. */
export const objectKey = <const S extends Shape>(keys: S, description: string) =>
  ({ type: 'object', read: shaped(keys), description }) as const;

/** A list of objects of another shape. */
export const objectsKey = <const S extends Shape, const L extends FieldLimit>(
  keys: S,
  limit: L,
  description: string,
) =>
  ({ type: 'object', isList: true, read: list(shaped(keys), limit), limit, description }) as const;
