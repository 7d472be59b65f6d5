import { spawnSync } from 'node:child_process';
import path from 'node:path';
import openapi from '../../src/rest/openapi.json' with { type: 'json' };
import { suite } from '../setup/suite.js';

const ROOT = path.resolve(__dirname, '../..');

it('the OpenAPI document follows the Redocly rules in redocly.yaml', () => {
  const { status, stdout, stderr } = spawnSync(
    path.join(__dirname, 'node_modules/.bin/redocly'),
    ['lint', 'src/rest/openapi.json', '--format', 'json'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  expect({
    status,
    problems: (JSON.parse(stdout || stderr) as { problems: unknown[] }).problems,
  }).toEqual({ status: 0, problems: [] });
  suite.report(
    `OpenAPI lint: ${Object.keys(openapi.paths).length} paths and ${Object.keys(openapi.components.schemas).length} schemas, no problems.`,
  );
});
