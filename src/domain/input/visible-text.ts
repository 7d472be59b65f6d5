/**
 * A character that readers can see: no space, no control character, none that only affects how
 * others are displayed (such as zero-width spaces, variation selectors and the fillers of Hangul),
 * and neither the blank Braille pattern nor the marks of annotations.
 */
const VISIBLE_CHARACTER =
  /[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Whether readers can see any of the text. If not, it counts as empty where a text is required. */
export const hasVisibleText = (text: string | null | undefined): boolean =>
  text != null && VISIBLE_CHARACTER.test(text);
