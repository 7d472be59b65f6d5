import { CALENDAR_FEED_SCHEMAS } from '../calendar-feeds.js';
import { CONNECTION_SCHEMAS } from '../connections/connection-bodies.js';
import type { GraphQLInputObjectType } from 'graphql';
import type { Scope } from '../../domain/access/viewer.js';
import { API_VERSION } from '../../http/responses.js';
import { schemaOf } from '../body-fields.js';
import { createFieldMapping } from '../field-mapping.js';
import { JOB_SCHEMAS } from '../jobs.js';
import { arrayOf, objectOf, ref, TEXT, type JsonSchema } from '../../http/json-schema.js';
import { LABEL_SCHEMAS } from '../labels.js';
import {
  IMPORT_READER,
  MEDIA,
  MEDIA_SCHEMAS,
  UPDATE_MEDIA_READER,
  UPLOAD_READER,
} from '../media/media-bodies.js';
import { CHANGE_SCHEMAS } from '../posts/change-feed.js';
import { DELETED_SCHEMA, REMOVAL_JOB_SCHEMA } from '../posts/delete-posts.js';
import { HISTORY_SCHEMAS } from '../posts/history.js';
import { ACTION_SCHEMAS } from '../posts/post-actions.js';
import { ACCOUNT_OF_POST, ANALYTICS, POST_SCHEMAS, USER } from '../posts/post-bodies.js';
import { POSTING_SCHEDULE_SCHEMAS } from '../posting-schedules.js';
import type { QueryParam } from '../query-params.js';
import { ROUTE_TAGS, type Route } from '../route.js';
import { OPENAPI_PATH, ROUTES } from '../routes.js';
import { CLOCK_READER, FAULTS_READER, SANDBOX_SCHEMAS } from '../sandbox/sandbox-bodies.js';
import {
  CREATE_READER,
  REDELIVER_READER,
  ROTATE_READER,
  UPDATE_READER,
  WEBHOOK_SCHEMAS,
} from '../webhooks/webhook-bodies.js';
import { ACCOUNT, WORKSPACE } from '../workspaces.js';
import { creationSchemas, inputSchemas } from './input-schemas.js';
import { CALENDAR_FEED, CONNECT_LINK, EXAMPLE_POST, EXAMPLES } from './openapi-examples.js';
import {
  DOCUMENT_RESPONSES,
  ERROR_SCHEMAS,
  headerComponents,
  responsesOf,
} from './openapi-responses.js';

const DESCRIPTION = `REST v1 API of Posts Gateway. It applies the same rules as the [GraphQL API](/graphql).

Every request requires the header \`Authorization: Bearer-API <key>\`, and most require \`Service-Workspace-Id\`. To try a
request at /docs, press “Authorize” and enter the full value: \`Bearer-API\` and the key. With the demo data, both headers
are filled in.

Unknown paths return 404, and unsupported methods return 405 with \`Allow\`, both as \`Error\` and after authentication. HEAD
is supported wherever GET is. Malformed HTTP returns 400, 408 or 431 as \`Error\`. Every response also has the browser
security headers Content-Security-Policy, Cross-Origin-Resource-Policy, Referrer-Policy, Strict-Transport-Security,
X-Content-Type-Options and X-Frame-Options.`;

/** The OpenAPI 3.1 document, created from the routes and the GraphQL input type. */
export function createOpenApi(postPatch: GraphQLInputObjectType): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of ROUTES)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = createOperation(route);
  const inputs = inputSchemas(postPatch);
  paths[OPENAPI_PATH] = { get: DOCUMENT_OPERATION };
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
    tags: Object.entries({ ...ROUTE_TAGS, Reference: 'This OpenAPI document.' }).map(
      ([name, description]) => ({ name, description }),
    ),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The full value: `Bearer-API <API_KEY>`.',
        },
      },
      parameters: { Workspace: WORKSPACE_PARAMETER },
      headers: headerComponents(ROUTES),
      schemas: {
        ...POST_SCHEMAS,
        ...CHANGE_SCHEMAS,
        ...HISTORY_SCHEMAS,
        User: schemaOf(USER),
        AccountOfPost: schemaOf(ACCOUNT_OF_POST),
        Account: schemaOf(ACCOUNT),
        Workspace: schemaOf(WORKSPACE),
        Media: schemaOf(MEDIA),
        Analytics: schemaOf(ANALYTICS),
        ...ACTION_SCHEMAS,
        ...POSTING_SCHEDULE_SCHEMAS,
        ...JOB_SCHEMAS,
        ...MEDIA_SCHEMAS,
        WorkspaceList: objectOf({ workspaces: arrayOf(ref('Workspace')) }),
        AccountList: objectOf({ accounts: arrayOf(ref('Account')) }),
        MediaList: objectOf({ media: arrayOf(ref('Media')) }),
        Deleted: DELETED_SCHEMA,
        RemovalJob: REMOVAL_JOB_SCHEMA,
        ...inputs,
        ...creationSchemas(createFieldMapping(postPatch), inputs),
        ImportMedia: IMPORT_READER.schema,
        ...CALENDAR_FEED_SCHEMAS,
        ...CONNECTION_SCHEMAS,
        CreateMediaUpload: UPLOAD_READER.schema,
        UpdateMedia: UPDATE_MEDIA_READER.schema,
        ...LABEL_SCHEMAS,
        ...WEBHOOK_SCHEMAS,
        CreateWebhook: CREATE_READER.schema,
        UpdateWebhook: UPDATE_READER.schema,
        RotateWebhookSecret: ROTATE_READER.schema,
        RedeliverWebhook: REDELIVER_READER.schema,
        ...ERROR_SCHEMAS,
        ...SANDBOX_SCHEMAS,
        SandboxFaultsInput: FAULTS_READER.schema,
        SandboxClockInput: CLOCK_READER.schema,
      },
    },
  };
}

const presentScopes = (scopes: readonly (readonly Scope[])[]): string =>
  scopes.map((list) => list.join(' and ')).join(', or ');

/** The operation object of a route. */
const createOperation = (route: Route): JsonSchema => ({
  operationId: route.operationId,
  tags: [route.tag],
  summary: route.summary,
  description: [
    ...(route.description === undefined ? [] : [route.description]),
    `Scope: ${presentScopes(route.scopes)}.`,
  ].join('\n\n'),
  parameters: parametersOf(route),
  ...(route.requestSchema && {
    requestBody: {
      required: true,
      content: {
        [route.requestType ?? 'application/json']: {
          schema: ref(route.requestSchema),
          example: EXAMPLES[route.requestSchema],
        },
      },
    },
  }),
  responses: responsesOf(route, EXAMPLES),
});

/** Examples belong to the schema: Swagger UI would fill in a parameter's own example. */
const withExample = (schema: JsonSchema, example: unknown): JsonSchema => ({
  ...schema,
  examples: [example],
});

const PATH_PARAMETERS: Readonly<Record<string, { description: string; schema: JsonSchema }>> = {
  id: {
    description: 'Document ID or database ID of the post.',
    schema: withExample(TEXT, EXAMPLE_POST.id),
  },
  job_id: {
    description: 'ID of the job, from the `X-Job-Id` header.',
    schema: withExample(TEXT, 'job_5kTq8wEr2yUi4oPa'),
  },
  account_id: {
    description: 'ID of the account.',
    schema: withExample(TEXT, 'acc_7Yx2QpLm9RtVb4Ks'),
  },
  connection_id: {
    description: 'ID of the connection.',
    schema: withExample(TEXT, 'con_2Hf8sKq5LtWz9RvB'),
  },
  link_id: {
    description: 'ID of the connect link.',
    schema: withExample(TEXT, CONNECT_LINK.id),
  },
  feed_id: {
    description: 'ID of the calendar feed.',
    schema: withExample(TEXT, CALENDAR_FEED.id),
  },
  webhook_id: {
    description: 'ID of the webhook.',
    schema: withExample(TEXT, 'whk_3fGh7jKl9mNp2qRs'),
  },
};

/** The `Service-Workspace-Id` header. */
const WORKSPACE_PARAMETER: JsonSchema = {
  name: 'Service-Workspace-Id',
  in: 'header',
  required: true,
  description: 'ID of the workspace.',
  schema: withExample(TEXT, EXAMPLE_POST.workspaceId),
};

function parametersOf(route: Route): JsonSchema[] {
  const pathParameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...PATH_PARAMETERS[name],
  }));
  return [
    ...pathParameters,
    ...Object.entries(route.params ?? {}).map(([name, param]) => queryParameter(name, param)),
    ...(route.needsWorkspace ? [{ $ref: '#/components/parameters/Workspace' }] : []),
    ...(route.requestHeaders ?? []).map(({ name, description, schema = TEXT, example }) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: withExample(schema, example),
    })),
  ];
}

const queryParameter = (
  name: string,
  { description, documentedName, isRequired, schema }: QueryParam<unknown>,
): JsonSchema => ({
  name: documentedName ?? name,
  in: 'query',
  required: isRequired ?? false,
  description,
  schema,
});

const DOCUMENT_OPERATION: JsonSchema = {
  operationId: 'getReference',
  tags: ['Reference'],
  summary: 'Get this document',
  description: 'Does not require a key or count toward the rate limit.',
  security: [],
  responses: DOCUMENT_RESPONSES,
};
