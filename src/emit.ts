import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliReference } from './cli/reference.js';
import { composeManual } from './compose/compose-manual.js';
import { printGatewaySchema } from './graphql/print-schema.js';
import { buildGatewaySchema, postPatchType } from './graphql/schema.js';
import { createOpenApi } from './rest/reference/openapi.js';
import { SETTINGS } from './settings/settings.js';
import { envExample } from './settings/settings-texts.js';

/** Writes the committed texts that the code says: schema, v1 reference, settings, commands, tables of the manual. Tests fail when they are stale. */
const schema = buildGatewaySchema();
const place = (file: string): string => path.join(import.meta.dirname, '..', file);
const write = (file: string, text: string): void => writeFileSync(place(file), text);
write('src/graphql/schema.graphql', printGatewaySchema(schema));
write(
  'src/rest/openapi.json',
  `${JSON.stringify(createOpenApi(postPatchType(schema)), null, 2)}\n`,
);
write('.env.example', envExample(Object.values(SETTINGS)));
for (const [file, text] of Object.entries(composeManual())) write(`docs/reference/${file}`, text);
write('docs/cli.md', cliReference());
