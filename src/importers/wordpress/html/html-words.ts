/** What the reader of HTML bodies knows about element names. Unknown names count as inline: their text stays in its line. */
const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Inline markup that is kept in a block's text; other inline elements lose their tags and keep their text. */
export const KEPT_INLINE = words(
  'a abbr acronym b bdi bdo big br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
);

/** Attributes of inline markup that say something; looks (class, style) and handlers are left behind. */
export const KEPT_ATTRIBUTES = words('href title target rel lang dir datetime cite');

/** Boxes that mean nothing by themselves: what is in them stands as if they were not there, each end ends a paragraph. */
export const BOXES = words(
  'p div section article main header footer aside center nav body html hgroup address li dd dt td th tr tbody thead tfoot caption figcaption',
);

/** Elements that are blocks of their own, or that only fit as the HTML they are. */
export const BLOCKS = words(
  'h1 h2 h3 h4 h5 h6 ul ol dir menu dl blockquote pre listing table hr figure iframe object embed video audio canvas svg math form fieldset ' +
    'button input select textarea details dialog script style noscript noembed noframes xmp plaintext template map picture title head frameset marquee applet',
);

/** Elements whose content a reader never sees. */
export const UNSEEN = words('script style template head');

/** Elements that begin and end a line of plain text. */
export const LINES = new Set([
  ...BOXES,
  ...BLOCKS,
  'br',
  'option',
  'optgroup',
  'legend',
  'summary',
]);
for (const inline of [
  'script',
  'style',
  'template',
  'button',
  'input',
  'select',
  'svg',
  'math',
  'map',
  'picture',
  'canvas',
])
  LINES.delete(inline);
