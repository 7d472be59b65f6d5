import { getVariableValues, type GraphQLSchema } from 'graphql';
import type { PreparedOperation } from '../document/prepared-document.js';
import type { SelectedFields, Variables } from '../document/selected-fields.js';
import { compileOperation, type CompiledOperation } from './compile-operation.js';

/** Coerces variables; null if they have errors, which graphql-js reports. */
export function coerceVariables(
  schema: GraphQLSchema,
  { definition, conditionVariables }: PreparedOperation,
  sent: Readonly<Record<string, unknown>>,
): Variables | null {
  const { coerced } = getVariableValues(schema, definition.variableDefinitions ?? [], sent, {
    maxErrors: 1,
  });
  if (!coerced || conditionVariables.some((name) => coerced[name] === null)) return null;
  return coerced;
}

/**
 * Every variable in @include and @skip doubles the number of selections of an operation. graphql-js
 * executes selections beyond this number.
 */
const MAX_SELECTIONS = 16;

/** Compiles each operation once per document and selection. */
export function createCompiledOperations(schema: GraphQLSchema) {
  /** Null for a selection that cannot be compiled. */
  const selectionsByOperation = new WeakMap<
    PreparedOperation,
    Map<SelectedFields, CompiledOperation | null>
  >();
  return {
    get(operation: PreparedOperation, variables: Variables): CompiledOperation | null {
      const selections = selectionsByOperation.get(operation) ?? new Map();
      selectionsByOperation.set(operation, selections);
      const fields = operation.rootFields(variables);
      const known = selections.get(fields);
      if (known !== undefined || selections.size >= MAX_SELECTIONS) return known ?? null;
      const compiled = compileOperation({ schema, operation, fields });
      selections.set(fields, compiled);
      return compiled;
    },
    /** Leaves a selection to graphql-js from now on: it would fail again. */
    remove(operation: PreparedOperation, variables: Variables): void {
      selectionsByOperation.get(operation)?.set(operation.rootFields(variables), null);
    },
  };
}
