import path from 'node:path';
import graphql from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';
import { suite } from '../setup/suite.js';

const ROOT = path.resolve(__dirname, '../..');
const SCHEMA = 'src/graphql/schema.graphql';
const PREFIX = '@graphql-eslint/';

const { configs } = graphql;
/** Every rule for schemas that the plugin has, Relay's among them, set as it sets them. */
const ALL = {
  ...configs['flat/schema-recommended'].rules,
  ...configs['flat/schema-all'].rules,
  ...configs['flat/schema-relay'].rules,
} as Linter.RulesRecord;
const [, NAMES] = ALL[`${PREFIX}naming-convention`] as [string, Record<string, unknown>];
const { 'ObjectTypeDefinition,ObjectTypeExtension': OBJECT_NAMES, ...OTHER_NAMES } = NAMES;

/** What the schema does not follow as the plugin sets it, what it follows instead, and why. */
const EXCEPTIONS: Readonly<
  Record<string, { readonly instead: Linter.RuleEntry; readonly why: string }>
> = {
  alphabetize: {
    instead: 'off',
    why: 'Fields stand by meaning, what matters first, as in the interface document; tools that show a schema sort where they want to.',
  },
  'naming-convention': {
    instead: [
      'error',
      {
        ...OTHER_NAMES,
        'ObjectTypeDefinition[name.value!=TypeCount],ObjectTypeExtension': OBJECT_NAMES,
      },
    ],
    why: 'TypeCount counts the types of posts; the contract names it so.',
  },
  'no-root-type': {
    instead: ['error', { disallow: ['subscription'] }],
    why: 'Posts can be changed.',
  },
  'no-typename-prefix': {
    instead: 'off',
    why: 'Post.postLink is the document’s post_link; the contract names it so.',
  },
  'relay-edge-types': {
    instead: [
      'error',
      { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
    ],
    why: 'Lists that cannot grow, as the labels of a post, have no pages, and a connection gives its nodes without their edges too.',
  },
  'require-field-of-type-query-in-mutation-result': {
    instead: 'off',
    why: 'An answer to a change says what it came to; another question is another request, which counts.',
  },
  'require-nullable-result-in-root': {
    instead: 'off',
    why: 'A list always is one, and a change always has an outcome: null would say nothing that an error does not.',
  },
  'strict-id-in-types': {
    instead: 'off',
    why: 'Records implement Node, whose id it is about; the other types are values of a record, which have none.',
  },
};

async function complaintsWith(rules: Linter.RulesRecord): Promise<Linter.LintMessage[]> {
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
  return result!.messages;
}

const instead = Object.fromEntries(
  Object.entries(EXCEPTIONS).map(([rule, one]) => [PREFIX + rule, one.instead]),
);

describe('the schema, by the rules of @graphql-eslint and Relay', () => {
  it('is clean', async () => {
    suite.tell(
      `@graphql-eslint: ${Object.keys(ALL).length} rules, ${Object.keys(EXCEPTIONS).length} with an exception.`,
    );
    expect(await complaintsWith({ ...ALL, ...instead })).toEqual([]);
  });

  it('needs each exception', async () => {
    const broken = new Set(
      (await complaintsWith(ALL)).map(({ ruleId }) => ruleId!.replace(PREFIX, '')),
    );
    expect([...broken].sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });
});
