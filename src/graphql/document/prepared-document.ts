import {
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { GatewayError } from '../../domain/errors.js';
import { costError, createCostOf, findFittingFirst, LIMITS, limitErrors } from './limits.js';
import { selectFields, type SelectedFields, type Variables } from './selected-fields.js';
import { walkDocument, type Selection, type WalkedDocument } from './walk-document.js';

/** An operation of a valid document, with what the walk found in it. */
export interface PreparedOperation {
  readonly definition: OperationDefinitionNode;
  readonly fragments: GraphQLResolveInfo['fragments'];
  /**
   * Type and root field: `query posts`, `mutation updatePost`, or `query (several)` for different
   * root fields. Never a name that the client chose, which would make unbounded metric labels.
   */
  readonly name: string;
  /** Variables in @include and @skip. */
  readonly conditionVariables: readonly string[];
  /** Cost (D40), with variables as sent. */
  costOf(variables: Readonly<Record<string, unknown>>): number;
  /** The error of a cost above the limit, which tells the `first` that fits. */
  costErrorOf(variables: Readonly<Record<string, unknown>>): GatewayError;
  /** Selected root fields, with coerced variables. The same object for the same conditions. */
  rootFields(variables: Variables): SelectedFields;
}

/** A valid document within the limits. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  /** By name. The key of an operation without a name is undefined. */
  readonly operations: ReadonlyMap<string | undefined, PreparedOperation>;
}

/**
 * The operation with a name, or the only one if the name is null. Undefined if there is none, or
 * several.
 */
export function chooseOperation(
  { operations }: PreparedDocument,
  name: string | null,
): PreparedOperation | undefined {
  if (name !== null) return operations.get(name);
  const [first, ...others] = operations.values();
  return others.length === 0 ? first : undefined;
}

/** Why a document is rejected: limits that it exceeds, or errors of graphql-js. */
export type DocumentErrors = readonly (GatewayError | GraphQLError)[];

/** A document that can be executed, or why it cannot. */
export type Preparation =
  | { readonly prepared: PreparedDocument; readonly errors: null }
  | { readonly prepared: null; readonly errors: DocumentErrors };

const reject = (errors: DocumentErrors): Preparation => ({ prepared: null, errors });

/**
 * Prepares a document: parses it, walks it once, checks the limits and validates it, in this order,
 * because validation is slow for documents that exceed the limits.
 */
function prepareDocument(schema: GraphQLSchema, source: string): Preparation {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens: LIMITS.tokens });
  } catch (error) {
    if (error instanceof GraphQLError)
      return reject([isTokenLimit(error) ? tokenLimitError() : error]);
    // The parser calls itself for each bracket: 2,000 of them can exceed the stack.
    if (error instanceof RangeError)
      return reject([new GatewayError('QUERY_TOO_DEEP', 'The document is nested too deeply.')]);
    throw error;
  }
  const walked = walkDocument(schema, document);
  const exceeded = findExceededLimits(walked);
  if (exceeded.length > 0) return reject(exceeded);
  const errors = validate(schema, document, specifiedRules, { hideSuggestions: true });
  if (errors.length > 0) return reject(errors);
  const operations = document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .map((definition) => createPreparedOperation({ schema, document, walked }, definition));
  return {
    prepared: {
      document,
      operations: new Map(operations.map((op) => [op.definition.name?.value, op])),
    },
    errors: null,
  };
}

/**
 * Every condition variable doubles the number of selections. Beyond this number, selections are not
 * kept.
 */
const MAX_SELECTIONS = 16;

/** A valid document, and what the walk found in it. */
interface ValidDocument {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly walked: WalkedDocument;
}

function createPreparedOperation(
  { schema, document, walked }: ValidDocument,
  definition: OperationDefinitionNode,
): PreparedOperation {
  const selection = walked.selections.get(definition)!;
  const costOf = createCostOf(definition, selection.cost);
  const conditionVariables = [...walked.conditionVariables];
  const type = schema.getRootType(definition.operation);
  const fieldsByKey = new Map<string, SelectedFields>();
  return {
    definition,
    fragments: Object.fromEntries(walked.fragments),
    name: nameOf(definition, selection),
    conditionVariables,
    costOf,
    costErrorOf(variables) {
      const fittingFirst = findFittingFirst((first) => {
        const { cost: limited } = walkDocument(schema, document, first).selections.get(definition)!;
        return createCostOf(definition, limited)(variables);
      });
      return costError(costOf(variables), fittingFirst);
    },
    rootFields(variables) {
      const key = conditionVariables.map((name) => String(variables[name])).join();
      const known = fieldsByKey.get(key);
      if (known || !type) return known ?? new Map();
      const fields = selectFields([selection], type, variables);
      if (fieldsByKey.size < MAX_SELECTIONS) fieldsByKey.set(key, fields);
      return fields;
    },
  };
}

function nameOf({ operation }: OperationDefinitionNode, selection: Selection): string {
  const [name, ...others] = new Set(rootFieldNames(selection));
  return `${operation} ${others.length === 0 ? name : '(several)'}`;
}

const rootFieldNames = ({ items }: Selection): string[] =>
  items.flatMap((item) => (item.field ? [item.field.name.value] : rootFieldNames(item.selection)));

const isTokenLimit = ({ message }: GraphQLError): boolean =>
  /more tha[nt] \d+ tokens/.test(message);
const tokenLimitError = (): GatewayError =>
  new GatewayError('TOO_MANY_TOKENS', `The maximum is ${LIMITS.tokens} tokens per document.`);

function findExceededLimits({ selections, circularFragments }: WalkedDocument): GatewayError[] {
  // Checked before validation, which overflows the stack if many fragments spread each other.
  const cycles = [...circularFragments]
    .slice(0, 1)
    .map((name) => new GatewayError('BAD_USER_INPUT', `Fragment "${name}" spreads itself.`));
  const exceeded = [...selections].flatMap(([definition, { size }]) =>
    limitErrors(
      definition.kind === Kind.OPERATION_DEFINITION ? definition.operation : 'fragment',
      size,
    ),
  );
  return [...cycles, ...new Map(exceeded.map((error) => [error.message, error])).values()];
}

/** Clients repeat few documents. Short ones are cached; the oldest is evicted first. */
const CACHE_LIMITS = { documents: 500, characters: 20_000 } as const;

/** Creates the preparation of documents, with a cache by their text. */
export function createDocuments(schema: GraphQLSchema): (source: string) => Preparation {
  const cache = new Map<string, Preparation>();
  return (source) => {
    const cached = cache.get(source);
    if (cached) return cached;
    const preparation = prepareDocument(schema, source);
    if (source.length <= CACHE_LIMITS.characters) cache.set(source, preparation);
    if (cache.size > CACHE_LIMITS.documents) cache.delete(cache.keys().next().value!);
    return preparation;
  };
}

/** A GraphQL request, as clients send it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A request before its parameters are read. */
interface ReceivedRequest {
  readonly method: string;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Query string with its question mark, or empty. */
  readonly search: string;
}

/** The document of a request; empty if it has none. */
export function sourceOf({ method, body, search }: ReceivedRequest): string {
  const source =
    method === 'POST'
      ? (body as { query?: unknown } | null | undefined)?.query
      : new URLSearchParams(search).get('query');
  return typeof source === 'string' ? source : '';
}

/** Whether a value is an object of JSON. */
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const badInput = (name: string, expected: string): GatewayError => {
  const message = `${name} must be ${expected}.`;
  return new GatewayError('BAD_USER_INPUT', message, [{ path: [name], message }]);
};

function parseVariables(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badInput('variables', 'a JSON object');
  }
}

function parametersOf({ method, body, search }: ReceivedRequest): Record<string, unknown> {
  if (method === 'POST') {
    if (!isRecord(body)) throw badInput('body', 'a JSON object with a query');
    return body;
  }
  const parameters = new URLSearchParams(search);
  const variables = parameters.get('variables');
  return {
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    variables: variables ? parseVariables(variables) : null,
  };
}

/**
 * Reads a request whose response is an event stream, according to GraphQL over HTTP.
 * @throws GatewayError BAD_USER_INPUT with the path of the parameter
 */
export function readOperation(request: ReceivedRequest): OperationRequest {
  const { query, operationName = null, variables = null } = parametersOf(request);
  if (typeof query !== 'string' || query === '') throw badInput('query', 'a GraphQL document');
  if (operationName !== null && typeof operationName !== 'string')
    throw badInput('operationName', 'a string');
  if (variables !== null && !isRecord(variables)) throw badInput('variables', 'a JSON object');
  return { query, operationName, variables: variables ?? {} };
}
