import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OWN_POST_IDS } from '../../attack/own-posts.js';
import type { CallerName, CorpusRequest } from './both-servers.js';

const ROOT = path.resolve(__dirname, '../../..');
const STRICT = { accept: 'application/graphql-response+json' };
const UNKNOWN_POST_ID = 'ffffffffffffffffffffffff';
const { series, post, published } = OWN_POST_IDS;
const CALLERS: readonly CallerName[] = [
  'owner',
  'reader',
  'accountsOnly',
  'withoutWorkspace',
  'nonMember',
];

interface Operation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** Four pages of 100 posts with these fields cost more than the maximum; pages of two do not. */
const SCALARS =
  'id databaseId version text title excerpt question duration url type scheduledAt createdAt updatedAt hasMedia auto reminder';
const costlyPages = (first: string): string =>
  ['a', 'b', 'c', 'd']
    .map((alias) => `${alias}: posts(first: ${first}) { nodes { ${SCALARS} } }`)
    .join(' ');

/** Valid documents whose operations succeed, fail, or fail in part. */
const OPERATIONS: readonly (string | Operation)[] = [
  // successes
  '{ __typename }',
  '{ viewer { role postActions plan scopes user { id name picture } workspace { id name plan } key { id name scopes } } }',
  '{ viewer { notifications(first: 5) { nodes { kind message post { id } } pageInfo { hasNextPage } } } }',
  '{ a: viewer { b: role b: role } a: viewer { c: plan } }',
  '{ posts(first: 3) { ...P } } fragment P on PostConnection { totalCount nodes { ...Q } edges { cursor node { id } } } fragment Q on Post { id text ... on Node { id } ... { title } }',
  'query($yes: Boolean! = true, $no: Boolean! = false) { viewer @include(if: $yes) { role @skip(if: $yes) plan @include(if: $no) scopes } posts(first: 1) @skip(if: $yes) { totalCount } }',
  '{ viewer @skip(if: true) { role } }',
  '{ viewer { role @include(if: false) } }',
  '{ posts(filter: { states: [ALL] }, orderBy: { field: CREATED_AT, direction: ASC }) { totalCount facets { states { state count } networks { network count } } nodes { id text title content { type data } link { url title } location { id name } recycling { gap } recurring { frequency weekdays } details { sponsor { name } reminder } analytics { reach engagementRate likes } labels { name color } media { id url } } } }',
  '{ labels { nodes { id name color } } accounts { id name provider socialId } media(first: 2) { totalCount nodes { id url } } networks { network kind dailyCaps { limit } } }',
  '{ webhooks { id } workspaces { id name timeZone } changes(first: 1) { nodes { kind } nextCursor hasMore } }',
  `{ node(id: "${published}") { __typename id ... on Post { text history(first: 3) { nodes { __typename } } } ... on Account { name } } }`,
  `{ nodes(ids: ["${published}", "nope", "${post}"]) { __typename id } }`,
  `{ post(id: "${series}") { id occurrences(first: 2) { totalCount nodes { id parent { id } } } editability { field allowed reason rule } deletability { allowed code reason } actions { action allowed reason } } }`,
  '{ __type(name: "Post") { name kind fields { name } } }',
  '{ __type(name: "Nope") { name } }',
  '{ __schema { queryType { name } directives { name } } viewer { role } posts(first: 1) { totalCount } }',
  // too costly, though every field is compiled
  `{ ${costlyPages('100')} }`,
  {
    query: `query($n: Int!) { ${costlyPages('$n')} }`,
    variables: { n: 100 },
  },
  {
    query: `query($n: Int!) { ${costlyPages('$n')} }`,
    variables: { n: 2 },
  },
  // failures of whole fields
  `{ post(id: "${UNKNOWN_POST_ID}") { id } }`,
  '{ post(id: "nope") { id } }',
  '{ jobStatus(id: "job_none") { id } }',
  '{ posts(first: 0) { totalCount } }',
  '{ posts(first: 1, last: 1) { totalCount } }',
  '{ posts(after: "nope") { totalCount } }',
  '{ changes(after: "nope") { hasMore } }',
  '{ nodes(ids: []) { id } }',
  '{ posts(filter: { from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" }) { totalCount } }',
  // failures of one field of several
  `{ good: post(id: "${published}") { id text } bad: post(id: "${UNKNOWN_POST_ID}") { id } viewer { role } }`,
  `{ post(id: "${series}") { id occurrences(first: 0) { totalCount } } }`,
  `{ viewer { role } node(id: "${series}") { id ... on Post { occurrences(after: "nope") { nodes { id } } } } }`,
  '{ viewer { role notifications(first: 101) { nodes { id } } } accounts { id } }',
  '{ __schema { queryType { name } } post(id: "nope") { id } }',
  // mutations that succeed or are refused, without a change
  'mutation { __typename }',
  'mutation { deletePosts(input: { ids: ["nope"], clientMutationId: "c\\"1" }) { deletedIds results { id deleted code message } userErrors { code message } clientMutationId } }',
  `mutation { deletePosts(input: { ids: ["${post}", "${published}"], dryRun: true }) { deletedIds results { id deleted code message } } }`,
  `mutation { a: updatePost(input: { id: "${post}", post: { text: "New" }, dryRun: true }) { post { id text version labels { name } } userErrors { code } } b: updatePost(input: { id: "${published}", post: { title: "New", text: "x" }, dryRun: true }) { post { id } userErrors { code field message rule } } }`,
  `mutation { updatePost(input: { id: "${post}", expectedVersion: 99, post: { text: "New" } }) { post { id } userErrors { code message } } }`,
  `mutation { updatePost(input: { id: "${post}", post: {} }) { post { id version } job { id } userErrors { code } } }`,
  'mutation { createPosts(input: { targets: [], post: { type: STATUS, text: "Hi", labels: [{ name: "new" }] }, mode: DRAFT, dryRun: true }) { groupId posts { id } results { index state message } userErrors { code field } } }',
  'mutation { createPosts(input: { targets: [{ accountId: "acc_none" }], post: { type: STATUS, text: "Hi" }, mode: SHARE_NOW }) { posts { id } results { index state message } userErrors { code field message rule } } }',
  'mutation { createWebhook(input: { url: "http://example.com/", types: [POST_CREATED] }) { webhook { id } } }',
  // mutations that fail
  `mutation { updatePost(input: { id: "${UNKNOWN_POST_ID}", post: { text: "New" } }) { post { id } userErrors { code } } }`,
  'mutation { updatePost(input: { id: "nope", post: { text: "New" } }) { post { id } userErrors { code message } } }',
  `mutation { first: updatePost(input: { id: "${post}", post: { text: "New" }, dryRun: true }) { post { text } } second: updatePost(input: { id: "${UNKNOWN_POST_ID}", post: {} }) { post { id } } third: deletePosts(input: { ids: ["nope"] }) { deletedIds } }`,
  'mutation { deletePosts(input: { ids: [] }) { deletedIds } }',
  'mutation { deletePosts(input: { ids: ["nope"], idempotencyKey: "" }) { deletedIds } }',
  'mutation { revertPost(input: { id: "nope", toVersion: 1 }) { userErrors { code } } testWebhook(input: { id: "whk_none" }) { clientMutationId } }',
  // without an event stream
  'subscription { events { type } }',
  'subscription($types: [EventType!]) { events(types: $types) { type cursor } }',
  {
    query: 'query A { viewer { role } } query B($n: Int) { posts(first: $n) { totalCount } }',
    operationName: 'B',
    variables: { n: 1 },
  },
];

const toOperation = (operation: string | Operation): Operation =>
  typeof operation === 'string' ? { query: operation } : operation;

/** Each operation, sent by each caller, for both media types. */
export const OPERATION_REQUESTS: readonly CorpusRequest[] = OPERATIONS.map(toOperation).flatMap(
  (body) =>
    CALLERS.flatMap((as) =>
      [{}, STRICT].map((headers) => ({ name: `${as}: ${body.query}`, as, headers, body })),
    ),
);

/** Variables of the documents in files, by their file. An empty object is a request without any. */
const FILE_VARIABLES: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  'best-posts': [{ first: 5 }, { first: 5, filter: { minEngagement: 1 } }],
  'create-posts': [
    {
      input: {
        targets: [],
        post: { type: 'STATUS', text: 'We are open until 10 p.m. today.' },
        mode: 'DRAFT',
        dryRun: true,
      },
    },
    { input: { targets: [{ accountId: 'acc_none' }], post: {}, mode: 'SCHEDULE', dryRun: true } },
  ],
  'delete-posts': [
    { input: { ids: [post, published, UNKNOWN_POST_ID], dryRun: true } },
    { input: { ids: [], dryRun: true } },
  ],
  'failed-posts': [{ first: 5 }, { first: 0 }],
  'job-status': [{ id: 'job_' }],
  'list-posts': [
    { first: 5, filter: { states: ['PUBLISHED', 'SCHEDULED'], types: ['STATUS', 'PHOTO'] } },
    { first: 101 },
  ],
  'live-events': [{ types: null }],
  'post-rights': [{ id: published }, { id: UNKNOWN_POST_ID }],
  'retry-posts': [{ input: { ids: [post, UNKNOWN_POST_ID], dryRun: true } }],
  'review-posts': [
    { input: { posts: [{ id: post, expectedVersion: 1 }], decision: 'APPROVE', dryRun: true } },
    { input: { posts: [{ id: post }], decision: 'DECLINE', dryRun: true } },
  ],
  'rule-tables': [],
  start: [
    { hasWorkspaces: true, hasPosts: true },
    { hasWorkspaces: false, hasPosts: false },
    { hasWorkspaces: 'yes', hasPosts: true },
  ],
  'update-post': [
    {
      input: {
        id: published,
        dryRun: true,
        post: { text: 'Edited.', labels: [{ name: 'Playground', color: '#2f6f4f' }] },
      },
    },
    { input: { id: published, dryRun: true, post: { title: 'News' } } },
    { input: { id: post, dryRun: true, post: { text: 'Edited.' } } },
  ],
  viewer: [],
  webhooks: [],
  'one-post': [{ id: post }, { id: 'nope' }],
  'page-posts': [{ first: 2, filter: {}, orderBy: { field: 'CREATED_AT' } }, { after: 'x' }],
  'post-sponsor-and-place': [{ id: published }, { id: null }],
};

/** The documents of the playground and of the tests of the code generator, by name. */
export const FILE_DOCUMENTS: ReadonlyMap<string, string> = new Map(
  ['src/playground/examples', 'test/operations'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder))
      .filter((file) => file.endsWith('.graphql'))
      .map((file) => [
        path.basename(file, '.graphql'),
        readFileSync(path.join(ROOT, folder, file), 'utf8'),
      ]),
  ),
);

/** @throws Error if the variables of a file are missing */
function variablesOf(name: string): readonly Readonly<Record<string, unknown>>[] {
  const variables = FILE_VARIABLES[name];
  if (!variables) throw new Error(`Add variables for ${name}.graphql to FILE_VARIABLES.`);
  return [...variables, {}];
}

/** The documents in files, with and without variables, sent by each caller. */
export const FILE_REQUESTS: readonly CorpusRequest[] = [...FILE_DOCUMENTS].flatMap(
  ([name, query]) =>
    variablesOf(name).flatMap((variables) =>
      CALLERS.map((as) => ({
        name: `${as}: ${name}.graphql ${JSON.stringify(variables)}`,
        as,
        body: { query, variables },
      })),
    ),
);
