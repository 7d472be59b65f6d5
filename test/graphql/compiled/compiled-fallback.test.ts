import { buildSchema, execute, type GraphQLObjectType } from 'graphql';
import { createCompiledExecution } from '../../../src/graphql/compiled/compiled-execution.js';
import type { GatewayContext } from '../../../src/graphql/context.js';
import { createDocuments } from '../../../src/graphql/document/prepared-document.js';
import { completeResolvers } from '../../../src/graphql/schema/field-decorators.js';
import { toPlainResult } from './compiled-comparison.js';

describe('an operation that compiled execution abandons', () => {
  /**
   * Executes operations on a small schema whose root fields return `value`, and counts how often
   * they are resolved.
   */
  function createCountingExecution(value: Record<string, unknown>) {
    const schema = buildSchema(
      'type Query { get: Thing } type Mutation { set: Thing } type Thing { name: String! later: String many: [String] }',
    );
    let resolved = 0;
    for (const [root, name] of [
      [schema.getQueryType(), 'get'],
      [schema.getMutationType(), 'set'],
    ] as [GraphQLObjectType, string][]) {
      const field = root.getFields()[name]!;
      field.extensions = { requirement: { scopes: [], workspace: false } };
      field.resolve = () => {
        resolved += 1;
        return Promise.resolve(value);
      };
    }
    completeResolvers(schema);
    const executeCompiled = createCompiledExecution(schema);
    const prepare = createDocuments(schema);
    return async (query: string) => {
      const { document, operations } = prepare(query).prepared!;
      const [operation] = [...operations.values()];
      const context = {
        authentication: { caller: { key: { scopes: [] } } },
        state: {},
      } as unknown as GatewayContext;
      const compiled = await executeCompiled({ operation: operation!, variables: {}, context });
      const result = compiled
        ? null
        : toPlainResult(await execute({ schema, document, contextValue: context }));
      return { text: compiled, result, resolved };
    };
  }

  it.each([
    ['query', '{ get { name } }', 'get'],
    ['mutation', 'mutation { set { name } }', 'set'],
  ])('is completed by graphql-js without resolving the %s again', async (_kind, query, key) => {
    expect(await createCountingExecution({ name: null })(query)).toMatchObject({
      text: null,
      resolved: 1,
      result: { data: { [key]: null }, errors: [{ path: [key, 'name'] }] },
    });
  });

  it('is completed by graphql-js for promises, errors and iterables', async () => {
    expect(
      await createCountingExecution({ name: Promise.resolve('late') })('{ get { name } }'),
    ).toMatchObject({
      text: null,
      result: { data: { get: { name: 'late' } } },
    });
    expect(
      await createCountingExecution({ name: 'x', later: new Error('no') })(
        '{ get { name later } }',
      ),
    ).toMatchObject({
      result: { data: { get: { name: 'x', later: null } }, errors: [{ message: 'no' }] },
    });
    expect(
      await createCountingExecution({ name: 'x', many: new Set(['a']) })('{ get { many } }'),
    ).toMatchObject({
      result: { data: { get: { many: ['a'] } } },
    });
    expect(
      await createCountingExecution({ name: () => 'called', later: 5 })('{ get { name later } }'),
    ).toMatchObject({ text: '{"get":{"name":"called","later":"5"}}' });
  });
});
