import { Option, type Command } from 'commander';
import { SCOPES, type Scope } from '../../domain/access/viewer.js';
import { enumKeys } from '../../domain/enums.js';
import type { KeyRecord } from '../../persistence/admin/admin-store.js';
import { createKeys, type Keys } from '../../services/access/keys.js';
import { readName, readTime, readDuration, CliError, choiceOption } from '../arguments.js';
import type { CliContext, Cli } from '../cli-context.js';
import { formatMinute } from '../terminal.js';
import { requireUser, listRecords } from './records.js';

const openKeys = ({ admin: records, ids, clock }: CliContext): Keys =>
  createKeys({ records, ids, clock });

/** Adds the commands that create, list, rotate and revoke API keys. */
export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('manage API keys');
  addCreateKey(keys, cli);
  addListKeys(keys, cli);
  addRotateKey(keys, cli);
  addRevokeKey(keys, cli);
}

interface CreateKeyOptions {
  user: string;
  name: string;
  scope: Scope[];
  expires?: Date;
}

function addCreateKey(keys: Command, { withContext, printResult }: Cli): void {
  keys
    .command('create')
    .description('create an API key and print it. The key is shown only once')
    .requiredOption('--user <id or email>', 'user who owns the key')
    .requiredOption('--name <name>', 'name that describes the purpose of the key', readName)
    .addOption(
      choiceOption(
        '--scope <scopes...>',
        'scopes of the key',
        enumKeys<Scope>(SCOPES),
      ).makeOptionMandatory(),
    )
    .option(
      '--expires <time>',
      'time at which the key expires, in ISO 8601 format with a time zone (by default, the key does not expire)',
      readTime,
    )
    .action(({ user, name, scope, expires }: CreateKeyOptions) =>
      withContext(async (context) => {
        assertInFuture(expires, context.clock.now());
        const { id: userId } = await requireUser(context.admin, user);
        const { key, value } = await openKeys(context).create({
          userId,
          name,
          scopes: [...new Set(scope)],
          expiresAt: expires ?? null,
        });
        printResult({ ...key, userId, value }, formatNewKey(key, value));
      }),
    );
}

function addListKeys(keys: Command, cli: Cli): void {
  keys
    .command('list')
    .description('list keys, newest first')
    .option('--user <id or email>', 'list only the keys of this user')
    .action(({ user }: { user?: string }) => {
      const now = new Date();
      return listRecords(
        cli,
        async (context) =>
          openKeys(context).list(
            user === undefined ? undefined : (await requireUser(context.admin, user)).id,
          ),
        {
          none: 'There are no keys.',
          columns: {
            id: ({ id }) => id,
            prefix: ({ prefix }) => `${prefix}…`,
            user: ({ userId }) => userId,
            status: (key) => keyStatus(key, now),
            'valid until': ({ revokedAt, expiresAt }) => formatMinute(revokedAt ?? expiresAt),
            scopes: ({ scopes }) => scopes.join(','),
            name: ({ name }) => name,
          },
        },
      );
    });
}

function addRotateKey(keys: Command, { withContext, printResult }: Cli): void {
  keys
    .command('rotate')
    .description(
      'replace a key. The old key stays valid for a grace period, and the new key is shown only once',
    )
    .argument('<id>', 'ID of the key (key_…)')
    .addOption(
      new Option(
        '--grace <duration>',
        'how long the old key stays valid, such as 90s, 30m, 24h or 7d, or 0 to revoke it immediately',
      )
        .default(readDuration('24h'), '24h')
        .argParser(readDuration),
    )
    .option(
      '--expires <time>',
      'time at which the new key expires, in ISO 8601 format with a time zone (by default, the same time as the old key)',
      readTime,
    )
    .action((id: string, { grace: graceMs, expires }: { grace: number; expires?: Date }) =>
      withContext(async (context) => {
        assertInFuture(expires, context.clock.now());
        const rotation = await openKeys(context).rotate(id, {
          graceMs,
          ...(expires && { expiresAt: expires }),
        });
        if (rotation.kind === 'none')
          throw new CliError(
            `There is no valid key ${JSON.stringify(id)}: create one with \`keys create\``,
          );
        if (rotation.kind === 'replaced')
          throw new CliError(
            `${id} was already replaced by ${rotation.by}: if the value of that key is lost, rotate it, or create another with \`keys create\``,
          );
        const { key, value, userId, oldKeyExpiresAt } = rotation;
        const expiry = key.expiresAt ? ` It expires at ${key.expiresAt.toISOString()}.` : '';
        printResult(
          { ...key, userId, value, replaces: { id, expiresAt: oldKeyExpiresAt } },
          `${formatNewKey(key, value)}${expiry} ${id} is valid until ${oldKeyExpiresAt.toISOString()}.`,
        );
      }),
    );
}

function addRevokeKey(keys: Command, { withContext, printResult }: Cli): void {
  keys
    .command('revoke')
    .description('revoke a key. The gateway rejects the key from the next request on')
    .argument('<id>', 'ID of the key (key_…)')
    .action((id: string) =>
      withContext(async (context) => {
        if (!(await openKeys(context).revoke(id)))
          throw new CliError(`Key ${JSON.stringify(id)} does not exist`);
        printResult({ id, revoked: true }, `${id} is revoked.`);
      }),
    );
}

const formatNewKey = (key: { id: string; scopes: readonly Scope[] }, value: string): string =>
  `${value}\n${key.id}, ${key.scopes.join(' ')}. Save the value now: it is not shown again.`;

function keyStatus({ revokedAt, expiresAt }: KeyRecord, now: Date): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'valid';
}

function assertInFuture(expires: Date | undefined, now: Date): void {
  if (expires && expires <= now)
    throw new CliError('--expires is in the past: pass a time in the future');
}
