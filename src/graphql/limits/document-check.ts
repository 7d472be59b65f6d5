import { Kind, parse, type DocumentNode } from 'graphql';
import { GatewayError, type ErrorCode } from '../../domain/errors.js';
import { createSizeMeasure, type Size } from './document-size.js';
import { LIMITS } from './limits.js';

const OPERATIONS: readonly string[] = ['query', 'mutation', 'subscription'];
/**
 * A limit of operations, and of unused fragments where `kinds` includes them: those are validated,
 * too.
 */
interface LimitRow {
  readonly measure: (size: Size) => number;
  readonly limit: number;
  readonly code: ErrorCode;
  readonly unit: string;
  /** Definitions that the limit applies to. Defaults to operations of every kind. */
  readonly kinds?: readonly string[];
}
const LIMIT_ROWS: readonly LimitRow[] = [
  {
    measure: ({ depth }) => depth,
    limit: LIMITS.depth,
    code: 'QUERY_TOO_DEEP',
    unit: 'levels of fields',
  },
  {
    measure: ({ introspectionDepth }) => introspectionDepth,
    limit: LIMITS.introspectionDepth,
    code: 'QUERY_TOO_DEEP',
    unit: 'levels of introspection',
  },
  {
    measure: ({ fields }) => fields,
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'fields with fragments expanded',
    kinds: [...OPERATIONS, 'fragment'],
  },
  {
    measure: ({ introspectionFields }) => introspectionFields,
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'introspection fields with fragments expanded',
  },
  {
    measure: ({ introspections }) => introspections,
    limit: LIMITS.introspections,
    code: 'TOO_MANY_FIELDS',
    unit: '`__schema` or `__type` per operation',
  },
  {
    measure: ({ rootFields }) => rootFields,
    limit: LIMITS.rootFields,
    code: 'TOO_MANY_FIELDS',
    unit: 'root fields',
  },
  {
    measure: ({ rootFields }) => rootFields,
    limit: LIMITS.mutations,
    code: 'TOO_MANY_FIELDS',
    unit: 'mutations',
    kinds: ['mutation'],
  },
  {
    measure: ({ aliases }) => aliases,
    limit: LIMITS.aliases,
    code: 'TOO_MANY_ALIASES',
    unit: 'aliases',
  },
  {
    measure: ({ directives }) => directives,
    limit: LIMITS.directives,
    code: 'TOO_MANY_DIRECTIVES',
    unit: 'directives',
  },
];

/** Limits that the operations and fragments of a document exceed. */
function findViolations(document: DocumentNode): GatewayError[] {
  const { selectionSetSize, addDirectives, circularFragments } = createSizeMeasure(document);
  const violations = document.definitions.flatMap((definition) => {
    if (
      definition.kind !== Kind.OPERATION_DEFINITION &&
      definition.kind !== Kind.FRAGMENT_DEFINITION
    )
      return [];
    const variableDirectives =
      definition.variableDefinitions?.flatMap(({ directives = [] }) => directives) ?? [];
    const size = addDirectives(
      [...(definition.directives ?? []), ...variableDirectives],
      selectionSetSize(definition.selectionSet),
    );
    const kind = definition.kind === Kind.OPERATION_DEFINITION ? definition.operation : 'fragment';
    return LIMIT_ROWS.filter(
      ({ measure, limit, kinds = OPERATIONS }) => kinds.includes(kind) && measure(size) > limit,
    ).map(({ code, limit, unit }) => new GatewayError(code, `The maximum is ${limit} ${unit}.`));
  });
  // Checked before validation, which overflows the stack if many fragments spread each other.
  const cycles = [...circularFragments]
    .slice(0, 1)
    .map((name) => new GatewayError('BAD_USER_INPUT', `Fragment "${name}" spreads itself.`));
  return [...cycles, ...new Map(violations.map((error) => [error.message, error])).values()];
}

const isTokenLimit = (error: unknown): boolean =>
  error instanceof Error && /more tha[nt] \d+ tokens/.test(error.message);

/**
 * Limits that a document exceeds. A document with syntax errors has none: the parser of Apollo
 * Server reports those.
 */
function checkSource(source: string): GatewayError[] {
  try {
    return findViolations(parse(source, { maxTokens: LIMITS.tokens, noLocation: true }));
  } catch (error) {
    return isTokenLimit(error)
      ? [
          new GatewayError(
            'TOO_MANY_TOKENS',
            `The maximum is ${LIMITS.tokens} tokens per document.`,
          ),
        ]
      : [];
  }
}

/** Clients repeat few documents. Results of short ones are cached; the oldest is evicted first. */
const CACHE_LIMITS = { documents: 500, characters: 10_000 } as const;

/** Creates the check of a document against LIMITS, before validation. Results are cached. */
export function createDocumentCheck(): (source: string) => readonly GatewayError[] {
  const cache = new Map<string, readonly GatewayError[]>();
  return (source) => {
    const cached = cache.get(source);
    if (cached) return cached;
    const violations = checkSource(source);
    if (source.length <= CACHE_LIMITS.characters) cache.set(source, violations);
    if (cache.size > CACHE_LIMITS.documents) cache.delete(cache.keys().next().value!);
    return violations;
  };
}
