import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { printGatewaySchema } from './graphql/print-schema.js';
import { buildGatewaySchema } from './graphql/schema.js';

/** Writes the schema that is committed; a test fails when it is stale. */
writeFileSync(path.join(import.meta.dirname, '../src/graphql/schema.graphql'), printGatewaySchema(buildGatewaySchema()));
