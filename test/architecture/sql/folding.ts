import { childrenOf, nameOf, resolve, type Module, type Node } from './syntax.js';

/** Stands for a part of a text that is known only when the service runs. */
export const UNKNOWN = '…';
const MAX_DEPTH = 30;

const STRINGS = new Set(['StringLiteral', 'TemplateLiteral']);

/** Whether a node is a text, or a sum with one. */
export const isText = (node: Node): boolean =>
  STRINGS.has(node.type) ||
  (node.type === 'BinaryExpression' &&
    node.operator === '+' &&
    [node.left, node.right].some((side) => isText(side as Node)));

/** The expressions that a function returns, or the expression itself. */
function resultsOf(node: Node): Node[] {
  const body = node.body as Node | undefined;
  if (!body || !/Function/.test(node.type)) return [node];
  if (body.type !== 'BlockStatement') return [body];
  const found: Node[] = [];
  const visit = (inner: Node): void => {
    if (inner.type === 'ReturnStatement') found.push(inner.argument as Node);
    else if (!/Function/.test(inner.type)) childrenOf(inner).forEach(visit);
  };
  visit(body);
  return found.filter(Boolean);
}

/**
 * The text of an expression as far as it is in the source: constants and the results of functions are
 * inserted, also those of other modules. `onUse` is called for each node whose text is part of it.
 */
export function fold(
  node: Node,
  module: Module,
  onUse: (node: Node) => void,
  depth = MAX_DEPTH,
): string {
  onUse(node);
  const inner = (child: unknown, within = module): string =>
    depth === 0 || !child ? UNKNOWN : fold(child as Node, within, onUse, depth - 1);
  const named = (name: string | null): string => {
    const found = name === null ? null : resolve(name, module);
    if (!found) return UNKNOWN;
    return resultsOf(found.node)
      .map((result) => inner(result, found.module))
      .join(' ');
  };
  switch (node.type) {
    case 'StringLiteral':
      return node.value as string;
    case 'TemplateLiteral': {
      const expressions = node.expressions as Node[];
      return (node.quasis as Node[])
        .map(
          ({ cooked }, index) =>
            (cooked as string) + (index in expressions ? inner(expressions[index]) : ''),
        )
        .join('');
    }
    case 'BinaryExpression':
      return inner(node.left) + inner(node.right);
    case 'Identifier':
      return named(nameOf(node));
    case 'CallExpression': {
      const callee = node.callee as Node;
      if (callee.type === 'Identifier') return named(nameOf(callee));
      // a list that is mapped or joined
      return childrenOf(node)
        .flatMap(resultsOf)
        .map((child) => inner(child))
        .join(' ');
    }
    case 'ConditionalExpression':
      return `${inner(node.consequent)} ${inner(node.alternate)}`;
    case 'MemberExpression':
      return inner(node.object);
    case 'ArrayExpression':
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
    case 'TsNonNullExpression':
      return childrenOf(node)
        .map((child) => inner(child))
        .join(' ');
    default:
      return UNKNOWN;
  }
}
