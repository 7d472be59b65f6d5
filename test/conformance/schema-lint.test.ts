import { readFileSync } from 'node:fs';
import path from 'node:path';
import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';
import { suite } from '../setup/suite.js';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMA = 'src/graphql/schema.graphql';
const PREFIX = '@graphql-eslint/';

const { configs } = graphql;
/** All schema rules of the plugin, including Relay's, with their default options. */
const ALL = {
  ...configs['flat/schema-recommended'].rules,
  ...configs['flat/schema-all'].rules,
  ...configs['flat/schema-relay'].rules,
} as Linter.RulesRecord;
const [, NAMES] = ALL[`${PREFIX}naming-convention`] as [string, Record<string, unknown>];
const { 'ObjectTypeDefinition,ObjectTypeExtension': OBJECT_NAMES, ...OTHER_NAMES } = NAMES;

/**
 * The rules that the schema does not follow by default, with the options that apply instead and the
 * reason.
 */
const EXCEPTIONS: Readonly<
  Record<string, { readonly instead: Linter.RuleEntry; readonly why: string }>
> = {
  alphabetize: {
    instead: 'off',
    why: 'Fields are ordered by importance, as in the interface document. Tools that display a schema can sort them.',
  },
  'naming-convention': {
    instead: [
      'error',
      {
        ...OTHER_NAMES,
        'ObjectTypeDefinition[name.value!=/^Type(Count|Guarantee)$/],ObjectTypeExtension':
          OBJECT_NAMES,
      },
    ],
    why: 'TypeCount and TypeGuarantee are about the types of posts. The names are part of the contract.',
  },
  'no-root-type': {
    instead: 'off',
    why: 'The API has mutations and subscriptions.',
  },
  'no-typename-prefix': {
    instead: 'off',
    why: 'Post.postLink is post_link of the interface document. The name is part of the contract.',
  },
  'relay-arguments': {
    instead: ['error', { includeBoth: false }],
    why: 'The history of a post is read from its newest change on, so it has no `last` and `before`.',
  },
  'relay-edge-types': {
    instead: [
      'error',
      { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
    ],
    why: 'Lists with a fixed maximum, such as the labels of a post, are not paginated, and connections also return nodes without edges. Changes of a post are identified by their post and version, and have no ID.',
  },
  'require-field-of-type-query-in-mutation-result': {
    instead: 'off',
    why: 'A mutation returns its own result. Further queries are separate requests, which count toward the rate limit.',
  },
  'require-nullable-result-in-root': {
    instead: 'off',
    why: 'Lists are never null and mutations always have a result. Null would add no information to an error.',
  },
  'strict-id-in-types': {
    instead: 'off',
    why: 'Only types that implement Node have an ID. The other types are values of a node.',
  },
};

const LINES = readFileSync(path.join(ROOT, SCHEMA), 'utf8').split('\n');
/** Connections of accounts with their networks: the names are part of the contract. */
const NETWORK_CONNECTION = /^(?:type (?:Account)?Connection\b| +connection\b)/;
const isOfNetworkConnection = ({ ruleId, line }: Linter.LintMessage): boolean =>
  ruleId!.startsWith(`${PREFIX}relay-`) && NETWORK_CONNECTION.test(LINES[line - 1]!);

async function lintWith(rules: Linter.RulesRecord): Promise<Linter.LintMessage[]> {
  const eslint = new ESLint({
    cwd: ROOT,
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.graphql'],
      plugins: { '@graphql-eslint': graphql as unknown as ESLint.Plugin },
      rules,
      languageOptions: {
        parser: graphql.parser,
        parserOptions: { graphQLConfig: { schema: SCHEMA } },
      },
    },
  });
  const [result] = await eslint.lintFiles([SCHEMA]);
  return result!.messages.filter((message) => !isOfNetworkConnection(message));
}

const instead = Object.fromEntries(
  Object.entries(EXCEPTIONS).map(([rule, exception]) => [PREFIX + rule, exception.instead]),
);

describe('the schema and the rules of @graphql-eslint and Relay', () => {
  it('follows all rules, with the listed exceptions', async () => {
    suite.report(
      `@graphql-eslint: ${Object.keys(ALL).length} rules, ${Object.keys(EXCEPTIONS).length} with an exception.`,
    );
    expect(await lintWith({ ...ALL, ...instead })).toEqual([]);
  });

  it('requires each exception', async () => {
    const broken = new Set((await lintWith(ALL)).map(({ ruleId }) => ruleId!.replace(PREFIX, '')));
    expect([...broken].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
