import type { ErrorCode } from '../../src/domain/errors.js';

/** What is sent to /graphql. */
export interface Attack {
  readonly method?: string;
  /** With its question mark. */
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An attack by the name that a tool or a guide gives it, and what it is refused with; 200 where the operation is well-formed and a field refuses. `besides`: what else it breaks, and is told. */
export interface Check {
  readonly name: string;
  readonly source: 'graphql-cop' | 'OWASP';
  readonly status: number;
  readonly code: ErrorCode;
  readonly besides: readonly ErrorCode[];
  readonly attack: Attack;
}

/** Answers as a client that reads statuses has them: 400 for what is refused before it runs. */
const JSON_BODY = {
  'Content-Type': 'application/json',
  Accept: 'application/graphql-response+json',
};
const ask = (query: string, variables?: object): Attack => ({
  headers: JSON_BODY,
  body: JSON.stringify({ query, variables }),
});
const many = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
/** What suggestions begin with: whatever takes them out looks for their end from each beginning. */
const HINTS = 'Did you mean '.repeat(7_000);
const refused =
  (source: Check['source'], code: ErrorCode, status = 400) =>
  (name: string, attack: Attack, ...besides: readonly ErrorCode[]): Check => ({
    name,
    source,
    status,
    code,
    besides,
    attack,
  });

/** graphql-cop's checks that a server is to refuse; those that look for something in an answer are in disclosure.test.ts. */
const GRAPHQL_COP: readonly Check[] = [
  refused('graphql-cop', 'TOO_MANY_ALIASES')(
    'alias_overloading',
    ask(`{ ${many(101, (index) => `alias${index}: __typename`)} }`),
    'TOO_MANY_FIELDS',
  ),
  refused('graphql-cop', 'BAD_USER_INPUT')('batch_query', {
    headers: JSON_BODY,
    body: JSON.stringify(Array(10).fill({ query: '{ __typename }' })),
  }),
  refused('graphql-cop', 'TOO_MANY_DIRECTIVES')(
    'directive_overloading',
    ask(`{ __typename ${'@aa'.repeat(500)} }`),
  ),
  refused('graphql-cop', 'QUERY_TOO_DEEP')(
    'circular_query_introspection',
    ask(
      `{ __schema { types { fields { type { ${'fields { type { '.repeat(8)} name ${'} }'.repeat(8)} } } } } }`,
    ),
  ),
  refused('graphql-cop', 'TOO_MANY_FIELDS')(
    'field_duplication',
    ask(`{ ${'__typename '.repeat(500)} }`),
  ),
  refused('graphql-cop', 'BAD_USER_INPUT')('field_suggestions', ask('{ vieer { role } }')),
  refused('graphql-cop', 'BAD_USER_INPUT')(
    'field_suggestions, in the error of a variable',
    ask('query($f: PostFilter) { posts(filter: $f) { totalCount } }', { f: { acountIds: [] } }),
  ),
  refused(
    'graphql-cop',
    'METHOD_NOT_ALLOWED',
    405,
  )('get_based_mutation', { method: 'GET', search: '?query=mutation%20%7B__typename%7D' }),
  refused(
    'graphql-cop',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('post_based_csrf', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'query=%7B__typename%7D',
  }),
];

/** The OWASP GraphQL Cheat Sheet's attacks, section by section. */
const OWASP: readonly Check[] = [
  refused('OWASP', 'QUERY_TOO_DEEP')(
    'depth limiting',
    ask(`{ posts { nodes { ${'parent { '.repeat(12)} id ${'} '.repeat(12)} } } }`),
  ),
  refused('OWASP', 'TOO_MANY_FIELDS')(
    'amount limiting: width',
    ask(`{ viewer { ${many(301, () => 'role')} } }`),
  ),
  refused('OWASP', 'TOO_MANY_FIELDS')(
    'amount limiting: root fields',
    ask(`{ ${many(31, () => 'viewer { role }')} }`),
  ),
  refused('OWASP', 'QUERY_TOO_COMPLEX')(
    'query cost analysis',
    ask('{ posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }'),
  ),
  refused(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )('pagination: unbounded first', ask('{ posts(first: 2147483647) { nodes { id } } }')),
  refused(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'pagination: unbounded first in a variable',
    ask('query($n: Int) { labels(first: $n) { nodes { id } } }', { n: 1e9 }),
  ),
  refused(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'pagination: unbounded ids',
    ask('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: Array(1_000).fill('1') }),
  ),
  refused('OWASP', 'TOO_MANY_FIELDS')(
    'batching: mutations in one request',
    ask(`mutation { ${many(11, () => 'deletePosts(input: { ids: ["x"] }) { deletedIds }')} }`),
  ),
  refused('OWASP', 'TOO_MANY_ALIASES')(
    'batching: guessing by aliases',
    ask(
      `{ viewer { role } ${many(29, (index) => `g${index}: node(id: "x${index}") { id }`)} a: __typename b: __typename }`,
    ),
    'TOO_MANY_FIELDS',
  ),
  refused(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'batching: deletions in one field',
    ask('mutation($ids: [ID!]!) { deletePosts(input: { ids: $ids }) { deletedIds } }', {
      ids: Array.from({ length: 101 }, (_, id) => String(id)),
    }),
  ),
  refused('OWASP', 'BAD_USER_INPUT')(
    'cycles by fragments',
    ask('{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }'),
  ),
  refused('OWASP', 'TOO_MANY_FIELDS')(
    'cycles by fragments: a bomb',
    ask(
      `{ posts { nodes { ...F0 } } } ${many(60, (index) => `fragment F${index} on Post { ...F${index + 1} ...F${index + 1} }`)} fragment F60 on Post { id }`,
    ),
  ),
  refused('OWASP', 'TOO_MANY_FIELDS')(
    'introspection: again and again',
    ask(`{ ${many(2, (index) => `i${index}: __schema { types { name } }`)} }`),
  ),
  refused('OWASP', 'TOO_MANY_TOKENS')(
    'system resources: a flood of tokens',
    ask(`{ viewer { ${'role '.repeat(100_000)} } }`),
  ),
  refused('OWASP', 'TOO_MANY_TOKENS')('system resources: many operations in one document', {
    headers: JSON_BODY,
    body: JSON.stringify({
      query: many(500, (index) => `query Q${index} { viewer { role } }`),
      operationName: 'Q1',
    }),
  }),
  refused('OWASP', 'BAD_USER_INPUT')(
    'system resources: an operation that nobody names',
    ask(many(10, (index) => `query Q${index} { viewer { role } }`)),
  ),
  refused('OWASP', 'BAD_USER_INPUT')('system resources: brackets in brackets', {
    headers: JSON_BODY,
    body: `{"query":"{ __typename }","variables":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  }),
  refused(
    'OWASP',
    'PAYLOAD_TOO_LARGE',
    413,
  )('system resources: a large body', {
    headers: JSON_BODY,
    body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(1_100_000)}` }),
  }),
  refused('OWASP', 'BAD_USER_INPUT')(
    'input validation: an unknown enum value',
    ask('{ posts(filter: { states: [NOTHING] }) { totalCount } }'),
  ),
  refused('OWASP', 'BAD_USER_INPUT')(
    'input validation: another type',
    ask('query($id: ID!) { post(id: $id) { id } }', { id: { $gt: '' } }),
  ),
  refused('OWASP', 'BAD_USER_INPUT')(
    'error detail: a value that reads like a hint, again and again',
    ask('query($n: Int) { posts(first: $n) { totalCount } }', { n: HINTS }),
  ),
  refused('OWASP', 'BAD_USER_INPUT')(
    'error detail: such a value in the document',
    ask(`{ posts(first: "${HINTS}") { totalCount } }`),
  ),
  refused('OWASP', 'BAD_USER_INPUT')(
    'error detail: such a value for an enum',
    ask('query($types: [PostType!]) { posts(filter: { types: $types }) { totalCount } }', {
      types: [HINTS],
    }),
  ),
  refused(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: a form with files', {
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--',
  }),
  refused(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: plain text', {
    headers: { 'Content-Type': 'text/plain' },
    body: '{"query":"{ __typename }"}',
  }),
  refused(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: a type that takes long to read', {
    headers: { 'Content-Type': `application/json${' '.repeat(14_000)}x` },
    body: '{"query":"{ __typename }"}',
  }),
  refused('OWASP', 'BAD_USER_INPUT')('subscriptions', ask('subscription { posts { totalCount } }')),
];

export const CHECKS: readonly Check[] = [...GRAPHQL_COP, ...OWASP];
