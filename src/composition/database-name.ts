import type { Config } from '../config/config.js';
import { changeDatabaseUrl } from '../domain/input/urls.js';

type DatabaseConfig = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** The configured database as operators know it: its URL without password, or its folder. */
export const databaseName = ({ databaseUrl, dataDir }: DatabaseConfig): string =>
  databaseUrl ? withoutPassword(databaseUrl) : `embedded, in ${dataDir}`;

/** The command that backs up the database at this URL; it asks for the password. */
export const pgDumpCommand = (databaseUrl: string): string =>
  `pg_dump --format=custom --file=posts.dump '${withoutPassword(databaseUrl).replaceAll("'", '%27')}'`;

/** libpq also accepts passwords as parameters of a URL. */
const SECRET_PARAMETER = /password/i;

function withoutPassword(databaseUrl: string): string {
  const changed = changeDatabaseUrl(databaseUrl, (url) => {
    url.password = '';
    const secrets = [...url.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
    for (const name of secrets) url.searchParams.delete(name);
  });
  return changed ?? databaseUrl.replace(/(:\/\/[^:@/]*):[^/]*@/, '$1@');
}
