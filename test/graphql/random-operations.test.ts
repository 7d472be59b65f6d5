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
import { createDocuments } from '../../src/graphql/document/prepared-document.js';
import { arbitraryOperation, type Operation } from '../fixtures/random/operations.js';

const schema = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);
const operations = arbitraryOperation(
  schema,
  { id: ['acc_1', 'nope'], first: [1, 3] },
  { kinds: ['query', 'mutation'] },
);
const sample = (numRuns: number): Operation[] => fc.sample(operations, { seed: 1, numRuns });
const generated = sample(1_500);

/** Validation errors of an operation and its variables. */
function errorsOf({ query, variables }: Operation): string[] {
  const document = parse(query);
  const errors = validate(schema, document).map(({ message }) => message);
  for (const { variableDefinitions = [] } of document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  )) {
    for (const {
      variable: { name },
      type,
      defaultValue,
    } of variableDefinitions) {
      const input = typeFromAST(schema, type as NamedTypeNode);
      const value = variables[name.value];
      if (value !== undefined && isInputType(input))
        coerceInputValue(value, input, (_path, _invalid, { message }) => errors.push(message));
      else if (type.kind === Kind.NON_NULL_TYPE && !defaultValue)
        errors.push(`$${name.value} is missing`);
    }
  }
  return errors;
}

it('generates valid operations, the same for the same seed', () => {
  expect(generated.flatMap(errorsOf)).toEqual([]);
  expect(sample(50)).toEqual(generated.slice(0, 50));
});

it('generates operations within the size limits, with few exceptions', () => {
  const prepare = createDocuments(schema);
  expect(generated.filter(({ query }) => prepare(query).errors).length).toBeLessThan(
    generated.length / 20,
  );
});

it('covers the whole language and schema', () => {
  const text = generated.map(({ query }) => query).join('\n');
  const patterns = [
    /^mutation/m,
    /^query Main/m,
    /^query Second/m,
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
    /^ +[a-zA-Z]+: [a-zA-Z]+$/m,
  ];
  expect(patterns.filter((pattern) => !pattern.test(text))).toEqual([]);
  // Subscriptions need events, not operations that are random.
  const onlySubscribed = ['Subscription', 'Event'];
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') && !onlySubscribed.includes(type.name)
      ? Object.keys(type.getFields())
      : [],
  );
  expect([...new Set(fields)].filter((field) => !new RegExp(`\\b${field}\\b`).test(text))).toEqual(
    [],
  );
  expect(
    Math.max(...generated.map(({ variables }) => Object.keys(variables).length)),
  ).toBeGreaterThan(5);
});
