import { changeDatabaseUrl } from '../domain/input/urls.js';
import type { Environment, Setting } from './setting.js';
import { findNetworkHostsProblem } from './integration-settings.js';
import { SETTINGS, type SettingValues } from './settings.js';
import { findDatabaseProblem } from './storage-settings.js';

export type { LogLevel } from './settings.js';

/** All settings, typed, and how the process was started. */
export interface Config extends SettingValues {
  /** Credentials for `accounts connect`, by variable name [CONNECT_<NETWORK>_<FIELD>]. */
  connectSettings: Readonly<Record<string, string>>;
  /**
   * Whether npm (`start`, `run worker`, `run cli`) or npx started this process. Both do so through
   * a shell [npm_lifecycle_event, set by npm].
   */
  isUnderNpm: boolean;
  /** Whether NODE_ENV was `production` when the process was started. */
  isProduction: boolean;
}

/**
 * Reads the settings from the environment.
 * @throws Error with one line per invalid or missing setting: its name and the allowed values
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const { name, allowed, isSecret, requires } = setting;
    const text = env[name]?.trim();
    if (!text) return setting.whenUnset(env);
    for (const required of [requires ?? []].flat())
      if (!env[required]?.trim()) problems.push(`${name} requires ${required}, which is not set`);
    const value = setting.read(text);
    if (value === undefined)
      problems.push(
        `Invalid ${name}${isSecret ? '' : ` ${JSON.stringify(text)}`}. Allowed: ${allowed}`,
      );
    return value;
  };
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting)]),
  ) as SettingValues;
  for (const problem of [findDatabaseProblem(env), findNetworkHostsProblem(values)])
    if (problem) problems.push(problem);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    ...values,
    connectSettings: connectSettings(env),
    isProduction: env['NODE_ENV'] === 'production',
    isUnderNpm: ['start', 'worker', 'cli', 'npx'].includes(env['npm_lifecycle_event'] ?? ''),
  };
}

/**
 * Sets NODE_ENV to `production` if it is unset, so that libraries skip their development checks:
 * graphql-js, for example, validates its own values otherwise. Call it after `readConfig`, which
 * needs the original NODE_ENV, and before the libraries are loaded.
 */
export function defaultNodeEnvToProduction(): void {
  process.env['NODE_ENV'] ||= 'production';
}

const connectSettings = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) =>
      name.startsWith('CONNECT_') && text?.trim() ? [[name, text.trim()]] : [],
    ),
  );

/** The configured database as operators know it: its URL without password, or its folder. */
export const databaseName = ({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string =>
  databaseUrl ? withoutPassword(databaseUrl) : `embedded, in ${dataDir}`;

/** libpq also accepts passwords as parameters of a URL. */
const SECRET_PARAMETER = /password/i;

/** The URL of a database without passwords, in the same form. */
export function withoutPassword(databaseUrl: string): string {
  const changed = changeDatabaseUrl(databaseUrl, (url) => {
    url.password = '';
    const secrets = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
    for (const name of secrets) url.searchParams.delete(name);
  });
  return changed ?? databaseUrl.replace(/(:\/\/[^:@/]*):[^/]*@/, '$1@');
}
