import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { printGatewaySchema } from './graphql/print-schema.js';
import { buildGatewaySchema, postPatchType } from './graphql/schema.js';
import { createOpenApi } from './rest/reference/openapi.js';

/** Writes the schema and the v1 reference that are committed; tests fail when they are stale. */
const schema = buildGatewaySchema();
const write = (file: string, text: string): void => writeFileSync(path.join(import.meta.dirname, '../src', file), text);
write('graphql/schema.graphql', printGatewaySchema(schema));
write('rest/openapi.json', `${JSON.stringify(createOpenApi(postPatchType(schema)), null, 2)}\n`);
