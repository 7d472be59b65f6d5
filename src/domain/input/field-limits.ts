/** Length of a text in Unicode code points, the unit of all limits (D22). */
export const codePoints = (text: string): number => [...text].length;

/** Bounds of one field, with the keywords of JSON Schema. Lengths are in code points. */
export interface FieldLimit {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  /** Bounds of each item of a list. */
  readonly items?: FieldLimit;
}

/**
 * Maximum nesting depth of a content block's data, itself included: bounds the stack of recursive
 * readers.
 */
export const MAX_DATA_DEPTH = 16;
