import type {
  ConnectedAccount,
  NetworkAdapter,
  NetworkEdit,
  NetworkFailure,
  NumbersOfPosts,
  NumbersReader,
} from '../services/networks/network-ports.js';
import type { PostNumbers } from '../domain/numbers/numbers.js';
import type { ErrorMapping, NetworkErrors } from './http-client/network-response.js';
import type { AdapterRules, Credentials } from '../domain/networks/network-definition.js';
import { withNetworkClient, type NetworkClient } from './http-client/network-client.js';
import type { HttpClient } from './http-client/http-client.js';
import { createPublisher, type PublisherDefinition } from './publisher.js';

/**
 * How a network is called. Client libraries are loaded with the first edit or check, so that they do
 * not delay startup.
 */
interface NetworkCalls<Field extends string, Api> {
  readonly errors: ErrorMapping;
  /** A remark for users that depends on settings, after that of the network's definition. */
  readonly note?: string;
  /**
   * Sends the edit to the network. Absent if published posts cannot be edited there.
   * @throws NetworkRequestError
   */
  edit?(
    client: NetworkClient,
    edit: NetworkEdit,
    credentials: Readonly<Record<Field, string>>,
  ): Promise<void>;
  /** Returns the account that the credentials belong to. @throws NetworkRequestError */
  check(
    client: NetworkClient,
    credentials: Readonly<Record<Field, string>>,
  ): Promise<Omit<ConnectedAccount, 'kind'>>;
  /** Absent if the service does not publish on the network. */
  readonly publisher?: PublisherDefinition<Field, Api>;
  /** Absent if the service does not read the numbers of posts. */
  readonly numbers?: NumbersDefinition<Field>;
}

/** How the numbers of posts are read; see `NumbersReader`. */
export interface NumbersDefinition<Field extends string> extends Pick<
  NumbersReader,
  'maxPosts' | 'intervalMs'
> {
  /** Absent: the errors of the network. */
  readonly errors?: ErrorMapping;
  /**
   * Returns the numbers by the network's IDs of posts, without those that it no longer has. Null:
   * it does not say now.
   * @throws NetworkRequestError
   */
  read(
    client: NetworkClient,
    credentials: Readonly<Record<Field, string>>,
    remoteIds: readonly string[],
  ): Promise<NumbersOfPosts>;
}

/** Reads posts one after the other; null: the network no longer has the post. */
export async function readEach(
  ids: readonly string[],
  read: (id: string) => Promise<PostNumbers | null>,
): Promise<ReadonlyMap<string, PostNumbers>> {
  const numbers = new Map<string, PostNumbers>();
  for (const id of ids) {
    const found = await read(id);
    if (found) numbers.set(id, found);
  }
  return numbers;
}

/** A network that has an adapter. */
interface CalledNetwork<Field extends string> {
  readonly name: string;
  readonly adapter: AdapterRules<Field>;
}

/**
 * Creates the adapter of a network. Credentials and IDs are validated before anything is sent.
 * Failures are returned, not thrown.
 */
export function createAdapter<Field extends string, Api = never>(
  http: HttpClient,
  { name, adapter: { credentials: fields, remoteId } }: CalledNetwork<Field>,
  calls: NetworkCalls<Field, Api>,
): NetworkAdapter {
  const errors = { ...calls.errors, networkName: name };
  const failure = (code: NetworkFailure['code'], message: string): NetworkFailure => ({
    kind: 'failed',
    code,
    message,
  });
  const fieldNames = Object.keys(fields) as Field[];
  const run = <T>(
    values: Credentials,
    postId: string | null,
    work: (client: NetworkClient, credentials: Record<Field, string>) => Promise<T>,
    mapping: NetworkErrors = errors,
  ): Promise<T | NetworkFailure> => {
    const credentials = Object.fromEntries(
      fieldNames.map((field) => [field, values[field]?.trim() ?? '']),
    ) as Record<Field, string>;
    const missing = fieldNames.filter(
      (field) => credentials[field] === '' && !fields[field].optional,
    );
    if (missing.length > 0)
      return Promise.resolve(
        failure('NETWORK_NOT_CONNECTED', `Missing credentials for ${name}: ${missing.join(', ')}.`),
      );
    const secrets = fieldNames
      .filter((field) => fields[field].secret)
      .map((field) => credentials[field]);
    return withNetworkClient(http, { errors: mapping, remoteId: postId, secrets }, (client) =>
      work(client, credentials),
    );
  };
  const invalidPostId = (id: string): NetworkFailure | null =>
    remoteId.test(id)
      ? null
      : failure('NETWORK_POST_UNKNOWN', `${JSON.stringify(id)} is not a valid ${name} post ID.`);
  const publisher = calls.publisher && createPublisher(calls.publisher, run);
  const createNumbersReader = ({
    read,
    errors: own,
    ...pace
  }: NumbersDefinition<Field>): NumbersReader => ({
    ...pace,
    read: (_account, credentialValues, posts) => {
      const ids = posts.map((post) => post.remoteId).filter((id) => remoteId.test(id));
      const mapping = own ? { ...own, networkName: name } : errors;
      return run(
        credentialValues,
        null,
        async (client, credentials) => ({
          kind: 'read' as const,
          numbers: ids.length > 0 ? await read(client, credentials, ids) : new Map<string, never>(),
        }),
        mapping,
      );
    },
  });
  return {
    ...(calls.note !== undefined && { note: calls.note }),
    async edit(edit) {
      const invalid = invalidPostId(edit.remoteId);
      if (invalid) return invalid;
      if (!calls.edit) return failure('NETWORK_REFUSED', `Posts on ${name} cannot be edited.`);
      return run(edit.credentials, edit.remoteId, async (client, credentials) => {
        await calls.edit!(client, edit, credentials);
        return { kind: 'edited' as const };
      });
    },
    ...(publisher && {
      publisher: {
        ...publisher,
        remove: async (live) => invalidPostId(live.remoteId) ?? publisher.remove(live),
      },
    }),
    ...(calls.numbers && { numbers: createNumbersReader(calls.numbers) }),
    check: (credentialValues) =>
      run(credentialValues, null, async (client, credentials) => ({
        kind: 'connected' as const,
        ...(await calls.check(client, credentials)),
      })),
  };
}
