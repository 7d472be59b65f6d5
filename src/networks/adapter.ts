import type {
  ConnectedAccount,
  CredentialField,
  Credentials,
  NetworkAdapter,
  NetworkEdit,
  NetworkFailure,
} from '../services/networks/network-ports.js';
import type { Dialect } from './http-client/answer.js';
import { talk, type Line } from './http-client/network-client.js';
import type { Web } from './http-client/web.js';

/** A network as its adapter's file describes it; createAdapter makes the adapter. A client out of a package is loaded by the first edit or check: no start waits for it. */
export interface NetworkDescription<Field extends string> {
  readonly dialect: Dialect;
  readonly verified: boolean;
  readonly note: string | null;
  readonly credentials: Readonly<Record<Field, Omit<CredentialField, 'name'>>>;
  /** What the network's ids of posts look like: they become a part of paths. */
  readonly remoteId: RegExp;
  /** Brings the edit there, or ends the line. */
  edit(line: Line, edit: NetworkEdit, credentials: Readonly<Record<Field, string>>): Promise<void>;
  /** Whose the credentials are. */
  check(
    line: Line,
    credentials: Readonly<Record<Field, string>>,
  ): Promise<Omit<ConnectedAccount, 'kind'>>;
}

/** The adapter of a described network: credentials and ids are read before anything is sent, and every failure comes back as data. */
export function createAdapter<Field extends string>(
  web: Web,
  { dialect, remoteId, ...network }: NetworkDescription<Field>,
): NetworkAdapter {
  const names = Object.keys(network.credentials) as Field[];
  const talkWith = <T>(
    given: Credentials,
    about: string | null,
    work: (line: Line, credentials: Record<Field, string>) => Promise<T>,
  ): Promise<T | NetworkFailure> => {
    const credentials = Object.fromEntries(
      names.map((name) => [name, given[name]?.trim() ?? '']),
    ) as Record<Field, string>;
    const missing = names.filter(
      (name) => credentials[name] === '' && !network.credentials[name].optional,
    );
    if (missing.length > 0)
      return Promise.resolve({
        kind: 'failed',
        code: 'NETWORK_NOT_CONNECTED',
        message: `The credentials for ${dialect.name} lack ${missing.join(' and ')}.`,
      });
    const secrets = names
      .filter((name) => network.credentials[name].secret)
      .map((name) => credentials[name]);
    return talk(web, { dialect, about, secrets }, (line) => work(line, credentials));
  };
  return {
    verified: network.verified,
    note: network.note,
    credentialFields: names.map((name) => ({ name, ...network.credentials[name] })),
    async edit(edit) {
      if (!remoteId.test(edit.remoteId))
        return {
          kind: 'failed',
          code: 'NETWORK_POST_UNKNOWN',
          message: `${JSON.stringify(edit.remoteId)} is no id of a post on ${dialect.name}.`,
        };
      return talkWith(edit.credentials, edit.remoteId, async (line, credentials) => {
        await network.edit(line, edit, credentials);
        return { kind: 'edited' as const };
      });
    },
    check: (given) =>
      talkWith(given, null, async (line, credentials) => ({
        kind: 'connected' as const,
        ...(await network.check(line, credentials)),
      })),
  };
}
