import type { VocabularyEntry } from '../enums.js';
import type { Problem } from '../errors.js';
import { credentialFieldsOf, NETWORKS, type Network } from '../networks/networks.js';
import type { Credentials } from '../networks/network-definition.js';

/** How an account is connected (D82). */
export const CONNECT_METHODS = {
  oauth: {
    description: 'The owner of the account gave consent on a page of the network.',
    source: 'D83',
  },
  credentials: {
    description: 'Credentials of the account were entered, such as an app password.',
    source: 'D84',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type ConnectMethod = keyof typeof CONNECT_METHODS;

/** Whether the gateway can use an account. */
export const ACCOUNT_HEALTHS = {
  ok: { description: 'The network accepted the account when it was last asked.', source: 'D82' },
  expiring: {
    description:
      'The access ends within 7 days and cannot be renewed by the gateway. Connect the account again before then.',
    source: 'D82',
  },
  needs_reauthorization: {
    description: 'The network no longer accepts the account. Connect it again.',
    source: 'D82',
  },
  disconnected: {
    description: 'The gateway has no credentials of the account.',
    source: 'D84',
  },
  unreachable: {
    description:
      'The network did not confirm the account when it was last asked, for the reason in `message`.',
    source: 'D84',
  },
} as const satisfies Record<string, VocabularyEntry>;
export type AccountHealth = keyof typeof ACCOUNT_HEALTHS;

/** What is known of the connection of an account. */
export interface ConnectionFacts {
  /** Whether the gateway has credentials of the account. */
  readonly hasCredentials: boolean;
  readonly needsReauth: boolean;
  readonly method: ConnectMethod;
  readonly grantedScopes: readonly string[];
  /** When the access ends unless it is renewed; null if it has no end, or if that is not known. */
  readonly expiresAt: Date | null;
  /** Whether the gateway renews the access before it ends. */
  readonly renewsItself: boolean;
  /** When the network last accepted or rejected the account. */
  readonly checkedAt: Date | null;
  /** What the network answered instead of confirming the account, in one sentence. */
  readonly problem: string | null;
}

/** The connection of an account, as its users see it. Contains no secret. */
export interface AccountConnection extends Omit<
  ConnectionFacts,
  'hasCredentials' | 'needsReauth' | 'problem'
> {
  readonly health: AccountHealth;
  /** What is wrong, in one sentence; null if nothing is. */
  readonly message: string | null;
}

const DAY_MS = 86_400_000;
/** Accounts whose access ends within this time are `expiring`. */
export const EXPIRING_MS = 7 * DAY_MS;

/** Whether the access ends soon and only a person can renew it. */
export const isExpiring = (
  { expiresAt, renewsItself }: Pick<ConnectionFacts, 'expiresAt' | 'renewsItself'>,
  now: Date,
): boolean =>
  !renewsItself && expiresAt !== null && expiresAt.getTime() - now.getTime() <= EXPIRING_MS;

function healthOf(facts: ConnectionFacts, now: Date): AccountHealth {
  if (!facts.hasCredentials) return 'disconnected';
  if (facts.needsReauth) return 'needs_reauthorization';
  if (facts.problem !== null) return 'unreachable';
  return isExpiring(facts, now) ? 'expiring' : 'ok';
}

const MESSAGES: Readonly<Record<AccountHealth, (facts: ConnectionFacts) => string | null>> = {
  ok: () => null,
  expiring: ({ expiresAt }) =>
    `The access ends on ${expiresAt!.toISOString().slice(0, 10)}. Connect the account again before then.`,
  needs_reauthorization: ({ problem }) =>
    problem ?? 'The network no longer accepts the account. Connect it again.',
  disconnected: () => 'The account is not connected.',
  unreachable: ({ problem }) => problem,
};

/** The connection of an account at a time. */
export function toAccountConnection(facts: ConnectionFacts, now: Date): AccountConnection {
  const { hasCredentials, needsReauth: _needsReauth, problem: _problem, ...rest } = facts;
  const health = healthOf(facts, now);
  return {
    ...rest,
    ...(!hasCredentials && { grantedScopes: [], expiresAt: null, renewsItself: false }),
    health,
    message: MESSAGES[health](facts),
  };
}

/** A credential as it is sent. */
export interface CredentialEntry {
  readonly name: string;
  readonly value: string;
}

/** Above the length of any token. */
export const MAX_CREDENTIAL_LENGTH = 4_096;
const LINE = new RegExp(`^\\P{Cc}{0,${MAX_CREDENTIAL_LENGTH}}$`, 'u');
/** Secrets are sent in headers, which have no other characters. */
const SECRET = new RegExp(`^[\\x20-\\x7e]{0,${MAX_CREDENTIAL_LENGTH}}$`);

/**
 * Reads the credentials for a network.
 * @returns the credentials by name, or the problems with their paths inside `credentials`; these
 * never contain a value
 */
export function readCredentialEntries(
  network: Network,
  entries: readonly CredentialEntry[],
): { readonly credentials: Credentials } | { readonly problems: readonly [Problem, ...Problem[]] } {
  const fields = credentialFieldsOf(network);
  if (fields.length === 0)
    return {
      problems: [
        {
          path: ['network'],
          message: `${NETWORKS[network].name} accounts cannot be connected by credentials.`,
        },
      ],
    };
  const names = fields.map(({ name }) => name);
  const isSecret = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const problems: Problem[] = [];
  const credentials: Record<string, string> = {};
  for (const [index, { name, value }] of entries.entries()) {
    const path = ['credentials', index];
    if (!names.includes(name))
      problems.push({
        path: [...path, 'name'],
        message: `${NETWORKS[network].name} has no such credential. Allowed: ${names.join(', ')}.`,
      });
    else if (Object.hasOwn(credentials, name))
      problems.push({ path: [...path, 'name'], message: `${name} occurs more than once.` });
    else if (!(isSecret.has(name) ? SECRET : LINE).test(value.trim()))
      problems.push({
        path: [...path, 'value'],
        message: isSecret.has(name)
          ? `must have at most ${MAX_CREDENTIAL_LENGTH} characters, all of them ASCII, without line breaks.`
          : `must have at most ${MAX_CREDENTIAL_LENGTH} characters, without line breaks.`,
      });
    else credentials[name] = value.trim();
  }
  const isGiven = (name: string): boolean =>
    entries.some((entry) => entry.name === name && entry.value.trim() !== '');
  const missing = fields.filter(({ name, optional }) => !optional && !isGiven(name));
  if (missing.length > 0)
    problems.push({
      path: ['credentials'],
      message: `${NETWORKS[network].name} needs ${missing.map(({ name }) => name).join(', ')}.`,
    });
  const [first, ...others] = problems;
  return first ? { problems: [first, ...others] } : { credentials };
}
