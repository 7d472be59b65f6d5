import {
  JSON_HEADERS,
  operation,
  rejectedWith,
  repeat,
  type KnownAttack,
} from './attack-builders.js';

/**
 * The start of a suggestion, repeated: removing suggestions from a message must not take quadratic
 * time.
 */
const SUGGESTIONS = 'Did you mean '.repeat(7_000);
/**
 * Requests of graphql-cop that a server should reject. Its checks of response contents are in
 * disclosure.test.ts.
 */
const GRAPHQL_COP: readonly KnownAttack[] = [
  rejectedWith('graphql-cop', 'TOO_MANY_ALIASES')(
    'alias_overloading',
    operation(`{ ${repeat(101, (index) => `alias${index}: __typename`)} }`),
    'TOO_MANY_FIELDS',
  ),
  rejectedWith('graphql-cop', 'BAD_USER_INPUT')('batch_query', {
    headers: JSON_HEADERS,
    body: JSON.stringify(Array(10).fill({ query: '{ __typename }' })),
  }),
  rejectedWith('graphql-cop', 'TOO_MANY_DIRECTIVES')(
    'directive_overloading',
    operation(`{ __typename ${'@aa'.repeat(500)} }`),
  ),
  rejectedWith('graphql-cop', 'QUERY_TOO_DEEP')(
    'circular_query_introspection',
    operation(
      `{ __schema { types { fields { type { ${'fields { type { '.repeat(8)} name ${'} }'.repeat(8)} } } } } }`,
    ),
  ),
  rejectedWith('graphql-cop', 'TOO_MANY_FIELDS')(
    'field_duplication',
    operation(`{ ${'__typename '.repeat(500)} }`),
  ),
  rejectedWith('graphql-cop', 'BAD_USER_INPUT')(
    'field_suggestions',
    operation('{ vieer { role } }'),
  ),
  rejectedWith('graphql-cop', 'BAD_USER_INPUT')(
    'field_suggestions, in the error of a variable',
    operation('query($f: PostFilter) { posts(filter: $f) { totalCount } }', {
      f: { acountIds: [] },
    }),
  ),
  rejectedWith(
    'graphql-cop',
    'METHOD_NOT_ALLOWED',
    405,
  )('get_based_mutation', { method: 'GET', search: '?query=mutation%20%7B__typename%7D' }),
  rejectedWith(
    'graphql-cop',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('post_based_csrf', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'query=%7B__typename%7D',
  }),
];

/** Attacks of the OWASP GraphQL Cheat Sheet, by section. */
const OWASP: readonly KnownAttack[] = [
  rejectedWith('OWASP', 'QUERY_TOO_DEEP')(
    'depth limiting',
    operation(`{ posts { nodes { ${'parent { '.repeat(12)} id ${'} '.repeat(12)} } } }`),
  ),
  rejectedWith('OWASP', 'TOO_MANY_FIELDS')(
    'amount limiting: width',
    operation(`{ viewer { ${repeat(301, () => 'role')} } }`),
  ),
  rejectedWith('OWASP', 'TOO_MANY_FIELDS')(
    'amount limiting: root fields',
    operation(`{ ${repeat(31, () => 'viewer { role }')} }`),
  ),
  rejectedWith('OWASP', 'QUERY_TOO_COMPLEX')(
    'query cost analysis',
    operation('{ posts(first: 100) { nodes { occurrences(first: 100) { nodes { id } } } } }'),
  ),
  rejectedWith(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )('pagination: unbounded first', operation('{ posts(first: 2147483647) { nodes { id } } }')),
  rejectedWith(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'pagination: unbounded first in a variable',
    operation('query($n: Int) { labels(first: $n) { nodes { id } } }', { n: 1e9 }),
  ),
  rejectedWith(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'pagination: unbounded ids',
    operation('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: Array(1_000).fill('1') }),
  ),
  rejectedWith('OWASP', 'TOO_MANY_FIELDS')(
    'batching: mutations in one request',
    operation(
      `mutation { ${repeat(11, () => 'deletePosts(input: { ids: ["x"] }) { deletedIds }')} }`,
    ),
  ),
  rejectedWith('OWASP', 'TOO_MANY_ALIASES')(
    'batching: guessing by aliases',
    operation(
      `{ viewer { role } ${repeat(29, (index) => `g${index}: node(id: "x${index}") { id }`)} a: __typename b: __typename }`,
    ),
    'TOO_MANY_FIELDS',
  ),
  rejectedWith(
    'OWASP',
    'BAD_USER_INPUT',
    200,
  )(
    'batching: deletions in one field',
    operation('mutation($ids: [ID!]!) { deletePosts(input: { ids: $ids }) { deletedIds } }', {
      ids: Array.from({ length: 101 }, (_, id) => String(id)),
    }),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'cycles by fragments',
    operation('{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }'),
  ),
  rejectedWith('OWASP', 'TOO_MANY_FIELDS')(
    'cycles by fragments: exponential expansion',
    operation(
      `{ posts { nodes { ...F0 } } } ${repeat(60, (index) => `fragment F${index} on Post { ...F${index + 1} ...F${index + 1} }`)} fragment F60 on Post { id }`,
    ),
  ),
  rejectedWith('OWASP', 'TOO_MANY_FIELDS')(
    'introspection: repeated',
    operation(`{ ${repeat(2, (index) => `i${index}: __schema { types { name } }`)} }`),
  ),
  rejectedWith('OWASP', 'TOO_MANY_TOKENS')(
    'system resources: many tokens',
    operation(`{ viewer { ${'role '.repeat(100_000)} } }`),
  ),
  rejectedWith('OWASP', 'TOO_MANY_TOKENS')('system resources: many operations in one document', {
    headers: JSON_HEADERS,
    body: JSON.stringify({
      query: repeat(500, (index) => `query Q${index} { viewer { role } }`),
      operationName: 'Q1',
    }),
  }),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'system resources: many operations without operationName',
    operation(repeat(10, (index) => `query Q${index} { viewer { role } }`)),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')('system resources: nested brackets', {
    headers: JSON_HEADERS,
    body: `{"query":"{ __typename }","variables":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  }),
  rejectedWith(
    'OWASP',
    'PAYLOAD_TOO_LARGE',
    413,
  )('system resources: a large body', {
    headers: JSON_HEADERS,
    body: JSON.stringify({ query: `{ __typename } #${'x'.repeat(1_100_000)}` }),
  }),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'input validation: an unknown enum value',
    operation('{ posts(filter: { states: [NOTHING] }) { totalCount } }'),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'input validation: a value of another type',
    operation('query($id: ID!) { post(id: $id) { id } }', { id: { $gt: '' } }),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'error detail: a variable that looks like suggestions',
    operation('query($n: Int) { posts(first: $n) { totalCount } }', { n: SUGGESTIONS }),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'error detail: a literal that looks like suggestions',
    operation(`{ posts(first: "${SUGGESTIONS}") { totalCount } }`),
  ),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'error detail: an enum value that looks like suggestions',
    operation('query($types: [PostType!]) { posts(filter: { types: $types }) { totalCount } }', {
      types: [SUGGESTIONS],
    }),
  ),
  rejectedWith(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: a form with files', {
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{"query":"{ __typename }"}\r\n--x--',
  }),
  rejectedWith(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: plain text', {
    headers: { 'Content-Type': 'text/plain' },
    body: '{"query":"{ __typename }"}',
  }),
  rejectedWith(
    'OWASP',
    'UNSUPPORTED_MEDIA_TYPE',
    415,
  )('cross-site requests: a media type that is slow to parse', {
    headers: { 'Content-Type': `application/json${' '.repeat(14_000)}x` },
    body: '{"query":"{ __typename }"}',
  }),
  rejectedWith('OWASP', 'BAD_USER_INPUT')(
    'subscriptions',
    operation('subscription { posts { totalCount } }'),
  ),
];

export const KNOWN_ATTACKS: readonly KnownAttack[] = [...GRAPHQL_COP, ...OWASP];
