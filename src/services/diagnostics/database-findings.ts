import type {
  DatabaseFacts,
  Finding,
  MigrationFacts,
  ReadOnlyReason,
} from '../../domain/diagnostics/diagnostic-facts.js';

/** Share of max_connections in use above which the finding is a warning. */
const MAX_CONNECTION_USAGE = 0.85;

const READ_ONLY: Readonly<Record<ReadOnlyReason, { message: string; advice: string }>> = {
  standby: {
    message: 'a standby, which accepts no changes',
    advice: 'Set DATABASE_URL to the primary server, or promote this one.',
  },
  setting: {
    message: 'read-only',
    advice: 'Turn default_transaction_read_only off, or set DATABASE_URL to another database.',
  },
};

/** Checks that the database accepts writes and has connections left. */
export function databaseFinding({
  version,
  isEmbedded,
  readOnly,
  connections: { used, max },
}: DatabaseFacts): Finding {
  const message = `PostgreSQL ${version}${isEmbedded ? ', embedded' : ''}, ${used} of ${max} connections in use`;
  if (readOnly)
    return {
      status: 'fail',
      subject: 'database',
      message: `${message}, ${READ_ONLY[readOnly].message}`,
      advice: READ_ONLY[readOnly].advice,
    };
  if (used > max * MAX_CONNECTION_USAGE)
    return {
      status: 'warn',
      subject: 'database',
      message,
      advice: 'Raise max_connections, or lower DATABASE_POOL_SIZE or the number of processes.',
    };
  return { status: 'ok', subject: 'database', message };
}

/** Checks that the database has the schema of this build. */
export function migrationsFinding({
  applied,
  pending,
  edited,
  failed,
  unknown,
  incompatible,
}: MigrationFacts): Finding {
  const subject = 'migrations';
  if (failed.length > 0)
    return {
      status: 'fail',
      subject,
      message: `failed: ${failed.join(', ')}`,
      advice: `Fix the database, then run \`posts-gateway migrate --rolled-back ${failed[0]}\`.`,
    };
  if (incompatible.length > 0)
    return {
      status: 'fail',
      subject,
      message: `of a later major version: ${incompatible.join(', ')}`,
      advice: 'Run that version: this build cannot use its schema.',
    };
  if (pending.length > 0)
    return {
      status: 'warn',
      subject,
      message: `pending: ${pending.join(', ')}`,
      advice: 'Run `migrate`, or start the gateway, which applies them.',
    };
  if (unknown.length > 0)
    return {
      status: 'warn',
      subject,
      message: `unknown to this release: ${unknown.join(', ')}`,
      advice:
        'A later release has migrated the database. This release works with it until every process is upgraded.',
    };
  if (edited.length > 0)
    return {
      status: 'warn',
      subject,
      message: `edited after they were applied: ${edited.join(', ')}`,
      advice: 'Restore the migration files of the release.',
    };
  return { status: 'ok', subject, message: `${applied} applied, none pending` };
}

/** What to do about an unreadable secret, if its key is lost: by the prefix of its owner's ID. */
const LOST_KEY_ADVICE: Readonly<Record<string, string>> = {
  acc: 'connect the accounts again',
  whk: 'replace the secrets of the webhooks with `webhooks rotate --grace-hours 0`',
};

/**
 * Checks that the configured keys decrypt all secrets. `ownerIds` are the accounts and webhooks
 * whose secrets they do not decrypt.
 */
export function credentialsFinding(ownerIds: readonly string[]): Finding {
  const subject = 'credentials';
  if (ownerIds.length === 0)
    return {
      status: 'ok',
      subject,
      message: 'all stored credentials and secrets of webhooks can be decrypted',
    };
  const ids = `${ownerIds.slice(0, 3).join(', ')}${ownerIds.length > 3 ? ', …' : ''}`;
  const advice = Object.entries(LOST_KEY_ADVICE)
    .filter(([prefix]) => ownerIds.some((id) => id.startsWith(`${prefix}_`)))
    .map(([, text]) => text);
  return {
    status: 'fail',
    subject,
    message: `${ownerIds.length} cannot be decrypted (${ids})`,
    advice: `Set CREDENTIALS_KEY to the key that they were encrypted with, or ${advice.join(' and ')}.`,
  };
}
