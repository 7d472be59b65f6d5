import {
  ACCOUNT_HEALTHS,
  CONNECT_METHODS,
  MAX_CREDENTIAL_LENGTH,
  type AccountConnection,
  type CredentialEntry,
} from '../../domain/connections/account-connection.js';
import type { ConnectLink } from '../../domain/connections/connect-link.js';
import {
  CONNECTION_LIMITS,
  CONNECTION_STATUSES,
  type Connection,
  type ConnectionChoice,
} from '../../domain/connections/connection.js';
import { ERRORS } from '../../domain/errors.js';
import { enumKeys } from '../../domain/enums.js';
import { flag, line, oneOf } from '../../domain/input/readers.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { timestamp, timestampOrNull } from '../../domain/timestamp.js';
import { field, presentFields, schemaOf } from '../body-fields.js';
import {
  listReader,
  nullableReader,
  objectReader,
  TIME,
  type BodyReader,
} from '../../http/body-readers.js';
import {
  arrayOf,
  BOOLEAN,
  enumOf,
  nullable,
  objectOf,
  TEXT,
  TIMESTAMP,
  withDescription,
  type JsonSchema,
} from '../../http/json-schema.js';
import { ACCOUNT } from '../workspaces.js';

const CONNECTION = {
  method: field(enumOf(enumKeys(CONNECT_METHODS)), ({ method }: AccountConnection) => method),
  health: field(enumOf(enumKeys(ACCOUNT_HEALTHS)), ({ health }: AccountConnection) => health),
  message: field(
    withDescription('What is wrong, in one sentence.', nullable(TEXT)),
    ({ message }: AccountConnection) => message,
  ),
  granted_scopes: field(
    withDescription('As the network names them.', arrayOf(TEXT)),
    ({ grantedScopes }: AccountConnection) => grantedScopes,
  ),
  expires_at: field(
    withDescription(
      'When the access ends unless it is renewed. Null if it has no end, or if that is not known.',
      nullable(TIMESTAMP),
    ),
    ({ expiresAt }: AccountConnection) => timestampOrNull(expiresAt),
  ),
  renews_itself: field(
    withDescription('Whether the gateway renews the access before it ends.', BOOLEAN),
    ({ renewsItself }: AccountConnection) => renewsItself,
  ),
  checked_at: field(
    withDescription('When the network was last asked.', nullable(TIMESTAMP)),
    ({ checkedAt }: AccountConnection) => timestampOrNull(checkedAt),
  ),
};

/** An account with its connection. */
interface ConnectedAccount {
  readonly account: Account;
  readonly connection: AccountConnection | null;
}

const CONNECTED_ACCOUNT = {
  ...Object.fromEntries(
    Object.entries(ACCOUNT).map(([name, { schema, present }]) => [
      name,
      field(schema, ({ account }: ConnectedAccount) =>
        present({ account, isSensitiveVisible: true }),
      ),
    ]),
  ),
  connection: field(
    nullable(schemaOf(CONNECTION)),
    ({ connection }: ConnectedAccount) => connection && presentFields(CONNECTION, connection),
  ),
};

/** Presents an account with its connection, for owners and admins. */
export const presentConnectedAccount = (connected: ConnectedAccount): Record<string, unknown> =>
  presentFields(CONNECTED_ACCOUNT, connected);

const NETWORK_NAMES = enumKeys<Network>(NETWORKS);
/** Reads a network. */
export const NETWORK: BodyReader<Network> = {
  schema: enumOf(NETWORK_NAMES),
  read: oneOf(NETWORK_NAMES),
};
const NAME = { maxLength: 100 } as const;
const VALUE = { maxLength: MAX_CREDENTIAL_LENGTH } as const;
const ACCOUNT_ID: BodyReader<string> = {
  schema: withDescription(
    'Account to connect. By default, the account of the workspace that the network reports, which is created if needed.',
    TEXT,
  ),
  read: line(NAME),
};

/** Credentials of an account of a network. */
interface EnteredCredentials {
  network: Network;
  credentials: CredentialEntry[];
}
const ENTERED_CREDENTIALS = {
  network: NETWORK,
  credentials: listReader<CredentialEntry>(
    objectReader<CredentialEntry>(
      {
        name: { schema: { ...TEXT, ...NAME }, read: line(NAME) },
        value: {
          schema: withDescription('It is never returned.', { ...TEXT, ...VALUE }),
          read: line(VALUE),
        },
      },
      ['name', 'value'],
    ),
    { minItems: 1, maxItems: 10 },
  ),
};

/** Body of a connection by credentials. */
export const CONNECT_READER = objectReader<EnteredCredentials & { account_id?: string | null }>(
  { ...ENTERED_CREDENTIALS, account_id: nullableReader(ACCOUNT_ID) },
  ['network', 'credentials'],
);
/** The same on the page of a connect link, which connects any account. */
export const LINK_CONNECT_READER = objectReader<EnteredCredentials>(ENTERED_CREDENTIALS, [
  'network',
  'credentials',
]);

const CHOICE = {
  id: field(TEXT, ({ id }: ConnectionChoice) => id),
  name: field(TEXT, ({ name }: ConnectionChoice) => name),
  kind: field(
    withDescription('Account type, such as page or channel.', TEXT),
    ({ kind }: ConnectionChoice) => kind,
  ),
  picture: field(nullable(TEXT), ({ picture }: ConnectionChoice) => picture),
  account_id: field(
    withDescription('Account of the workspace that it already is.', nullable(TEXT)),
    ({ accountId }: ConnectionChoice) => accountId,
  ),
};

/** A connection, with the page of the network after its start. */
type ShownConnection = Connection & { readonly authorizeUrl?: string };

const CONSENT = {
  id: field(TEXT, ({ id }: ShownConnection) => id),
  network: field(enumOf(NETWORK_NAMES), ({ network }: ShownConnection) => network),
  status: field(enumOf(enumKeys(CONNECTION_STATUSES)), ({ status }: ShownConnection) => status),
  authorize_url: field(
    withDescription(
      'Page of the network where the person gives consent. Only in the response to the start.',
      nullable(TEXT),
    ),
    ({ authorizeUrl }: ShownConnection) => authorizeUrl ?? null,
  ),
  expires_at: field(TIMESTAMP, ({ expiresAt }: ShownConnection) => timestamp(expiresAt)),
  choices: field(
    withDescription(
      'Accounts that the person can connect. Empty unless they have several.',
      arrayOf(schemaOf(CHOICE)),
    ),
    ({ choices }: ShownConnection) => choices.map((choice) => presentFields(CHOICE, choice)),
  ),
  account_ids: field(
    withDescription('Accounts that were connected.', arrayOf(TEXT)),
    ({ accountIds }: ShownConnection) => accountIds,
  ),
  error: field(
    withDescription(
      'Why it failed.',
      nullable(objectOf({ code: enumOf(enumKeys(ERRORS)), message: TEXT })),
    ),
    ({ error }: ShownConnection) => error && { code: error.code, message: error.message },
  ),
};

/** Presents a connection by consent. */
export const presentConnection = (connection: ShownConnection): Record<string, unknown> =>
  presentFields(CONSENT, connection);

const SERVER = { maxLength: 500 } as const;
const RETURN_URL = { maxLength: CONNECTION_LIMITS.urlLength } as const;

/** What a connection by consent is started for. */
export interface StartTarget {
  network: Network;
  server?: string | null;
  login?: Network | null;
  pages?: boolean | null;
}
const START_TARGET = {
  network: NETWORK,
  server: nullableReader({
    schema: withDescription(
      'Address of the Mastodon server or the WordPress blog. Null for other networks.',
      { ...TEXT, ...SERVER },
    ),
    read: line(SERVER),
  }),
  login: nullableReader(NETWORK),
  pages: nullableReader({
    schema: withDescription(
      'Whether pages are connected that the person administers, instead of their profile. For LinkedIn.',
      BOOLEAN,
    ),
    read: flag,
  }),
};

interface StartInput extends StartTarget {
  account_id?: string | null;
  return_url?: string | null;
}
/** Body of the start of a connection by consent. */
export const START_READER = objectReader<StartInput>(
  {
    ...START_TARGET,
    account_id: nullableReader(ACCOUNT_ID),
    return_url: nullableReader({
      schema: withDescription(
        'URL to which the person is sent at the end, with the parameters `connection`, `status` and `code`.',
        { ...TEXT, ...RETURN_URL },
      ),
      read: line(RETURN_URL),
    }),
  },
  ['network'],
);
/** The same on the page of a connect link, which connects any account and returns to itself. */
export const LINK_START_READER = objectReader<StartTarget>(START_TARGET, ['network']);

/** Body of the choice of accounts. */
export const FINISH_READER = objectReader<{ choices: string[] }>(
  {
    choices: listReader<string>(
      { schema: TEXT, read: line(NAME) },
      { minItems: 1, maxItems: CONNECTION_LIMITS.choices },
    ),
  },
  ['choices'],
);

const CONNECT_LINK = {
  id: field(TEXT, ({ id }: ConnectLink) => id),
  networks: field(
    withDescription(
      'The networks whose accounts can be connected.',
      arrayOf(enumOf(NETWORK_NAMES)),
    ),
    ({ networks }: ConnectLink) => networks,
  ),
  expires_at: field(TIMESTAMP, ({ expiresAt }: ConnectLink) => timestamp(expiresAt)),
  revoked: field(BOOLEAN, ({ revoked }: ConnectLink) => revoked),
};
/** Presents a link without its secret. */
export const presentConnectLink = (link: ConnectLink): Record<string, unknown> =>
  presentFields(CONNECT_LINK, link);

interface CreatedConnectLink {
  readonly link: ConnectLink;
  readonly url: string;
}
const CREATED_CONNECT_LINK = {
  link: field(schemaOf(CONNECT_LINK), ({ link }: CreatedConnectLink) => presentConnectLink(link)),
  url: field(
    withDescription('Address to send to the owner of the account. It is only returned here.', TEXT),
    ({ url }: CreatedConnectLink) => url,
  ),
};
/** Presents a new link with its secret. */
export const presentCreatedConnectLink = (created: CreatedConnectLink): Record<string, unknown> =>
  presentFields(CREATED_CONNECT_LINK, created);

/** Body of the creation of a connect link. */
export const CONNECT_LINK_READER = objectReader<{
  networks?: Network[] | null;
  expires_at?: Date | null;
}>(
  {
    networks: nullableReader(
      listReader<Network>(NETWORK, { minItems: 1, maxItems: NETWORK_NAMES.length }),
    ),
    expires_at: nullableReader(TIME),
  },
  [],
);

/** Schemas of connections by component name. */
export const CONNECTION_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  StartConnection: START_READER.schema,
  FinishConnection: FINISH_READER.schema,
  Connection: schemaOf(CONSENT),
  ConnectAccount: CONNECT_READER.schema,
  ConnectedAccount: schemaOf(CONNECTED_ACCOUNT),
  CreateConnectLink: CONNECT_LINK_READER.schema,
  ConnectLink: schemaOf(CONNECT_LINK),
  CreatedConnectLink: schemaOf(CREATED_CONNECT_LINK),
  ConnectLinkList: objectOf({ links: arrayOf(schemaOf(CONNECT_LINK)) }),
};
