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
  it('is committed as the table of settings says it; `npm run schema` writes it', () => {
    expect(committed('.env.example')).toBe(envExample(settings));
  });

  it('changes nothing as it is, and tells the defaults: taken out of their comments they change nothing either', () => {
    expect(parseEnv(committed('.env.example'))).toEqual({});
    const told = parseEnv(committed('.env.example').replaceAll(/^#(?=[A-Z_]+=)/gm, '')) as Record<
      string,
      string
    >;
    expect(new Set(Object.keys(told))).toEqual(new Set(settings.map(({ name }) => name)));
    expect(readConfig(told)).toEqual(readConfig({}));
  });
});
