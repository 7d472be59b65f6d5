import type {
  ConnectedAccount,
  CredentialField,
  Credentials,
  NetworkAdapter,
  NetworkEdit,
  NetworkFailure,
} from '../services/networks/network-ports.js';
import type { ErrorMapping } from './http-client/network-response.js';
import { withNetworkClient, type NetworkClient } from './http-client/network-client.js';
import type { HttpClient } from './http-client/http-client.js';
import { createPublisher, type PublisherDefinition } from './publisher.js';

/**
 * Definition of a network, from which `createAdapter` creates the adapter. Client libraries are
 * loaded with the first edit or check, so that they do not delay startup.
 */
export interface NetworkDefinition<Field extends string, Api> {
  readonly errors: ErrorMapping;
  readonly verified: boolean;
  readonly note: string | null;
  readonly credentials: Readonly<Record<Field, Omit<CredentialField, 'name'>>>;
  /** Pattern of the network's post IDs. They are validated because they become part of URLs. */
  readonly remoteId: RegExp;
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
}

/**
 * Creates the adapter of a network. Credentials and IDs are validated before anything is sent.
 * Failures are returned, not thrown.
 */
export function createAdapter<Field extends string, Api = never>(
  http: HttpClient,
  { errors, remoteId, ...network }: NetworkDefinition<Field, Api>,
): NetworkAdapter {
  const failure = (code: NetworkFailure['code'], message: string): NetworkFailure => ({
    kind: 'failed',
    code,
    message,
  });
  const fieldNames = Object.keys(network.credentials) as Field[];
  const run = <T>(
    values: Credentials,
    postId: string | null,
    work: (client: NetworkClient, credentials: Record<Field, string>) => Promise<T>,
  ): Promise<T | NetworkFailure> => {
    const credentials = Object.fromEntries(
      fieldNames.map((name) => [name, values[name]?.trim() ?? '']),
    ) as Record<Field, string>;
    const missing = fieldNames.filter(
      (name) => credentials[name] === '' && !network.credentials[name].optional,
    );
    if (missing.length > 0)
      return Promise.resolve(
        failure(
          'NETWORK_NOT_CONNECTED',
          `Missing credentials for ${errors.networkName}: ${missing.join(', ')}.`,
        ),
      );
    const secrets = fieldNames
      .filter((name) => network.credentials[name].secret)
      .map((name) => credentials[name]);
    return withNetworkClient(http, { errors, remoteId: postId, secrets }, (client) =>
      work(client, credentials),
    );
  };
  const invalidPostId = (id: string): NetworkFailure | null =>
    remoteId.test(id)
      ? null
      : failure(
          'NETWORK_POST_UNKNOWN',
          `${JSON.stringify(id)} is not a valid ${errors.networkName} post ID.`,
        );
  const publisher = network.publisher && createPublisher(network.publisher, run);
  return {
    verified: network.verified,
    note: network.note,
    credentialFields: fieldNames.map((name) => ({ name, ...network.credentials[name] })),
    async edit(edit) {
      const invalid = invalidPostId(edit.remoteId);
      if (invalid) return invalid;
      if (!network.edit)
        return failure('NETWORK_REFUSED', `Posts on ${errors.networkName} cannot be edited.`);
      return run(edit.credentials, edit.remoteId, async (client, credentials) => {
        await network.edit!(client, edit, credentials);
        return { kind: 'edited' as const };
      });
    },
    ...(publisher && {
      publisher: {
        ...publisher,
        remove: async (live) => invalidPostId(live.remoteId) ?? publisher.remove(live),
      },
    }),
    check: (credentialValues) =>
      run(credentialValues, null, async (client, credentials) => ({
        kind: 'connected' as const,
        ...(await network.check(client, credentials)),
      })),
  };
}
