import type { CorpusRequest } from './both-servers.js';
import { ABSENT, COUNT, forBothTypes, show, STRICT, withField } from './corpus-requests.js';
import { NUMBER_QUERY } from './variable-corpus.js';

/** Requests whose envelope varies: everything but the operation and its variables. */

const SUCCESS = { query: COUNT };
const FAILURE = { query: '{ posts(first: 0) { totalCount } }' };
const MUTATION = { query: 'mutation { deletePosts(input: { ids: ["nope"] }) { deletedIds } }' };
const SUBSCRIPTION = { query: 'subscription { events { type } }' };
const SYNTAX_ERROR = { query: '{ posts' };

const OPERATION_NAMES = [
  ABSENT,
  null,
  '',
  'A',
  'B',
  'C',
  'nope',
  '__proto__',
  ' A',
  1,
  0,
  true,
  {},
  ['A'],
];
const NAMED_DOCUMENTS = [
  COUNT,
  'query A { posts(first: 2) { totalCount } }',
  'query A { viewer { role } } query B { posts(first: 2) { totalCount } }',
  'query A { viewer { role } } mutation B { deletePosts(input: { ids: ["nope"] }) { deletedIds } }',
  'query A { viewer { role } } subscription B { events { type } }',
  'mutation A { deletePosts(input: { ids: ["nope"] }) { deletedIds } } mutation B { __typename }',
  'fragment A on Query { __typename }',
];

const EXTENSIONS = [
  ABSENT,
  null,
  {},
  [],
  'x',
  '{}',
  1,
  0,
  true,
  false,
  { persistedQuery: null },
  { persistedQuery: undefined },
  { persistedQuery: {} },
  { persistedQuery: false },
  { persistedQuery: 'x' },
  { persistedQuery: { version: 1, sha256Hash: 'x' } },
  { persistedQuery: { version: 2, sha256Hash: 'x' } },
  { clientLibrary: { name: 'x', version: '1' } },
  { nope: 1 },
];

const BODIES = [
  undefined,
  null,
  [],
  {},
  'x',
  '',
  1,
  0,
  true,
  false,
  [SUCCESS],
  [SUCCESS, SUCCESS],
  [[]],
  { nope: 1 },
  { 0: SUCCESS },
  { variables: {} },
  { operationName: 'A' },
  { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
];

/** Requests whose Accept headers are compared: a success, and errors of several stages. */
const NEGOTIATED: readonly (readonly [name: string, body: unknown])[] = [
  ['success', SUCCESS],
  ['error of a resolver', FAILURE],
  ['mutation', MUTATION],
  ['subscription', SUBSCRIPTION],
  ['syntax error', SYNTAX_ERROR],
  ['wrong variable', { query: NUMBER_QUERY, variables: { n: 'x' } }],
  ['no request', []],
];
const ACCEPTS = [
  undefined,
  '',
  ' ',
  '*/*',
  'application/*',
  'application/json',
  STRICT,
  `${STRICT}, application/json`,
  `application/json, ${STRICT}`,
  `application/json;q=0.5, ${STRICT}`,
  `application/json;q=0.9, ${STRICT};q=0.8`,
  `${STRICT};q=0, application/json`,
  'application/json;q=0',
  '*/*;q=0',
  '*/*;q=0.1, application/json;q=0',
  'application/json;q=x',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/html',
  'text/html,application/xhtml+xml,*/*;q=0.8',
  'text/event-stream',
  'text/event-stream, application/json',
  `text/event-stream, ${STRICT}`,
  'text/event-stream;q=0, */*',
  'multipart/mixed',
  'multipart/mixed; deferSpec=20220824, application/json',
  'image/png',
  'nonsense',
  ',',
  ';',
];
const CONTENT_TYPES = [
  undefined,
  '',
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'APPLICATION/JSON',
  'application/json;',
  STRICT,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application',
  '/',
  'application/json, text/plain',
  `application/json${' '.repeat(1_000)}x`,
];

const toSearch = (parameters: Readonly<Record<string, string>>): string =>
  `?${new URLSearchParams(parameters)}`;
const SEARCHES = [
  '',
  '?',
  '?query',
  '?query=',
  '?nope=1',
  '?query=%7B__typename%7D&query=%7B__typename%7D',
  '?query=%',
  '?query=%ff',
  ...[SUCCESS, FAILURE, MUTATION, SUBSCRIPTION, SYNTAX_ERROR].map(toSearch),
  ...['{}', '{"n":1}', '{"n":"x"}', 'null', '[]', '"x"', '{', ''].map((variables) =>
    toSearch({ query: NUMBER_QUERY, variables }),
  ),
  ...['A', 'B', 'nope', ''].flatMap((operationName) =>
    NAMED_DOCUMENTS.slice(1, 4).map((query) => toSearch({ query, operationName })),
  ),
  ...['{}', '{"persistedQuery":{"version":1,"sha256Hash":"x"}}', 'x'].map((extensions) =>
    toSearch({ query: COUNT, extensions }),
  ),
];

const post = (what: string, value: unknown, body: unknown): CorpusRequest => ({
  name: `${what} ${show(value)}, body ${show(body)}`,
  body,
});

/** Requests by what varies in them. */
export const ENVELOPE_REQUESTS = {
  operationNames: forBothTypes(
    NAMED_DOCUMENTS.flatMap((query) =>
      OPERATION_NAMES.map((name) =>
        post('operationName', name, { query, ...withField('operationName', name) }),
      ),
    ),
  ),
  extensions: forBothTypes(
    [SUCCESS, FAILURE, MUTATION].flatMap((body) =>
      EXTENSIONS.map((value) =>
        post('extensions', value, { ...body, ...withField('extensions', value) }),
      ),
    ),
  ),
  bodies: forBothTypes(BODIES.map((body) => post('body', body, body))),
  mediaTypes: NEGOTIATED.flatMap(([what, body]) => [
    ...ACCEPTS.map((accept) => ({
      name: `${what}, Accept ${show(accept)}`,
      headers: { accept },
      body,
    })),
    ...CONTENT_TYPES.map((type) => ({
      name: `${what}, Content-Type ${show(type)}`,
      headers: { 'content-type': type },
      body,
    })),
  ]),
  methods: forBothTypes([
    ...SEARCHES.map((search) => ({ name: `GET ${search}`, method: 'GET', search })),
    ...CONTENT_TYPES.flatMap((type) =>
      [SUCCESS, FAILURE, MUTATION].map((parameters) => ({
        name: `GET, Content-Type ${show(type)}, ${parameters.query}`,
        method: 'GET',
        search: toSearch(parameters),
        headers: { 'content-type': type },
      })),
    ),
    ...['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'post', 'QUERY'].flatMap((method) =>
      [SUCCESS, SYNTAX_ERROR].map((body) => ({
        name: `${method} ${body.query}`,
        method,
        body,
        search: toSearch(body),
      })),
    ),
    { name: 'POST with another query in the URL', search: toSearch(FAILURE), body: SUCCESS },
  ]),
} as const satisfies Readonly<Record<string, readonly CorpusRequest[]>>;
