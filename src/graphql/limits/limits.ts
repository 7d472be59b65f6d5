import {
  Kind,
  parse,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { GatewayError, type ErrorCode } from '../../domain/errors.js';

/** How large an operation may be (D40). */
export const LIMITS = {
  depth: 12,
  fields: 300,
  aliases: 30,
  rootFields: 30,
  mutations: 10,
  directives: 20,
  tokens: 2_000,
  complexity: 5_000,
  /** Of `__schema` and `__type`, which count apart so that graphql-js's own introspection query passes. */
  introspectionDepth: 16,
  introspections: 1,
  /** Mistakes in variables that are told: each is told with the whole value, which may be a megabyte. */
  variableErrors: 10,
} as const;

/** What there is of everything under a selection, fragments expanded; sums of a fragment bomb grow to Infinity. */
interface Size {
  depth: number;
  fields: number;
  aliases: number;
  directives: number;
  /** Fields at its own level. */
  top: number;
  introspections: number;
  introspectionDepth: number;
  introspectionFields: number;
}
const NOTHING: Size = {
  depth: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  top: 0,
  introspections: 0,
  introspectionDepth: 0,
  introspectionFields: 0,
};
const DEEPEST = new Set<keyof Size>(['depth', 'introspectionDepth']);

const together = (a: Size, b: Size): Size =>
  Object.fromEntries(
    (Object.keys(a) as (keyof Size)[]).map((key) => [
      key,
      DEEPEST.has(key) ? Math.max(a[key], b[key]) : a[key] + b[key],
    ]),
  ) as unknown as Size;

const INTROSPECTION = new Set(['__schema', '__type']);

function fieldSize(name: string, under: Size): Size {
  const { aliases, directives } = under;
  if (INTROSPECTION.has(name)) {
    return {
      ...NOTHING,
      aliases,
      directives,
      top: 1,
      introspections: 1,
      introspectionDepth: under.depth + 1,
      introspectionFields: under.fields + 1,
    };
  }
  return { ...under, depth: under.depth + 1, fields: under.fields + 1, top: 1 };
}

/** Measures each fragment once, however often it is spread, and finds those that are inside themselves. */
function createMeasure(document: DocumentNode) {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const measured = new Map<string, Size>();
  const open = new Set<string>();
  const circular = new Set<string>();

  const ofFragment = (fragment: FragmentDefinitionNode): Size => {
    const name = fragment.name.value;
    if (open.has(name)) circular.add(name);
    const known = open.has(name) ? NOTHING : measured.get(name);
    if (known) return known;
    open.add(name);
    const size = withDirectives(fragment.directives, ofSet(fragment.selectionSet));
    open.delete(name);
    measured.set(name, size);
    return size;
  };
  const withDirectives = (directives: readonly unknown[] = [], size: Size): Size => ({
    ...size,
    directives: size.directives + directives.length,
  });
  const ofNode = (node: SelectionNode): Size => {
    if (node.kind === Kind.INLINE_FRAGMENT) return ofSet(node.selectionSet);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(node.name.value);
      return fragment ? ofFragment(fragment) : NOTHING;
    }
    const size = fieldSize(node.name.value, node.selectionSet ? ofSet(node.selectionSet) : NOTHING);
    return node.alias ? { ...size, aliases: size.aliases + 1 } : size;
  };
  const ofSet = (set: SelectionSetNode): Size =>
    set.selections.reduce(
      (sum, node) => together(sum, withDirectives(node.directives, ofNode(node))),
      NOTHING,
    );
  return { ofSet, withDirectives, circular };
}

const OPERATIONS: readonly string[] = ['query', 'mutation', 'subscription'];
/** What an operation may not have too much of, and what a fragment that none uses may not: that is validated too. */
interface LimitRow {
  readonly of: (size: Size) => number;
  readonly limit: number;
  readonly code: ErrorCode;
  readonly what: string;
  /** Operations of every kind when left out. */
  readonly kinds?: readonly string[];
}
const ROWS: readonly LimitRow[] = [
  {
    of: ({ depth }) => depth,
    limit: LIMITS.depth,
    code: 'QUERY_TOO_DEEP',
    what: 'levels of fields',
  },
  {
    of: ({ introspectionDepth }) => introspectionDepth,
    limit: LIMITS.introspectionDepth,
    code: 'QUERY_TOO_DEEP',
    what: 'levels of introspection',
  },
  {
    of: ({ fields }) => fields,
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    what: 'fields, fragments expanded',
    kinds: [...OPERATIONS, 'fragment'],
  },
  {
    of: ({ introspectionFields }) => introspectionFields,
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    what: 'introspection fields, fragments expanded',
  },
  {
    of: ({ introspections }) => introspections,
    limit: LIMITS.introspections,
    code: 'TOO_MANY_FIELDS',
    what: '__schema or __type in one operation',
  },
  { of: ({ top }) => top, limit: LIMITS.rootFields, code: 'TOO_MANY_FIELDS', what: 'root fields' },
  {
    of: ({ top }) => top,
    limit: LIMITS.mutations,
    code: 'TOO_MANY_FIELDS',
    what: 'mutations',
    kinds: ['mutation'],
  },
  {
    of: ({ aliases }) => aliases,
    limit: LIMITS.aliases,
    code: 'TOO_MANY_ALIASES',
    what: 'aliases',
  },
  {
    of: ({ directives }) => directives,
    limit: LIMITS.directives,
    code: 'TOO_MANY_DIRECTIVES',
    what: 'directives',
  },
];

/** What an operation, or a fragment that none uses, has too much of. */
function excesses(document: DocumentNode): GatewayError[] {
  const { ofSet, withDirectives, circular } = createMeasure(document);
  const refusals = document.definitions.flatMap((definition) => {
    if (
      definition.kind !== Kind.OPERATION_DEFINITION &&
      definition.kind !== Kind.FRAGMENT_DEFINITION
    )
      return [];
    const onVariables =
      definition.variableDefinitions?.flatMap(({ directives = [] }) => directives) ?? [];
    const size = withDirectives(
      [...(definition.directives ?? []), ...onVariables],
      ofSet(definition.selectionSet),
    );
    const kind = definition.kind === Kind.OPERATION_DEFINITION ? definition.operation : 'fragment';
    return ROWS.filter(
      ({ of, limit, kinds = OPERATIONS }) => kinds.includes(kind) && of(size) > limit,
    ).map(({ code, limit, what }) => new GatewayError(code, `At most ${limit} ${what}.`));
  });
  // Not left to validation: where many of them spread each other, it runs out of stack.
  const circles = [...circular]
    .slice(0, 1)
    .map((name) => new GatewayError('BAD_USER_INPUT', `Fragment "${name}" spreads itself.`));
  return [...circles, ...new Map(refusals.map((refusal) => [refusal.message, refusal])).values()];
}

const isTokenLimit = (error: unknown): boolean =>
  error instanceof Error && /more tha[nt] \d+ tokens/.test(error.message);

/** Everything a document has too much of, before anything of it is validated; what is no document is left to the parser. */
function documentExcesses(source: string): GatewayError[] {
  try {
    return excesses(parse(source, { maxTokens: LIMITS.tokens, noLocation: true }));
  } catch (error) {
    return isTokenLimit(error)
      ? [new GatewayError('TOO_MANY_TOKENS', `At most ${LIMITS.tokens} tokens in a document.`)]
      : [];
  }
}

/** Documents are few and come again: so many short ones are remembered, the oldest is forgotten first. */
const REMEMBERED = { documents: 500, characters: 10_000 } as const;

/** Makes the check of a document's size, which knows again what it has seen. */
export function createDocumentLimits(): (source: string) => readonly GatewayError[] {
  const known = new Map<string, readonly GatewayError[]>();
  return (source) => {
    const before = known.get(source);
    if (before) return before;
    const found = documentExcesses(source);
    if (source.length <= REMEMBERED.characters) known.set(source, found);
    if (known.size > REMEMBERED.documents) known.delete(known.keys().next().value!);
    return found;
  };
}
