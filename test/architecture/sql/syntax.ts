import { parseSync } from '@swc/core';
import path from 'node:path';
import { readText } from '../source-files.js';

/** A node of a syntax tree of swc, whose types do not allow walking it. */
export interface Node {
  readonly type: string;
  readonly [property: string]: unknown;
}

/** What a name stands for in a module. */
export type Binding =
  | { readonly kind: 'value'; readonly node: Node; readonly module: Module }
  | { readonly kind: 'import'; readonly file: string; readonly name: string };

/** A source file, and its constants, functions and imports by name. */
export interface Module {
  readonly file: string;
  readonly body: Node;
  readonly bindings: ReadonlyMap<string, Binding>;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes directly below a node; types are left out. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .flatMap((value) => {
      if (isNode(value)) return value.type.startsWith('Ts') && !isCast(value) ? [] : [value];
      // arguments and elements are wrapped: { spread, expression }
      const wrapped = (value as { expression?: unknown } | null)?.expression;
      return isNode(wrapped) ? [wrapped] : [];
    });
}

const isCast = ({ type }: Node): boolean =>
  ['TsAsExpression', 'TsNonNullExpression', 'TsConstAssertion', 'TsSatisfiesExpression'].includes(
    type,
  );

/** The name of an identifier or of a property; null for computed ones. */
export const nameOf = (node: unknown): string | null =>
  isNode(node) && ['Identifier', 'StringLiteral'].includes(node.type)
    ? (node.value as string)
    : null;

const modules = new Map<string, Module>();

/** Parses a source file of the repository, once. */
export function parseModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const body = parseSync(readText(file), {
    syntax: 'typescript',
    decorators: true,
    target: 'es2022',
  }) as unknown as Node;
  const bindings = new Map<string, Binding>();
  const module = { file, body, bindings };
  modules.set(file, module);
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration') addImports(node, file, bindings);
    const name = nameOf(node.id ?? node.identifier);
    const value = node.type === 'VariableDeclarator' ? node.init : node.body && node;
    if (name !== null && isNode(value) && !bindings.has(name))
      bindings.set(name, { kind: 'value', node: value, module });
    childrenOf(node).forEach(visit);
  };
  visit(body);
  return module;
}

function addImports(node: Node, file: string, bindings: Map<string, Binding>): void {
  const source = nameOf(node.source) ?? '';
  if (!source.startsWith('.')) return;
  const target = path.posix.join(path.posix.dirname(file), source).replace(/\.js$/, '.ts');
  for (const specifier of node.specifiers as Node[]) {
    const local = nameOf(specifier.local);
    const name = nameOf(specifier.imported) ?? local;
    if (local !== null && name !== null)
      bindings.set(local, { kind: 'import', file: target, name });
  }
}

/** The constant or function that a name stands for, in the module that declares it. */
export function resolve(name: string, module: Module): Extract<Binding, { kind: 'value' }> | null {
  const binding = module.bindings.get(name);
  if (!binding) return null;
  if (binding.kind === 'value') return binding;
  return resolve(binding.name, parseModule(binding.file));
}
