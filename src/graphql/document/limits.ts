import { GatewayError, type ErrorCode } from '../../domain/errors.js';

/** Maximum size of a GraphQL operation (D40). */
export const LIMITS = {
  depth: 12,
  fields: 300,
  aliases: 30,
  rootFields: 30,
  mutations: 10,
  directives: 20,
  tokens: 2_000,
  cost: 5_000,
  /**
   * For `__schema` and `__type`, which are measured separately so that the introspection query of
   * graphql-js passes.
   */
  introspectionDepth: 16,
  introspections: 1,
  /**
   * Errors in variables that are reported. Each message contains the whole value, which can be 1
   * MB.
   */
  variableErrors: 10,
} as const;

/**
 * Size of a selection with fragments expanded. Sums can grow to Infinity for nested fragments that
 * multiply.
 */
export interface Size {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
  readonly directives: number;
  /** Fields on the top level of the selection. */
  readonly rootFields: number;
  readonly introspections: number;
  readonly introspectionDepth: number;
  readonly introspectionFields: number;
}
export const EMPTY_SIZE: Size = {
  depth: 0,
  fields: 0,
  aliases: 0,
  directives: 0,
  rootFields: 0,
  introspections: 0,
  introspectionDepth: 0,
  introspectionFields: 0,
};
const SIZE_KEYS = Object.keys(EMPTY_SIZE) as (keyof Size)[];
const DEPTH_KEYS: ReadonlySet<keyof Size> = new Set(['depth', 'introspectionDepth']);

/** Size of selections side by side. */
export function sumSizes(sizes: readonly Size[]): Size {
  const sum = { ...EMPTY_SIZE };
  for (const size of sizes)
    for (const key of SIZE_KEYS)
      sum[key] = DEPTH_KEYS.has(key) ? Math.max(sum[key], size[key]) : sum[key] + size[key];
  return sum;
}

/** Size of a field with the selection under it. */
export function fieldSize(name: string, { aliases, directives, ...selection }: Size): Size {
  const { depth, fields } = selection;
  return name === '__schema' || name === '__type'
    ? {
        ...EMPTY_SIZE,
        aliases,
        directives,
        rootFields: 1,
        introspections: 1,
        introspectionDepth: depth + 1,
        introspectionFields: fields + 1,
      }
    : { ...selection, aliases, directives, depth: depth + 1, fields: fields + 1, rootFields: 1 };
}

/** Kind of a definition, by which limits apply. */
export type DefinitionKind = 'query' | 'mutation' | 'subscription' | 'fragment';
const OPERATIONS: readonly DefinitionKind[] = ['query', 'mutation', 'subscription'];

/**
 * A limit of operations, and of unused fragments where `kinds` includes them: those are validated,
 * too.
 */
interface LimitRow {
  readonly measure: keyof Size;
  readonly limit: number;
  readonly code: ErrorCode;
  readonly unit: string;
  /** Definitions that the limit applies to. Defaults to operations of every kind. */
  readonly kinds?: readonly DefinitionKind[];
}
const LIMIT_ROWS: readonly LimitRow[] = [
  { measure: 'depth', limit: LIMITS.depth, code: 'QUERY_TOO_DEEP', unit: 'levels of fields' },
  {
    measure: 'introspectionDepth',
    limit: LIMITS.introspectionDepth,
    code: 'QUERY_TOO_DEEP',
    unit: 'levels of introspection',
  },
  {
    measure: 'fields',
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'fields with fragments expanded',
    kinds: [...OPERATIONS, 'fragment'],
  },
  {
    measure: 'introspectionFields',
    limit: LIMITS.fields,
    code: 'TOO_MANY_FIELDS',
    unit: 'introspection fields with fragments expanded',
  },
  {
    measure: 'introspections',
    limit: LIMITS.introspections,
    code: 'TOO_MANY_FIELDS',
    unit: '`__schema` or `__type` per operation',
  },
  { measure: 'rootFields', limit: LIMITS.rootFields, code: 'TOO_MANY_FIELDS', unit: 'root fields' },
  {
    measure: 'rootFields',
    limit: LIMITS.mutations,
    code: 'TOO_MANY_FIELDS',
    unit: 'mutations',
    kinds: ['mutation'],
  },
  { measure: 'aliases', limit: LIMITS.aliases, code: 'TOO_MANY_ALIASES', unit: 'aliases' },
  {
    measure: 'directives',
    limit: LIMITS.directives,
    code: 'TOO_MANY_DIRECTIVES',
    unit: 'directives',
  },
];

/** Errors for the limits that a definition exceeds. */
export const limitErrors = (kind: DefinitionKind, size: Size): GatewayError[] =>
  LIMIT_ROWS.filter(
    ({ measure, limit, kinds = OPERATIONS }) => kinds.includes(kind) && size[measure] > limit,
  ).map(({ code, limit, unit }) => new GatewayError(code, `The maximum is ${limit} ${unit}.`));

/** The error of an operation that costs too much; null if it does not. */
export const costErrorOf = (cost: number): GatewayError | null =>
  cost <= LIMITS.cost
    ? null
    : new GatewayError(
        'QUERY_TOO_COMPLEX',
        `The operation costs ${cost}; the maximum is ${LIMITS.cost}.`,
      );
