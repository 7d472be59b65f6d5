// Unknown elements are treated as inline: their text stays in its line.

const toSet = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Inline elements kept in the text of a block; of other inline elements only the text is kept. */
export const INLINE_MARKUP = toSet(
  'a abbr acronym b bdi bdo big br cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr',
);

/** Attributes kept on inline elements; styling (class, style) and event handlers are dropped. */
export const INLINE_ATTRIBUTES = toSet('href title target rel lang dir datetime cite');

/**
 * Elements that only group others: their content is read as if they were absent, but their start
 * and end separate paragraphs.
 */
export const CONTAINERS = toSet(
  'p div section article main header footer aside center nav body html hgroup address li dd dt td th tr tbody thead tfoot caption figcaption',
);

/** Elements that become a separate block, or that can only be kept as HTML. */
export const BLOCK_ELEMENTS = toSet(
  'h1 h2 h3 h4 h5 h6 ul ol dir menu dl blockquote pre listing table hr figure iframe object embed video audio canvas svg math form fieldset ' +
    'button input select textarea details dialog script style noscript noembed noframes xmp plaintext template map picture title head frameset marquee applet',
);

/** Elements whose content is not visible. */
export const HIDDEN_ELEMENTS = toSet('script style template head');

/** Elements that start and end a line of plain text. */
export const LINE_BREAKING_ELEMENTS = new Set([
  ...CONTAINERS,
  ...BLOCK_ELEMENTS,
  'br',
  'option',
  'optgroup',
  'legend',
  'summary',
]);
for (const name of [
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
  LINE_BREAKING_ELEMENTS.delete(name);
