import fc from 'fast-check';
import {
  buildSchema,
  coerceInputValue,
  isInputType,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  validate,
  type NamedTypeNode,
} from 'graphql';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDocumentLimits } from '../../src/graphql/limits/limits.js';
import { arbitraryOperation, type Operation } from '../fixtures/random/operations.js';

const schema = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);
const operations = arbitraryOperation(
  schema,
  { id: ['acc_1', 'nope'], first: [1, 3] },
  { kinds: ['query', 'mutation'] },
);
const sample = (numRuns: number): Operation[] => fc.sample(operations, { seed: 6, numRuns });
const all = sample(1_000);

/** Everything that is wrong with an operation, its variables too. */
function faultsOf({ query, variables }: Operation): string[] {
  const document = parse(query);
  const faults = validate(schema, document).map(({ message }) => message);
  for (const { variableDefinitions = [] } of document.definitions.filter(
    (one) => one.kind === Kind.OPERATION_DEFINITION,
  )) {
    for (const {
      variable: { name },
      type,
      defaultValue,
    } of variableDefinitions) {
      const input = typeFromAST(schema, type as NamedTypeNode);
      const value = variables[name.value];
      if (value !== undefined && isInputType(input))
        coerceInputValue(value, input, (_path, _invalid, { message }) => faults.push(message));
      else if (type.kind === Kind.NON_NULL_TYPE && !defaultValue)
        faults.push(`$${name.value} is missing`);
    }
  }
  return faults;
}

it('makes valid operations, the same ones of the same seed', () => {
  expect(all.flatMap(faultsOf)).toEqual([]);
  expect(sample(50)).toEqual(all.slice(0, 50));
});

it('makes such that are not refused for their size', () => {
  const excessesOf = createDocumentLimits();
  expect(all.filter(({ query }) => excessesOf(query).length > 0).length).toBeLessThan(
    all.length / 20,
  );
});

it('uses all of the language and of the schema', () => {
  const text = all.map(({ query }) => query).join('\n');
  const forms = [
    /^mutation/m,
    /^query Main/m,
    /^query Beside/m,
    /^fragment F2 on/m,
    /\.\.\.F\d+ @/,
    /\.\.\. on Node /,
    /\.\.\. \{/,
    /\.\.\. @/,
    / @include\(if: \$v\d+\) @skip\(/,
    /\$v\d+: \w+ = /,
    /\w+_a: /,
    /posts_1: /,
    /(ids|states|types|networks|accountIds): ["A-Z]/,
    /: null/,
    /type_Post: type/,
    /^ +id: \w+$/m,
  ];
  expect(forms.filter((form) => !form.test(text))).toEqual([]);
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') ? Object.keys(type.getFields()) : [],
  );
  expect([...new Set(fields)].filter((field) => !new RegExp(`\\b${field}\\b`).test(text))).toEqual(
    [],
  );
  expect(Math.max(...all.map(({ variables }) => Object.keys(variables).length))).toBeGreaterThan(5);
});
