import { PART_LIMITS, type FieldLimit } from '../input/field-limits.js';
import { PATCH_FIELDS, fieldOf, type PatchField, type PostFields } from '../posts/post-fields.js';

type LimitedField = {
  [F in PatchField]: PostFields[F] extends { limit: FieldLimit } ? F : never;
}[PatchField];
type PatchLimits = { readonly [F in LimitedField]: PostFields[F]['limit'] };

/**
 * The bounds of patch fields, and of the fields of the objects in them. readPatch checks them, and
 * the reference pages print them.
 */
export const FIELD_LIMITS = {
  postPatch: Object.fromEntries(
    PATCH_FIELDS.flatMap((field) => {
      const { limit } = fieldOf(field);
      return limit ? [[field, limit]] : [];
    }),
  ) as PatchLimits,
  ...PART_LIMITS,
} as const;
