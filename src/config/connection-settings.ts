import { OAUTH_APPS, type AppClient, type OauthApp } from '../domain/connections/oauth-rules.js';
import { parseUrl } from '../domain/input/urls.js';
import { readPublicUrl } from './setting-readers.js';
import { splitList, type Setting } from './setting.js';

/** A URL without query and fragment. */
const readBase = (text: string): string | undefined =>
  /[?#]/.test(text) ? undefined : readPublicUrl(text)?.replace(/\/+$/, '');

export const publicUrl: Setting<string | undefined> = {
  name: 'PUBLIC_URL',
  description:
    'URL at which browsers reach the gateway. Networks send people back to this URL followed by /connect/callback, after they allowed the gateway to use their account. If unset, the gateway uses http://localhost and its port.',
  allowed: 'an https URL, or an http URL of localhost',
  default: '',
  whenUnset: () => undefined,
  read: readBase,
};

/** Origins, such as https://app.example.com. */
function readOrigins(text: string): readonly string[] | undefined {
  const origins = splitList(text);
  const areOrigins = origins.every(
    (origin) => readPublicUrl(origin) !== undefined && parseUrl(origin)?.origin === origin,
  );
  return origins.length > 0 && areOrigins ? origins : undefined;
}

export const connectReturnOrigins: Setting<readonly string[]> = {
  name: 'CONNECT_RETURN_ORIGINS',
  description:
    'Origins of your own pages to which the gateway may send people back after they connected an account.',
  allowed: 'origins such as https://app.example.com, separated by commas',
  default: '',
  whenUnset: () => [],
  read: readOrigins,
};

/** What the settings of apps have in common. */
interface AppTexts {
  /** The name of the app, for operators. */
  readonly name: string;
  /** Whose settings are used if these are unset. */
  readonly otherwise?: OauthApp;
}

const APPS: Readonly<Record<OauthApp, AppTexts>> = {
  FACEBOOK: { name: 'app at Meta for Facebook pages' },
  INSTAGRAM: { name: 'Instagram app at Meta', otherwise: 'FACEBOOK' },
  THREADS: { name: 'Threads app at Meta' },
  TWITTER: { name: 'app at X' },
  TIKTOK: { name: 'app at TikTok' },
  LINKEDIN: { name: 'app at LinkedIn for profiles of members' },
  LINKEDIN_PAGES: { name: 'app at LinkedIn for pages, which has the Community Management API' },
  PINTEREST: { name: 'app at Pinterest' },
  GOOGLE: { name: 'OAuth client at Google for Business Profile' },
  YOUTUBE: { name: 'OAuth client at Google for YouTube', otherwise: 'GOOGLE' },
};

const ID = /^[\w.:-]{1,200}$/;
const SECRET = /^[\x21-\x7e]{1,500}$/;

const textOf = (env: Readonly<Record<string, string | undefined>>, name: string) =>
  env[name]?.trim() || undefined;

/** A part of the client of an app. */
function appSetting(app: OauthApp, part: 'ID' | 'SECRET'): Setting<string | undefined> {
  const name = `${app}_CLIENT_${part}`;
  const { name: appName, otherwise } = APPS[app];
  const other = otherwise && `${otherwise}_CLIENT_${part}`;
  const what = part === 'ID' ? 'Client ID' : 'Client secret';
  return {
    name,
    description: `${what} of your ${appName}.${other ? ` If unset, ${other} is used.` : ''}`,
    allowed: part === 'ID' ? 'the ID' : 'the secret',
    default: '',
    whenUnset: (env) => (other ? textOf(env, other) : undefined),
    read: (text) => ((part === 'ID' ? ID : SECRET).test(text) ? text : undefined),
    requires: `${app}_CLIENT_${part === 'ID' ? 'SECRET' : 'ID'}`,
    ...(part === 'SECRET' && { isSecret: true as const }),
  };
}

/** Name of the setting of an app's ID or secret, which is also its property in `Config`. */
type AppKey = `${OauthApp}_CLIENT_${'ID' | 'SECRET'}`;

/** The settings of all apps, by their names. */
export const APP_SETTINGS = Object.fromEntries(
  OAUTH_APPS.flatMap((app) =>
    (['ID', 'SECRET'] as const).map((part) => [`${app}_CLIENT_${part}`, appSetting(app, part)]),
  ),
) as Readonly<Record<AppKey, Setting<string | undefined>>>;

/** The client of an app; null if it is not configured. */
export function appClientOf(
  config: Readonly<Record<AppKey, string | undefined>>,
  app: OauthApp,
): AppClient | null {
  const [clientId, clientSecret] = [config[`${app}_CLIENT_ID`], config[`${app}_CLIENT_SECRET`]];
  return clientId && clientSecret ? { clientId, clientSecret } : null;
}
