import type { Problem } from '../errors.js';
import { shape } from '../input/readers.js';
import {
  PATCH_FIELDS,
  fieldOf,
  type PatchField,
  type PatchValue,
  type PostFields,
} from './post-fields.js';

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
