import type { MediaTag, MediaType } from './post-content.js';
import type { PatchField, PatchValue, PostFields } from './post-fields.js';

/** A patch, read: an absent field is kept, null clears it (D20). */
export type PostPatch = {
  -readonly [F in keyof PostFields]?:
    PatchValue<F> | (PostFields[F]['empty'] extends undefined ? never : null);
};

/** A value before it is read: enum values are strings, and weekdays may be names. */
type InputOf<Value> = Value extends string
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

/** One media item of a patch, identified by `id` or `path` (D20). */
export interface MediaPatch {
  id?: string | null;
  path?: string | null;
  /** Type of a new item, if its path does not tell it. REST v1 alone, when it creates posts. */
  type?: MediaType | null;
  title?: string | null;
  caption?: string | null;
  inLibrary?: boolean | null;
  defaultThumbnail?: string | null;
  thumbnails?: { real?: string | null; small?: string | null } | null;
  userTags?: MediaTag[] | null;
  collaboratorTags?: MediaTag[] | null;
  productTags?: MediaTag[] | null;
}
/** A label of a patch, by name; `color` is used only if the label is created (D20). */
export interface LabelPatch {
  name: string;
  color?: string | null;
}
