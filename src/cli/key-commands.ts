import { InvalidArgumentError, Option, type Command } from 'commander';
import { isTime } from '../domain/date-readers.js';
import { SCOPES, type Scope } from '../domain/scopes.js';
import { wordsOf } from '../domain/vocabulary.js';
import { createKeys, type Keys } from '../services/keys.js';
import type { KeyRecord } from '../services/ports.js';
import { CliError, userNamed, type Cli, type Session } from './cli.js';

const keysOf = ({ admin: records, ids, clock }: Session): Keys => createKeys({ records, ids, clock });

export function addKeyCommands(program: Command, { open, say }: Cli): void {
  const keys = program.command('keys').description('API keys');

  keys.command('create').description('make a key; its value is shown this once')
    .requiredOption('--user <id or e-mail>', 'whose key it is').requiredOption('--name <name>', 'what it is for', readName)
    .addOption(new Option('--scope <scopes...>', 'what it may be used for').choices(wordsOf<Scope>(SCOPES)).makeOptionMandatory())
    .option('--expires <time>', 'ISO 8601 with a zone; without it the key does not expire', readTime)
    .action(({ user, name, scope, expires }: { user: string; name: string; scope: Scope[]; expires?: Date }) => open(async (session) => {
      if (expires && expires <= session.clock.now()) throw new CliError('The key would have expired already: give a time to come');
      const { id: userId } = await userNamed(session.admin, user);
      const { key, value } = await keysOf(session).create({ userId, name, scopes: [...new Set(scope)], expiresAt: expires ?? null });
      say({ ...key, userId, value }, `${value}\n${key.id}, ${key.scopes.join(' ')}. Keep it now: it is not shown again.`);
    }));

  keys.command('list').description('all keys, newest first').option('--user <id or e-mail>', 'of this user only')
    .action(({ user }: { user?: string }) => open(async (session) => {
      const all = await keysOf(session).list(user === undefined ? undefined : (await userNamed(session.admin, user)).id);
      say(all, all.length === 0 ? 'There are no keys.' : all.map((key) => line(key, session.clock.now())).join('\n'));
    }));

  keys.command('revoke').description('end a key, with the next request').argument('<id>', 'key_…')
    .action((id: string) => open(async (session) => {
      if (!(await keysOf(session).revoke(id))) throw new CliError(`There is no key ${JSON.stringify(id)}`);
      say({ id, revoked: true }, `${id} is revoked.`);
    }));
}

const line = (key: KeyRecord, now: Date): string =>
  [key.id, `${key.prefix}…`, key.userId, stateOf(key, now).padEnd(7), key.scopes.join(','), key.name].join('  ');

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: Date): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'valid';
}

/** A name of 1 to 200 characters. */
export function readName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > 200 || name.includes('\0')) throw new InvalidArgumentError('1 to 200 characters are allowed.');
  return name;
}

function readTime(text: string): Date {
  if (!isTime(text)) throw new InvalidArgumentError('A time with its zone is allowed, such as 2030-12-31T23:59:59Z.');
  return new Date(text);
}
