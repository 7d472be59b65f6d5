import 'reflect-metadata'; // before any type of the schema
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliPage } from './docs/cli-page.js';
import { createReferencePages } from './docs/reference-pages.js';
import { buildGatewaySchema, postPatchType } from '../src/graphql/schema/schema.js';
import { createOpenApi } from '../src/rest/openapi/openapi.js';
import { SETTINGS } from '../src/config/settings.js';
import { envExample } from './env-example.js';
import { printGatewaySchema } from './print-schema.js';

/**
 * Writes the committed files that are generated from the code: GraphQL schema, OpenAPI document,
 * settings, CLI reference and reference tables. Run it in the root of the repository. Tests fail if
 * one of the files is stale.
 */
const schema = buildGatewaySchema();
const write = (file: string, text: string): void => writeFileSync(path.resolve(file), text);
write('src/graphql/schema.graphql', printGatewaySchema(schema));
write(
  'src/rest/openapi.json',
  `${JSON.stringify(createOpenApi(postPatchType(schema)), null, 2)}\n`,
);
write('.env.example', envExample(Object.values(SETTINGS)));
for (const [file, text] of Object.entries(createReferencePages()))
  write(`docs/reference/${file}`, text);
write('docs/cli.md', cliPage());
