import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliReference } from './cli/reference.js';
import { printGatewaySchema } from './graphql/print-schema.js';
import { buildGatewaySchema, postPatchType } from './graphql/schema.js';
import { createOpenApi } from './rest/reference/openapi.js';
import { SETTINGS } from './settings/settings.js';
import { envExample, withSettingsTable } from './settings/settings-texts.js';

/** Writes the committed texts that the code says: schema, v1 reference, settings, commands. Tests fail when they are stale. */
const schema = buildGatewaySchema();
const settings = Object.values(SETTINGS);
const place = (file: string): string => path.join(import.meta.dirname, '..', file);
const write = (file: string, text: string): void => writeFileSync(place(file), text);
write('src/graphql/schema.graphql', printGatewaySchema(schema));
write('src/rest/openapi.json', `${JSON.stringify(createOpenApi(postPatchType(schema)), null, 2)}\n`);
write('.env.example', envExample(settings));
write('README.md', withSettingsTable(readFileSync(place('README.md'), 'utf8'), settings));
write('docs/cli.md', cliReference());
