import type { Network } from '../../domain/networks/networks.js';
import type { CredentialField, Credentials } from '../../services/networks/network-ports.js';
import { CliError } from '../cli.js';
import type { TerminalInput } from '../terminal-input.js';

interface Sources {
  /** Settings by their whole name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly input: TerminalInput;
  /** Whether standard input is a JSON object of the fields. */
  readonly fromStdin: boolean;
}

/** The environment variable of a field: CONNECT_MASTODON_ACCESS_TOKEN. It names the network, so that no network is given what is another's. */
export const variableOf = (network: Network, field: string): string =>
  `CONNECT_${network}_${field.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();

/**
 * What a network asks for: from standard input, from the environment, or asked for on the terminal, secrets without
 * showing them. Never from the command line, which other users of the machine can read.
 * @throws CliError naming what is missing or not asked for, never a value
 */
export async function readCredentials(
  network: Network,
  fields: readonly CredentialField[],
  { settings, input, fromStdin }: Sources,
): Promise<Credentials> {
  const told = fromStdin ? readObject(await input.all(), fields) : {};
  const given = Object.fromEntries(
    fields.map(({ name }) => [name, told[name] ?? settings[variableOf(network, name)] ?? '']),
  );
  for (const field of fields) {
    if (given[field.name] === '' && input.isTerminal && !fromStdin)
      given[field.name] = (await input.ask(questionOf(field), field.secret)).trim();
  }
  const missing = fields.filter(({ name, optional }) => given[name] === '' && !optional);
  if (missing.length > 0)
    throw new CliError(
      `${network} needs ${missing.map(({ name }) => name).join(', ')}: ${waysFor(network, missing)}`,
    );
  return given;
}

function questionOf({ name, meaning, secret, optional }: CredentialField): string {
  const notes = [secret && 'not shown', optional && 'may be empty'].filter(Boolean).join(', ');
  return `${meaning}\n${name}${notes === '' ? '' : ` (${notes})`}: `;
}

const waysFor = (network: Network, missing: readonly CredentialField[]): string =>
  `answer in a terminal, set ${missing.map(({ name }) => variableOf(network, name)).join(', ')}, or give a JSON object on standard input with --stdin`;

function readObject(text: string, fields: readonly CredentialField[]): Record<string, string> {
  const read = parsed(text);
  const names = fields.map(({ name }) => name);
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new CliError(`Standard input is not a JSON object with ${names.join(', ')}`);
  const entries = Object.entries(read);
  const strange = entries
    .filter(([name, value]) => !names.includes(name) || typeof value !== 'string')
    .map(([name]) => JSON.stringify(name));
  if (strange.length > 0)
    throw new CliError(
      `Standard input has ${strange.join(', ')}; texts for ${names.join(', ')} are asked for`,
    );
  return Object.fromEntries(entries.map(([name, value]) => [name, (value as string).trim()]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the parser's own message quotes the text
  }
}
