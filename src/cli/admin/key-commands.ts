import { InvalidArgumentError, Option, type Command } from 'commander';
import { isTime } from '../../domain/input/date-readers.js';
import { SCOPES, type Scope } from '../../domain/access/scopes.js';
import { wordsOf } from '../../domain/vocabulary.js';
import { createKeys, type Keys } from '../../services/access/keys.js';
import type { KeyRecord } from '../../services/ports.js';
import { CliError, userNamed, type Cli, type Session } from '../cli.js';
import { minuteOf, table } from '../table.js';

const keysOf = ({ admin: records, ids, clock }: Session): Keys =>
  createKeys({ records, ids, clock });

export function addKeyCommands(program: Command, { open, say }: Cli): void {
  const keys = program.command('keys').description('API keys');

  keys
    .command('create')
    .description('make a key; its value is shown this once')
    .requiredOption('--user <id or e-mail>', 'whose key it is')
    .requiredOption('--name <name>', 'what it is for', readName)
    .addOption(
      new Option('--scope <scopes...>', 'what it may be used for')
        .choices(wordsOf<Scope>(SCOPES))
        .makeOptionMandatory(),
    )
    .option(
      '--expires <time>',
      'ISO 8601 with a zone; without it the key does not expire',
      readTime,
    )
    .action(
      ({
        user,
        name,
        scope,
        expires,
      }: {
        user: string;
        name: string;
        scope: Scope[];
        expires?: Date;
      }) =>
        open(async (session) => {
          assertToCome(expires, session.clock.now());
          const { id: userId } = await userNamed(session.admin, user);
          const { key, value } = await keysOf(session).create({
            userId,
            name,
            scopes: [...new Set(scope)],
            expiresAt: expires ?? null,
          });
          say(
            { ...key, userId, value },
            `${value}\n${key.id}, ${key.scopes.join(' ')}. Keep it now: it is not shown again.`,
          );
        }),
    );

  keys
    .command('list')
    .description('all keys, newest first')
    .option('--user <id or e-mail>', 'of this user only')
    .action(({ user }: { user?: string }) =>
      open(async (session) => {
        const all = await keysOf(session).list(
          user === undefined ? undefined : (await userNamed(session.admin, user)).id,
        );
        say(all, all.length === 0 ? 'There are no keys.' : listOf(all, session.clock.now()));
      }),
    );

  keys
    .command('rotate')
    .description(
      'make a key in the place of another one, which works on for a while; the new value is shown this once',
    )
    .argument('<id>', 'key_…')
    .addOption(
      new Option('--grace <duration>', 'for how long the old one works on: 90s, 30m, 24h, 7d, or 0')
        .default(readDuration('24h'), '24h')
        .argParser(readDuration),
    )
    .option(
      '--expires <time>',
      'ISO 8601 with a zone; without it the new key ends when the old one would have',
      readTime,
    )
    .action((id: string, { grace: graceMs, expires }: { grace: number; expires?: Date }) =>
      open(async (session) => {
        assertToCome(expires, session.clock.now());
        const made = await keysOf(session).rotate(id, {
          graceMs,
          ...(expires && { expiresAt: expires }),
        });
        if (made.kind === 'none')
          throw new CliError(
            `There is no key ${JSON.stringify(id)} that still works: \`keys create\` makes one`,
          );
        if (made.kind === 'replaced')
          throw new CliError(
            `${id} is replaced by ${made.by} already: rotate that one, if its value was lost, or make a new one by \`keys create\``,
          );
        const { key, value, userId, oldUntil } = made;
        const ends = key.expiresAt ? ` It ends ${key.expiresAt.toISOString()}.` : '';
        say(
          { ...key, userId, value, replaces: { id, expiresAt: oldUntil } },
          `${value}\n${key.id}, ${key.scopes.join(' ')}. Keep it now: it is not shown again.${ends} ${id} works until ${oldUntil.toISOString()}.`,
        );
      }),
    );

  keys
    .command('revoke')
    .description('end a key, with the next request')
    .argument('<id>', 'key_…')
    .action((id: string) =>
      open(async (session) => {
        if (!(await keysOf(session).revoke(id)))
          throw new CliError(`There is no key ${JSON.stringify(id)}`);
        say({ id, revoked: true }, `${id} is revoked.`);
      }),
    );
}

const listOf = (all: readonly KeyRecord[], now: Date): string =>
  table(
    ['id', 'begins', 'user', 'stands', 'ends', 'scopes', 'name'],
    all.map((key) => [
      key.id,
      `${key.prefix}…`,
      key.userId,
      stateOf(key, now),
      minuteOf(key.revokedAt ?? key.expiresAt),
      key.scopes.join(','),
      key.name,
    ]),
  );

function stateOf({ revokedAt, expiresAt }: KeyRecord, now: Date): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'valid';
}

/** A name of 1 to 200 characters, none of which a terminal would obey. */
export function readName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length < 1 || length > 200 || /\p{Cc}/u.test(name))
    throw new InvalidArgumentError('1 to 200 characters are allowed, and no control characters.');
  return name;
}

function readTime(text: string): Date {
  if (!isTime(text))
    throw new InvalidArgumentError(
      'A time with its zone is allowed, such as 2030-12-31T23:59:59Z.',
    );
  return new Date(text);
}

function assertToCome(expires: Date | undefined, now: Date): void {
  if (expires && expires <= now)
    throw new CliError('The key would have expired already: give a time to come');
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 365 * 86_400_000;

/** In milliseconds. */
function readDuration(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const milliseconds = text === '0' ? 0 : Number(number) * (UNIT_MS[unit] ?? NaN);
  if (!(milliseconds <= LONGEST_MS))
    throw new InvalidArgumentError(
      'A number with s, m, h or d is allowed, up to 365d, such as 24h; or 0.',
    );
  return milliseconds;
}
