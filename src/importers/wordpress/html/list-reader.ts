import { isTag, type ChildNode, type Element } from 'domhandler';
import type { ListData, ListItem } from './block-data.js';
import type { ElementContext } from './element-context.js';
import { isBlankText } from './html-inline.js';

const isList = (node: ChildNode): node is Element =>
  isTag(node) && (node.name === 'ul' || node.name === 'ol');
const toListStyle = ({ name }: Element): ListData['style'] =>
  name === 'ol' ? 'ordered' : 'unordered';

/** A list with its nested lists; null if an item contains more than text and lists. */
export function readList(context: ElementContext, element: Element): ListData | null {
  const items: ListItem[] = [];
  for (const child of element.children) {
    if (isBlankText(child)) continue;
    if (isTag(child) && child.name === 'li') {
      const item = readItem(context, child.children, toListStyle(element));
      if (item === null) return null;
      items.push(item);
    } else if (isList(child)) {
      // A list directly inside a list belongs to the preceding item.
      const nestedList = readList(context, child);
      const last = items.at(-1);
      if (nestedList === null || last === undefined) return null;
      last.style = nestedList.style;
      last.items.push(...nestedList.items);
    } else return null;
  }
  return { style: toListStyle(element), items };
}

function readItem(
  context: ElementContext,
  children: readonly ChildNode[],
  style: ListData['style'],
): ListItem | null {
  const lists = children.filter(isList).map((list) => readList(context, list));
  const firstList = children.findIndex(isList);
  const nodesAfterList =
    firstList < 0
      ? []
      : children.slice(firstList).filter((child) => !isList(child) && !isBlankText(child));
  // An item cannot represent text after a nested list.
  const text =
    nodesAfterList.length > 0 ? null : context.readFlow(children.filter((child) => !isList(child)));
  if (text === null || lists.includes(null)) return null;
  return {
    text,
    style: lists[0]?.style ?? style,
    items: lists.flatMap((list) => list?.items ?? []),
  };
}
