import { listFiles, readText, sources } from '../source-files.js';
import { fold, isText, UNKNOWN } from './folding.js';
import { childrenOf, nameOf, parseModule, type Module, type Node } from './syntax.js';

/** A statement in the source, or a call of Prisma. */
export interface SourceStatement {
  /** The file, and the names of the constant, function or property that contains the statement. */
  readonly name: string;
  /** The text as far as it is in the source; of a call of Prisma, its names. */
  readonly text: string;
  readonly isPrisma: boolean;
}

const TABLES = new Set(
  [...readText('prisma/schema.prisma').matchAll(/@@map\("(\w+)"\)/g)].map(([, table]) => table!),
);
const TABLE_USE = /\b(?:FROM|JOIN|INTO|UPDATE|TRUNCATE|TABLE|COPY)\s+"?([a-z_]+|…)"?/g;
const STATEMENT = /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE|TRUNCATE|COPY|DROP|ALTER)\b/;

/** The tables that a statement names; a name that is not in the source counts as well. */
export const tablesOf = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(TABLE_USE)]
      // the partition of events without a week
      .map(([, name]) => (name === 'event_default' ? 'event' : name!))
      .filter((name) => TABLES.has(name) || (name === UNKNOWN && STATEMENT.test(text))),
  ),
];

const PRISMA_CALL = /^(?:find|count|create|update|upsert|delete|aggregate|groupBy)/;

interface Found {
  readonly name: string;
  readonly node: Node;
  readonly module: Module;
}

/** The model and method of a call such as `prisma.job.findMany()`; null for other calls. */
function prismaCall({ type, callee }: Node): string | null {
  const method = callee as Node | undefined;
  const model = method?.object as Node | undefined;
  if (type !== 'CallExpression' || model?.type !== 'MemberExpression') return null;
  const client = nameOf(model.object);
  const name = nameOf(method!.property) ?? '';
  return (client === 'prisma' || client === 'tx') && PRISMA_CALL.test(name)
    ? `${nameOf(model.property)}.${name}`
    : null;
}

/** All names in an expression. */
const namesIn = (node: Node): string[] => [
  ...(nameOf(node) === null ? [] : [nameOf(node)!]),
  ...childrenOf(node).flatMap(namesIn),
];

/** The names in the condition of a call of Prisma, or in its new row. */
function scopeOf(call: Node): string[] {
  const properties = childrenOf(call).flatMap(({ properties: own }) => (own as Node[]) ?? []);
  const named = (name: string): Node | undefined =>
    properties.find(
      ({ key, type, value }) => nameOf(key) === name || (type === 'Identifier' && value === name),
    );
  const scope = named('where') ?? named('data');
  return scope ? namesIn(scope) : [];
}

/** The outermost texts of a module and its calls of Prisma, with their names. */
function findIn(module: Module): { texts: Found[]; calls: SourceStatement[] } {
  const texts: Found[] = [];
  const calls: SourceStatement[] = [];
  const file = module.file.replace(/^src\/(?:persistence\/)?|\.ts$/g, '');
  const visit = (node: Node, path: readonly string[]): void => {
    const name = `${file} ${path.join('.')}`;
    if (isText(node)) {
      texts.push({ name, node, module });
      return;
    }
    const call = prismaCall(node);
    if (call !== null)
      calls.push({ name, text: [call, ...scopeOf(node)].join(' '), isPrisma: true });
    const own = nameOf(node.id ?? node.identifier ?? node.key);
    for (const child of childrenOf(node)) {
      if (child !== node.key) visit(child, own === null ? path : [...path, own]);
    }
  };
  if (module.body.type === 'Module') visit(module.body, []);
  return { texts, calls };
}

/** The functions that triggers and statements call. */
const listFunctions = (): SourceStatement[] =>
  listFiles('prisma/migrations', /\.sql$/).flatMap((file) =>
    [
      ...readText(file).matchAll(/CREATE (?:OR REPLACE )?FUNCTION "(\w+)"[^$]*\$\$([^]*?)\$\$/g),
    ].map(([, name, text]) => ({ name: `function ${name}`, text: text!, isPrisma: false })),
  );

/** Numbers statements with the same name. */
function numbered(statements: readonly SourceStatement[]): SourceStatement[] {
  const seen = new Map<string, number>();
  return statements.map((statement) => {
    const count = (seen.get(statement.name) ?? 0) + 1;
    seen.set(statement.name, count);
    return count === 1 ? statement : { ...statement, name: `${statement.name} #${count}` };
  });
}

/**
 * The statements of the service that read or write a table. A text that is only a part of others is
 * not listed: it is in their text.
 */
export function listStatements(): SourceStatement[] {
  const found = sources
    .filter((file) => file.endsWith('.ts'))
    .map((file) => findIn(parseModule(file)));
  const parts = new Set<Node>();
  const folded = found
    .flatMap(({ texts }) => texts)
    .map(({ name, node, module }) => {
      const text = fold(node, module, (part) => part !== node && parts.add(part));
      return { name, node, text, isPrisma: false };
    })
    .filter(({ text }) => tablesOf(text).length > 0);
  const statements = folded.filter(({ node, text }) => !parts.has(node) || STATEMENT.test(text));
  return numbered([
    ...statements.map(({ name, text, isPrisma }) => ({ name, text, isPrisma })),
    ...found.flatMap(({ calls }) => calls),
    ...listFunctions(),
  ]);
}
