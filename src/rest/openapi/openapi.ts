import type { GraphQLInputObjectType } from 'graphql';
import { API_VERSION } from '../../http/api-version.js';
import { arrayOf, objectOf, ref, type JsonSchema } from '../bodies/json-schema.js';
import { CHANGE_SCHEMAS } from '../bodies/change-bodies.js';
import { MEDIA_SCHEMAS } from '../bodies/media-bodies.js';
import { HISTORY_SCHEMAS } from '../bodies/history-bodies.js';
import { POST_SCHEMAS } from '../bodies/post-bodies.js';
import { RESOURCE_SCHEMAS } from '../bodies/resource-bodies.js';
import { SANDBOX_SCHEMAS } from '../bodies/sandbox-bodies.js';
import { DELETED_SCHEMA, REMOVAL_JOB_SCHEMA } from '../delete-posts.js';
import { IMPORT_READER } from '../requests/media-input.js';
import { CLOCK_READER, FAULTS_READER } from '../requests/sandbox-input.js';
import { OPENAPI_PATH, ROUTES } from '../routes.js';
import { ROUTE_TAGS } from '../route.js';
import { creationSchemas } from '../creation/creation-schemas.js';
import { createFieldMapping } from '../requests/field-mapping.js';
import { inputSchemas } from './input-schema.js';
import {
  CREATE_READER,
  REDELIVER_READER,
  ROTATE_READER,
  UPDATE_READER,
} from '../webhooks/webhook-input.js';
import { WEBHOOK_SCHEMAS } from '../webhooks/webhook-bodies.js';
import { headerComponents } from './openapi-headers.js';
import { createOperation, WORKSPACE_PARAMETER } from './openapi-operations.js';
import { DOCUMENT_RESPONSES, ERROR_SCHEMAS } from './openapi-responses.js';

const LIST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WorkspaceList: objectOf({ workspaces: arrayOf(ref('Workspace')) }),
  AccountList: objectOf({ accounts: arrayOf(ref('Account')) }),
  MediaList: objectOf({ media: arrayOf(ref('Media')) }),
};

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
        ...RESOURCE_SCHEMAS,
        ...MEDIA_SCHEMAS,
        ...LIST_SCHEMAS,
        Deleted: DELETED_SCHEMA,
        RemovalJob: REMOVAL_JOB_SCHEMA,
        ...inputs,
        ...creationSchemas(createFieldMapping(postPatch), inputs),
        ImportMedia: IMPORT_READER.schema,
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

const DOCUMENT_OPERATION: JsonSchema = {
  operationId: 'getReference',
  tags: ['Reference'],
  summary: 'Get this document',
  description: 'Does not require a key or count toward the rate limit.',
  security: [],
  responses: DOCUMENT_RESPONSES,
};
