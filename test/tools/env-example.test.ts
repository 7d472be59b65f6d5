import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config/config.js';
import { SETTINGS } from '../../src/config/settings.js';
import { envExample } from '../../tools/env-example.js';

const settings = Object.values(SETTINGS);
const committed = (file: string): string =>
  readFileSync(path.resolve(__dirname, '../..', file), 'utf8');

describe('.env.example', () => {
  it('matches the settings table; run `npm run schema` to update it', () => {
    expect(committed('.env.example')).toBe(envExample(settings));
  });

  it('has no effect as it is, nor when every default is uncommented', () => {
    expect(parseEnv(committed('.env.example'))).toEqual({});
    const uncommented = parseEnv(
      committed('.env.example').replaceAll(/^#(?=[A-Z\d_]+=)/gm, ''),
    ) as Record<string, string>;
    expect(new Set(Object.keys(uncommented))).toEqual(new Set(settings.map(({ name }) => name)));
    expect(readConfig(uncommented)).toEqual(readConfig({}));
  });
});
