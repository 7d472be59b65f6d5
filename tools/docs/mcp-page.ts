import type { Tool } from '../../src/mcp/tool.js';
import { TOOLS } from '../../src/mcp/tools.js';
import { code, EMPTY_CELL, page, table } from './markdown.js';

interface Argument {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Argument;
  readonly description?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Argument>>;
  readonly required?: readonly string[];
}

const namesOf = ({ properties = {}, required = [] }: Argument): string =>
  Object.keys(properties)
    .map((name) => code(required.includes(name) ? `${name}!` : name))
    .join(', ');

/** What an argument takes, in a few words. */
function allowedIn(argument: Argument): string {
  const { type, enum: values, items, maxLength, minimum, maximum, maxItems } = argument;
  if (items) return `${maxItems === undefined ? '' : `at most ${maxItems}: `}${allowedIn(items)}`;
  if (values) return values.map(code).join(', ');
  if (argument.properties) return `objects of ${namesOf(argument)}`;
  if (minimum !== undefined && maximum !== undefined && maximum < 2 ** 31 - 1)
    return `${minimum} to ${maximum}`;
  return maxLength === undefined ? (type ?? '') : `${type}, at most ${maxLength} characters`;
}

function section({
  name,
  title,
  description,
  scopes,
  hints,
  inputSchema,
  example,
}: Tool): string[] {
  const input = inputSchema as Argument;
  const rows = Object.entries(input.properties ?? {}).map(([argument, schema]) => [
    code(argument) + (input.required?.includes(argument) ? ' (required)' : ''),
    allowedIn(schema),
    schema.description ?? EMPTY_CELL,
  ]);
  const kind = hints.readOnlyHint
    ? 'changes nothing'
    : hints.destructiveHint
      ? 'cannot be taken back on its own'
      : 'changes data';
  return [
    `## ${name}`,
    `${title}: ${description}`,
    `Scopes: ${scopes.flat().map(code).join(', ') || 'any key'}. The tool ${kind}.`,
    ...(rows.length > 0 ? [table(['argument', 'allowed', 'description'], rows)] : []),
    ['```json', JSON.stringify({ name, arguments: example }, null, 2), '```'].join('\n'),
  ];
}

/** docs/reference/mcp.md: the tools of the MCP server. */
export const mcpPage = (): string =>
  page(
    'Tools of the MCP server',
    'This page lists the tools that agents can call, with an example of each call. [Agents](../mcp.md) describes how to connect an agent.',
    ...TOOLS.flatMap(section),
  );
