import type { CredentialField, Network } from '../../domain/networks/networks.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import { CliError } from '../cli-error.js';
import type { TerminalInput } from '../terminal-input.js';

interface CredentialSources {
  /** CONNECT_ environment variables by full name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly input: TerminalInput;
  /** Whether to read the fields from standard input, as a JSON object. */
  readonly fromStdin: boolean;
}

/**
 * Environment variable of a field, such as CONNECT_MASTODON_ACCESS_TOKEN. The network in the name
 * prevents sending one network's secret to another.
 */
export const environmentVariableOf = (network: Network, field: string): string =>
  `CONNECT_${network}_${field.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();

/**
 * Reads the credentials of a network from standard input, from the environment, or from prompts on
 * the terminal, which do not echo secrets. Never reads them from the command line, which other
 * users of the machine can see.
 * @throws CliError naming the fields that are missing or unknown, never a value
 */
export async function readCredentials(
  network: Network,
  fields: readonly CredentialField[],
  { settings, input, fromStdin }: CredentialSources,
): Promise<Credentials> {
  const piped = fromStdin ? readCredentialObject(await input.readAll(), fields) : {};
  const credentials = Object.fromEntries(
    fields.map(({ name }) => [
      name,
      piped[name] ?? settings[environmentVariableOf(network, name)] ?? '',
    ]),
  );
  for (const field of fields) {
    if (credentials[field.name] === '' && input.isTerminal && !fromStdin)
      credentials[field.name] = (await input.prompt(formatPrompt(field), field.secret)).trim();
  }
  const missing = fields.filter(({ name, optional }) => credentials[name] === '' && !optional);
  if (missing.length > 0)
    throw new CliError(
      `${network} needs ${missing.map(({ name }) => name).join(', ')}: ${describeSources(network, missing)}`,
    );
  return credentials;
}

function formatPrompt({ name, description, secret, optional }: CredentialField): string {
  const notes = [secret && 'hidden', optional && 'optional'].filter(Boolean).join(', ');
  return `${description}\n${name}${notes === '' ? '' : ` (${notes})`}: `;
}

const describeSources = (network: Network, missing: readonly CredentialField[]): string =>
  `answer the prompts in a terminal, set ${missing.map(({ name }) => environmentVariableOf(network, name)).join(', ')}, or pass a JSON object on standard input with --stdin`;

function readCredentialObject(
  text: string,
  fields: readonly CredentialField[],
): Record<string, string> {
  const value = parseJson(text);
  const names = fields.map(({ name }) => name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError(`Standard input must be a JSON object with the fields ${names.join(', ')}`);
  const entries = Object.entries(value);
  const unexpected = entries
    .filter(([name, field]) => !names.includes(name) || typeof field !== 'string')
    .map(([name]) => JSON.stringify(name));
  if (unexpected.length > 0)
    throw new CliError(
      `Standard input has invalid fields: ${unexpected.join(', ')}. Expected strings for ${names.join(', ')}`,
    );
  return Object.fromEntries(entries.map(([name, field]) => [name, (field as string).trim()]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the error of JSON.parse quotes the text, which may contain a secret
  }
}
