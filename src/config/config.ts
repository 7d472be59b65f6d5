import type { Environment, Setting } from './setting.js';
import { SETTINGS, type SettingValues } from './settings.js';

export type { LogLevel } from './settings.js';

/** Every setting, typed, and what the process knows of its start. */
export interface Config extends SettingValues {
  /** What `accounts connect` need not ask for, by the variables' names [CONNECT_<NETWORK>_<FIELD>]. */
  connectSettings: Readonly<Record<string, string>>;
  /** Whether npm (`start`, `run worker`, `run cli`) or npx started us, which they do through a shell of their own [npm_lifecycle_event, set by npm]. */
  isUnderNpm: boolean;
}

/**
 * Reads the settings.
 * @throws Error naming every setting that is wrong and what is allowed, one on a line
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = [];
  const read = (setting: Setting<unknown>): unknown => {
    const { name, allowed, isSecret, needs } = setting;
    const text = env[name]?.trim();
    if (!text) return setting.without(env);
    if (needs !== undefined && !env[needs]?.trim())
      problems.push(`${needs} is not set, and ${name} needs it`);
    const value = setting.read(text);
    if (value === undefined)
      problems.push(`${name} is ${isSecret ? 'not usable' : JSON.stringify(text)}: ${allowed}`);
    return value;
  };
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, setting]) => [key, read(setting)]),
  ) as SettingValues;
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    ...values,
    connectSettings: connectSettings(env),
    isUnderNpm: ['start', 'worker', 'cli', 'npx'].includes(env['npm_lifecycle_event'] ?? ''),
  };
}

/**
 * Lets libraries run as in production, unless NODE_ENV says what else: graphql-js, for one, would look at each value again
 * for mistakes of its users. To be called when the settings are read, which have NODE_ENV as it was given, and before those are loaded.
 */
export function quickenLibraries(): void {
  process.env['NODE_ENV'] ||= 'production';
}

const connectSettings = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, text]) =>
      name.startsWith('CONNECT_') && text?.trim() ? [[name, text.trim()]] : [],
    ),
  );
