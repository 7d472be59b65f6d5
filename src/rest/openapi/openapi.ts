import type { GraphQLInputObjectType } from 'graphql';
import type { Scope } from '../../domain/access/scopes.js';
import { API_VERSION } from '../http-response.js';
import { presentFields } from '../bodies/body-fields.js';
import { DELETED } from '../delete-posts.js';
import { EXAMPLE_POST } from './example-post.js';
import { inputSchemas } from './input-schema.js';
import { listOf, objectOf, ref, TEXT, type JsonSchema } from '../bodies/json-schema.js';
import { answersOf, ERROR_SCHEMAS, headersIn, REFERENCE_ANSWERS } from './openapi-answers.js';
import type { Param } from '../requests/params.js';
import { POST_SCHEMAS, presentDetail, presentList } from '../bodies/post-bodies.js';
import { ACCOUNT, MEDIA, RECORD_SCHEMAS, WORKSPACE } from '../bodies/record-bodies.js';
import {
  SANDBOX_CLOCK,
  SANDBOX_FAULTS,
  SANDBOX_POST,
  SANDBOX_SCHEMAS,
} from '../bodies/sandbox-bodies.js';
import { CLOCK_INPUT, FAULTS_INPUT } from '../requests/sandbox-input.js';
import { OPENAPI_PATH, ROUTES } from '../v1.js';
import { ROUTE_GROUPS, type Route } from '../v1-route.js';

const LIST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WorkspaceList: objectOf({ workspaces: listOf(ref('Workspace')) }),
  AccountList: objectOf({ accounts: listOf(ref('Account')) }),
  MediaList: objectOf({ media: listOf(ref('Media')) }),
};

/** One body for each schema that a route gives or takes. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  PostList: presentList(0, {
    posts: [EXAMPLE_POST],
    totalCount: 1,
    hasNextPage: false,
    hasPreviousPage: false,
  }),
  PostDetail: presentDetail(EXAMPLE_POST, { analytics: false }),
  Deleted: { deleted_ids: [EXAMPLE_POST.id], failures: { 7: ['No post has that identifier.'] } },
  JobStatus: { status: 'completed', payload: { failures: {} } },
  WorkspaceList: {
    workspaces: [
      presentFields(WORKSPACE, {
        id: EXAMPLE_POST.workspaceId,
        name: 'Example',
        picture: null,
        plan: 'business',
        timeZone: 'Europe/Berlin',
        requiresApproval: false,
      }),
    ],
  },
  AccountList: {
    accounts: EXAMPLE_POST.account
      ? [presentFields(ACCOUNT, { account: EXAMPLE_POST.account, seesSensitive: true })]
      : [],
  },
  MediaList: { media: EXAMPLE_POST.media.map((one) => presentFields(MEDIA, one)) },
  SandboxPost: presentFields(SANDBOX_POST, { post: EXAMPLE_POST, edits: 0, editedAt: null }),
  SandboxFaults: presentFields(SANDBOX_FAULTS, {
    fail: { code: 'NETWORK_UNAVAILABLE', times: 2 },
    delayMs: null,
    rateLimitSeconds: null,
    tokenExpired: false,
  }),
  SandboxFaultsInput: { fail: { code: 'NETWORK_UNAVAILABLE', times: 2 }, delay_ms: null },
  SandboxClock: presentFields(SANDBOX_CLOCK, { now: EXAMPLE_POST.updatedAt, aheadSeconds: 3_600 }),
  SandboxClockInput: { advance_seconds: 3_600 },
  UpdatePost: {
    post: { text: 'Our autumn release is out!', labels: [{ name: 'Release', color: '#2f9e44' }] },
  },
};

const DESCRIPTION = `REST v1 over the posts of a social-media scheduling service; the same rules as [GraphQL](/graphql).

Every request carries the header \`Authorization: Bearer-API <key>\`, almost every one \`Service-Workspace-Id\`. To try one
at /docs, press “Authorize” and give the whole value, \`Bearer-API\` and the key; on the demo both are filled in.

A path that is not here is 404 and another method of one that is here 405, with \`Allow\`, both as \`Error\` and behind
the same gate; HEAD is answered wherever GET is, without a body. What is not valid HTTP is 400, 408 or 431 as \`Error\`.
Every answer also carries the guards of browsers: Content-Security-Policy, Cross-Origin-Resource-Policy, Referrer-Policy,
Strict-Transport-Security, X-Content-Type-Options and X-Frame-Options.`;

/** The reference as OpenAPI 3.1, made from the routes and from GraphQL's input type. */
export function createOpenApi(postPatch: GraphQLInputObjectType): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of ROUTES)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  paths[OPENAPI_PATH] = { get: REFERENCE };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Posts Gateway',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries({ ...ROUTE_GROUPS, Reference: 'What there is to ask.' }).map(
      ([name, description]) => ({ name, description }),
    ),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The whole value: `Bearer-API <API_KEY>`.',
        },
      },
      parameters: { Workspace: WORKSPACE_PARAMETER },
      headers: headersIn(ROUTES),
      schemas: {
        ...POST_SCHEMAS,
        ...RECORD_SCHEMAS,
        ...LIST_SCHEMAS,
        Deleted: DELETED,
        ...inputSchemas(postPatch),
        ...ERROR_SCHEMAS,
        ...SANDBOX_SCHEMAS,
        SandboxFaultsInput: FAULTS_INPUT.schema,
        SandboxClockInput: CLOCK_INPUT.schema,
      },
    },
  };
}

const REFERENCE: JsonSchema = {
  operationId: 'getReference',
  tags: ['Reference'],
  summary: 'This document',
  description: 'Needs no key and is not counted.',
  security: [],
  responses: REFERENCE_ANSWERS,
};

const scopesInWords = (scopes: readonly (readonly Scope[])[]): string =>
  scopes.map((all) => all.join(' and ')).join(', or ');

const operationOf = (route: Route): JsonSchema => ({
  operationId: route.name,
  tags: [route.group],
  summary: route.summary,
  description: [
    ...(route.meaning === undefined ? [] : [route.meaning]),
    `Scope: ${scopesInWords(route.scopes)}.`,
  ].join('\n\n'),
  parameters: parametersOf(route),
  ...(route.takes && {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref(route.takes), example: EXAMPLES[route.takes] } },
    },
  }),
  responses: answersOf(route, EXAMPLES),
});

/** The examples of a parameter are its schema's: its own would be filled in where the reference is tried. */
const shown = (schema: JsonSchema, example: unknown): JsonSchema => ({
  ...schema,
  examples: [example],
});

const IN_PATH: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  id: { description: 'Either id of a post (D3).', schema: shown(TEXT, EXAMPLE_POST.id) },
  job_id: {
    description: 'The id of a job, as `X-Job-Id` names it.',
    schema: shown(TEXT, 'job_5kTq8wEr2yUi4oPa'),
  },
};

const WORKSPACE_PARAMETER: JsonSchema = {
  name: 'Service-Workspace-Id',
  in: 'header',
  required: true,
  description: 'The workspace that is asked.',
  schema: shown(TEXT, EXAMPLE_POST.workspaceId),
};

function parametersOf(route: Route): JsonSchema[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...IN_PATH[name],
  }));
  return [
    ...inPath,
    ...Object.entries(route.params).map(([name, param]) => queryParameter(name, param)),
    ...(route.needsWorkspace ? [{ $ref: '#/components/parameters/Workspace' }] : []),
    ...route.requestHeaders.map(({ name, meaning, schema = TEXT, example }) => ({
      name,
      in: 'header',
      required: false,
      description: meaning,
      schema: shown(schema, example),
    })),
  ];
}

const queryParameter = (
  name: string,
  { meaning, shownAs, isRequired, schema }: Param<unknown>,
): JsonSchema => ({
  name: shownAs ?? name,
  in: 'query',
  required: isRequired ?? false,
  description: meaning,
  schema,
});
