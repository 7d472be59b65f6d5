import type { Scope } from '../../domain/access/scopes.js';
import { ref, TEXT, type JsonSchema } from '../bodies/json-schema.js';
import type { QueryParam } from '../requests/params.js';
import type { Route } from '../route.js';
import { EXAMPLE_POST } from './example-post.js';
import { EXAMPLES } from './openapi-examples.js';
import { responsesOf } from './openapi-responses.js';

const presentScopes = (scopes: readonly (readonly Scope[])[]): string =>
  scopes.map((list) => list.join(' and ')).join(', or ');

/** The operation object of a route. */
export const createOperation = (route: Route): JsonSchema => ({
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
  webhook_id: {
    description: 'ID of the webhook.',
    schema: withExample(TEXT, 'whk_3fGh7jKl9mNp2qRs'),
  },
};

/** The `Service-Workspace-Id` header. */
export const WORKSPACE_PARAMETER: JsonSchema = {
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
    ...Object.entries(route.params).map(([name, param]) => queryParameter(name, param)),
    ...(route.needsWorkspace ? [{ $ref: '#/components/parameters/Workspace' }] : []),
    ...route.requestHeaders.map(({ name, description, schema = TEXT, example }) => ({
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
