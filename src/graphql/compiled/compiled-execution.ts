import {
  getVariableValues,
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { GatewayContext } from '../context.js';
import { JsonText } from './json-text.js';
import { NotCompilableError } from './not-compilable.js';
import {
  compileOperation,
  executeOperation,
  type CompiledOperation,
} from './compiled-operation.js';

/** A parsed and valid operation of a request. */
interface OperationRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Variables as sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GatewayContext;
}

/**
 * Executes an operation. Returns null if it cannot be compiled or if it fails; graphql-js then
 * executes it.
 */
export type CompiledExecution = (request: OperationRequest) => Promise<JsonText | null>;

/**
 * Variants of an operation, by the values of the variables in @include and @skip; null for a
 * variant that cannot be compiled.
 */
interface OperationVariants {
  readonly directiveVariables: readonly string[];
  readonly compiledByKey: Map<string, CompiledOperation | null>;
}

/** Variant key of an operation without directive variables. */
const SINGLE_VARIANT = '';

/**
 * Every directive variable doubles the number of variants. graphql-js executes variants beyond this
 * number.
 */
const MAX_VARIANTS = 16;

/**
 * Creates compiled execution. An operation is compiled once per parsed document, to the resolvers
 * of its root fields and the writers of their results. Only successful results are written here:
 * after any error, graphql-js executes the operation and reuses the results of root fields.
 */
export function createCompiledExecution(schema: GraphQLSchema): CompiledExecution {
  const variantsByOperation = new WeakMap<OperationDefinitionNode, OperationVariants>();

  return async ({ document, operation, variables, context }) => {
    const variants = variantsByOperation.get(operation) ?? {
      directiveVariables: findDirectiveVariables(document),
      compiledByKey: new Map<string, CompiledOperation | null>(),
    };
    variantsByOperation.set(operation, variants);
    // before variables are coerced: graphql-js repeats that
    if (variants.compiledByKey.get(SINGLE_VARIANT) === null) return null;
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
      maxErrors: 1,
    });
    if (!coerced) return null;
    const variantKey = variants.directiveVariables.map((name) => String(coerced[name])).join();
    let compiled = variants.compiledByKey.get(variantKey);
    if (compiled === undefined) {
      if (variants.compiledByKey.size >= MAX_VARIANTS) return null;
      compiled = compileOperation({
        schema,
        operation,
        fragments: fragmentsOf(document),
        variableValues: coerced,
      });
      variants.compiledByKey.set(variantKey, compiled);
    }
    try {
      return compiled && new JsonText(await executeOperation(compiled, coerced, context));
    } catch (error) {
      // it would fail again
      if (error instanceof NotCompilableError) variants.compiledByKey.set(variantKey, null);
      return null;
    }
  };
}

function findDirectiveVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (node) =>
      node.arguments?.forEach(({ value }) => {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }),
  });
  return [...names];
}

const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
