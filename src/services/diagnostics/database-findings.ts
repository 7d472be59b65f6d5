import type { DatabaseFacts, Finding } from './diagnostic-facts.js';

/** Share of max_connections above which a warning is given. */
const MAX_CONNECTION_USAGE = 0.85;

export function databaseFinding({
  version,
  isEmbedded,
  isReadOnly,
  connections: { used, max },
}: DatabaseFacts): Finding {
  const message = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}, ${used} of ${max} connections in use`;
  if (isReadOnly)
    return {
      level: 'fail',
      subject: 'database',
      message: `${message}, read-only`,
      advice: 'Set DATABASE_URL to the primary server.',
    };
  if (used > max * MAX_CONNECTION_USAGE)
    return {
      level: 'warn',
      subject: 'database',
      message,
      advice: 'Raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.',
    };
  return { level: 'ok', subject: 'database', message };
}

export function migrationsFinding({
  applied,
  pending,
  edited,
  failed,
  unknown,
}: DatabaseFacts['migrations']): Finding {
  const subject = 'migrations';
  if (failed.length > 0)
    return {
      level: 'fail',
      subject,
      message: `failed: ${failed.join(', ')}`,
      advice: `Fix the database, then run \`posts-gateway migrate --rolled-back ${failed[0]}\`.`,
    };
  if (unknown.length > 0)
    return {
      level: 'fail',
      subject,
      message: `unknown to this release: ${unknown.join(', ')}`,
      advice: 'The database was migrated by a later release. Run that release.',
    };
  if (pending.length > 0)
    return {
      level: 'warn',
      subject,
      message: `pending: ${pending.join(', ')}`,
      advice: 'Run `migrate`, or start the gateway, which applies them.',
    };
  if (edited.length > 0)
    return {
      level: 'warn',
      subject,
      message: `edited after they were applied: ${edited.join(', ')}`,
      advice: 'Restore the migration files of the release.',
    };
  return { level: 'ok', subject, message: `${applied} applied, none pending` };
}

export function credentialsFinding(lockedAccounts: readonly string[]): Finding {
  const subject = 'credentials';
  if (lockedAccounts.length === 0)
    return { level: 'ok', subject, message: 'all stored credentials can be decrypted' };
  const ids = `${lockedAccounts.slice(0, 3).join(', ')}${lockedAccounts.length > 3 ? ', …' : ''}`;
  return {
    level: 'fail',
    subject,
    message: `${lockedAccounts.length} cannot be decrypted (${ids})`,
    advice:
      'Set CREDENTIALS_KEY to the key that they were encrypted with, or connect the accounts again.',
  };
}
