/** One <item> of an export. Only XML is decoded: texts can be HTML, and times are strings. */
export interface ExportItem {
  /** By the names in FIELDS. */
  readonly fields: ReadonlyMap<string, string>;
  /** Values of the meta fields in META_KEYS. */
  readonly meta: ReadonlyMap<string, string>;
  readonly terms: readonly ExportTerm[];
  readonly approvedComments: number;
  /** URL of the blog, from the start of the export; '' if it has none. */
  readonly blogUrl: string;
  /** The item exceeds `maxItemCharacters`: its texts and terms are missing. */
  readonly isTooLarge: boolean;
}
/** A category, tag or format of a post. */
export interface ExportTerm {
  readonly domain: string;
  readonly name: string;
}

/** Options of the item parser. */
export interface ItemOptions {
  /**
   * Maximum characters of one item; a larger item is returned without its texts, with `isTooLarge`.
   */
  readonly maxItemCharacters: number;
  /** Names of fields to omit. */
  readonly omit?: ReadonlySet<string>;
}
