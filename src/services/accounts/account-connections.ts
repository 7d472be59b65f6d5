import {
  canManageConnections,
  toActor,
  type Actor,
  type Viewer,
} from '../../domain/access/viewer.js';
import {
  toAccountConnection,
  type AccountConnection,
} from '../../domain/connections/account-connection.js';
import type { Role } from '../../domain/enums.js';
import type { Refusal } from '../../domain/errors.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import { NETWORKS, type Network } from '../../domain/networks/networks.js';
import { isPrefixedId, type Account } from '../../domain/posts/post.js';
import type {
  AccountRecord,
  AccountStore,
  AccountToConnect,
} from '../../persistence/credentials/account-store.js';
import type { CredentialStore } from '../../persistence/credentials/credential-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { ConnectedAccount, NetworkFailure, Networks } from '../networks/network-ports.js';
import type { AccountStatusService } from './account-status.js';
import { withRenewal, type Renewals } from './renewals.js';

/** Who connects accounts: a viewer, or an operator in the role of the owner. */
export interface ConnectionManager {
  readonly workspace: { readonly id: string };
  readonly role: Role;
  readonly actor: Actor;
}

/** A viewer as the manager of the accounts of their workspace. */
export const toConnectionManager = (viewer: Viewer): ConnectionManager => ({
  workspace: viewer.workspace,
  role: viewer.role,
  actor: toActor(viewer),
});

/** Result of a change of connections. A refused one changes nothing. */
export type ConnectionOutcome<Result> =
  | ({ readonly kind: 'done' } & Result)
  | { readonly kind: 'refused'; readonly refusals: readonly [Refusal, ...Refusal[]] };

/** Credentials to connect an account with. */
export interface ConnectRequest {
  readonly network: Network;
  readonly credentials: Credentials;
  /** The account to connect; by default the one with the network's ID, or a new one. */
  readonly accountId?: string | null;
  /** Replaces the network's name of the account. */
  readonly name?: string | undefined;
}

/** An account that was connected. */
export interface Connected {
  readonly account: Account;
  readonly isNew: boolean;
  /** How many posts returned from their …_reauth state. */
  readonly restored: number;
}

/** The connections of accounts with their networks (D82), which owners and admins manage. */
export interface AccountConnections {
  /**
   * The connections of accounts that are or were connected, by account ID. Sandbox accounts have
   * none.
   */
  byAccount(accountIds: readonly string[]): Promise<ReadonlyMap<string, AccountConnection>>;
  /**
   * Asks the network for the account of the credentials, and stores them with that account, which
   * is created if it does not exist. Credentials that the network rejects are not stored. An
   * account that needed reauthorization is reconnected (D22).
   */
  connect(
    manager: ConnectionManager,
    request: ConnectRequest,
  ): Promise<ConnectionOutcome<Connected>>;
  /** Deletes the credentials of an account. The account and its posts remain. */
  disconnect(
    manager: ConnectionManager,
    accountId: string,
  ): Promise<ConnectionOutcome<{ readonly account: Account; readonly wasConnected: boolean }>>;
  /**
   * Asks the network whether it accepts the credentials of an account, and remembers its answer.
   * Also done if it does not: the connection says why.
   */
  check(
    manager: ConnectionManager,
    accountId: string,
  ): Promise<ConnectionOutcome<{ readonly account: Account }>>;
}

export interface AccountConnectionDependencies {
  readonly networks: Networks;
  readonly accounts: AccountStore;
  readonly credentials: Pick<CredentialStore, 'assertReady' | 'open'>;
  readonly accountStatus: AccountStatusService;
  readonly renewals: Pick<Renewals, 'replace'>;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Refuses a change. `path`: of the field in the input. */
export const refuseConnection = (
  code: Refusal['code'],
  message: string,
  path: readonly string[] = [],
): Extract<ConnectionOutcome<unknown>, { kind: 'refused' }> => ({
  kind: 'refused',
  refusals: [{ code, message, path, rule: 'D82' }],
});

/** What is refused to other roles; null for owners and admins. */
export const roleRefusal = ({
  role,
}: ConnectionManager): ReturnType<typeof refuseConnection> | null =>
  canManageConnections(role)
    ? null
    : refuseConnection(
        'FORBIDDEN',
        'Only owners and admins of the workspace can connect and disconnect its accounts.',
      );

/** What is refused to other roles, and while no key can encrypt credentials. */
export const connectRefusal = async (
  manager: ConnectionManager,
  { credentials }: Pick<AccountConnectionDependencies, 'credentials'>,
): Promise<ReturnType<typeof refuseConnection> | null> =>
  roleRefusal(manager) ??
  credentials.assertReady().then(
    () => null,
    (error: Error) => refuseConnection('NOT_CONFIGURED', `${error.message}.`),
  );

/** A request is answered within 25 s, with time to store the result. */
const NETWORK_TIMEOUT_MS = 20_000;

/** The answer of a network, or that there was none in time. */
async function withinTime(
  network: Network,
  answer: Promise<ConnectedAccount | NetworkFailure>,
): Promise<ConnectedAccount | NetworkFailure> {
  const failure: NetworkFailure = {
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    message: `${NETWORKS[network].name} did not respond within ${NETWORK_TIMEOUT_MS / 1000} seconds.`,
  };
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<NetworkFailure>((resolve) => {
    timer = setTimeout(() => resolve(failure), NETWORK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

const presentFailure = ({ code, message }: NetworkFailure): string => `${message} (${code})`;

/** Attempts to connect, as another account may be created meanwhile. */
const MAX_ATTEMPTS = 3;

/** An identity on a network, and what it is connected with. */
export interface IdentityToConnect extends Omit<AccountToConnect, 'account'> {
  readonly identity: Omit<ConnectedAccount, 'kind'>;
  /** Replaces the network's name of the account. */
  readonly name?: string | undefined;
}

/** Where identities are connected. */
interface ConnectTarget {
  readonly network: Network;
  /** The account to connect, if there is one identity. */
  readonly accountId: string | null;
  /** The field of the input that names the identity. */
  readonly path: readonly string[];
}

/**
 * Stores identities as accounts of the workspace: all of them or none. Posts that waited for
 * reauthorization return to their states.
 */
export async function connectIdentities(
  dependencies: Pick<AccountConnectionDependencies, 'accounts' | 'accountStatus' | 'ids'>,
  manager: ConnectionManager,
  { target, identities }: { target: ConnectTarget; identities: readonly IdentityToConnect[] },
): Promise<ConnectionOutcome<{ readonly connected: readonly Connected[] }>> {
  const { accounts, accountStatus, ids } = dependencies;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await findAccounts(accounts, manager, { target, identities });
    if (found.kind === 'refused') return found;
    const toConnect = found.existing.map((existing, index) => {
      const { identity, name, ...connection } = identities[index]!;
      return {
        ...connection,
        account: toAccount(existing, ids, { network: target.network, name, identity }),
      };
    });
    const result = await accounts.connect(manager.workspace.id, toConnect, manager.actor);
    if (result === 'elsewhere')
      return refuseConnection(
        'WRONG_IDENTITY',
        `This ${NETWORKS[target.network].name} account is connected in another workspace. Disconnect it there first.`,
        target.path,
      );
    if (result === 'changed') continue;
    const connected: Connected[] = [];
    for (const [index, { account }] of toConnect.entries()) {
      const isNew = found.existing[index] === null;
      const restored = isNew ? 0 : await accountStatus.markReconnected(account.id, manager.actor);
      connected.push({ account, isNew, restored });
    }
    return { kind: 'done', connected };
  }
  return refuseConnection('CONFLICT', 'The account was changed meanwhile. Try again.', target.path);
}

/** The account of each identity; null if it has to be created. */
async function findAccounts(
  accounts: Pick<AccountStore, 'find'>,
  { workspace }: ConnectionManager,
  {
    target: { network, accountId, path },
    identities,
  }: { target: ConnectTarget; identities: readonly IdentityToConnect[] },
): Promise<ConnectionOutcome<{ readonly existing: readonly (AccountRecord | null)[] }>> {
  const existing: (AccountRecord | null)[] = [];
  for (const { identity } of identities) {
    const { socialId } = identity;
    const account =
      accountId === null
        ? await accounts.find({ workspaceId: workspace.id, network, socialId })
        : await findAccount(accounts, workspace.id, accountId);
    if (!account && accountId !== null) return refuseUnknown(accountId, 'accountId');
    const refusal =
      account &&
      (mismatch(account, { network, identity, path }) ??
        (await takenBy(accounts, account, { identity, path })));
    if (refusal) return refusal;
    existing.push(account);
  }
  return { kind: 'done', existing };
}

const findAccount = async (
  accounts: Pick<AccountStore, 'find'>,
  workspaceId: string,
  id: string,
): Promise<AccountRecord | null> =>
  isPrefixedId('acc', id) ? accounts.find({ workspaceId, id }) : null;

const refuseUnknown = (id: string, path: string) =>
  refuseConnection('RULE_VIOLATION', `The workspace has no account ${JSON.stringify(id)}.`, [path]);

/** Why an identity does not belong to an account; null if it may. */
function mismatch(
  existing: AccountRecord,
  {
    network,
    identity: { socialId, name },
    path,
  }: Pick<ConnectTarget, 'network' | 'path'> & Pick<IdentityToConnect, 'identity'>,
): ReturnType<typeof refuseConnection> | null {
  if (existing.network !== network)
    return refuseConnection(
      'WRONG_IDENTITY',
      `${existing.id} is an account on ${NETWORKS[existing.network].name}, not on ${NETWORKS[network].name}.`,
      ['accountId'],
    );
  if (existing.sandbox)
    return refuseConnection(
      'RULE_VIOLATION',
      `${existing.id} is on the sandbox network, so that it needs no connection.`,
      ['accountId'],
    );
  // An account that was never connected has a provisional social ID, which the network's one
  // replaces.
  if (existing.connectedAt && existing.socialId !== socialId)
    return refuseConnection(
      'WRONG_IDENTITY',
      `The credentials belong to ${name} (${socialId}), but ${existing.id} is ${existing.name} (${existing.socialId}).`,
      path,
    );
  return null;
}

/** Refuses an identity that another account of the workspace has. */
async function takenBy(
  accounts: Pick<AccountStore, 'find'>,
  { id, workspaceId, network }: AccountRecord,
  {
    identity: { socialId },
    path,
  }: Pick<ConnectTarget, 'path'> & Pick<IdentityToConnect, 'identity'>,
): Promise<ReturnType<typeof refuseConnection> | null> {
  const other = await accounts.find({ workspaceId, network, socialId });
  return other && other.id !== id
    ? refuseConnection(
        'WRONG_IDENTITY',
        `The credentials belong to ${other.name}, which is the account ${other.id} of the workspace.`,
        path,
      )
    : null;
}

function toAccount(
  existing: AccountRecord | null,
  ids: Ids,
  { network, name, identity }: { network: Network } & Pick<IdentityToConnect, 'identity' | 'name'>,
): Account {
  const { socialId, picture } = identity;
  if (!existing)
    return {
      id: ids.prefixed('acc'),
      network,
      type: identity.type,
      name: name ?? identity.name,
      socialId,
      picture,
      needsReauth: false,
      sandbox: false,
    };
  const { workspaceId: _workspaceId, connectedAt: _connectedAt, ...account } = existing;
  // The type is kept as well: daily caps depend on it (D39).
  return { ...account, name: name ?? existing.name, socialId, picture, needsReauth: false };
}

/** Creates the use cases of connections. */
export function createAccountConnections(
  dependencies: AccountConnectionDependencies,
): AccountConnections {
  const { networks, accounts, credentials, accountStatus, renewals, clock } = dependencies;

  /** Remembers what the network says about an account, and what follows for its posts. */
  async function recordAnswer(
    manager: ConnectionManager,
    { id, socialId, needsReauth }: Account,
    answer: ConnectedAccount | NetworkFailure,
  ): Promise<void> {
    const isRejected = answer.kind === 'failed' && answer.code === 'NETWORK_REAUTHORIZATION_NEEDED';
    const problem =
      answer.kind === 'failed'
        ? answer.message
        : answer.socialId === socialId
          ? null
          : `The credentials now belong to another account, ${answer.name}. Connect the account again.`;
    await accounts.recordCheck(id, { at: clock.now(), problem });
    if (isRejected) await accountStatus.markNeedsReauth(id);
    else if (needsReauth && problem === null)
      await accountStatus.markReconnected(id, manager.actor);
  }

  return {
    async byAccount(accountIds) {
      const now = clock.now();
      const facts = await accounts.facts(accountIds);
      return new Map([...facts].map(([id, known]) => [id, toAccountConnection(known, now)]));
    },

    async connect(manager, { network, credentials: given, accountId = null, name }) {
      const refusal = await connectRefusal(manager, dependencies);
      if (refusal) return refusal;
      const adapter = networks[network];
      if (!adapter)
        return refuseConnection(
          'RULE_VIOLATION',
          `${NETWORKS[network].name} accounts cannot be connected by credentials.`,
          ['network'],
        );
      const answer = await withinTime(network, adapter.check(given));
      if (answer.kind === 'failed')
        return refuseConnection('RULE_VIOLATION', presentFailure(answer), ['credentials']);
      const outcome = await connectIdentities(dependencies, manager, {
        target: { network, accountId, path: ['credentials'] },
        identities: [
          {
            identity: answer,
            name,
            credentials: given,
            method: 'credentials',
            grantedScopes: [],
            expiresAt: null,
            renewsItself: false,
          },
        ],
      });
      return outcome.kind === 'refused' ? outcome : { kind: 'done', ...outcome.connected[0]! };
    },

    async disconnect(manager, accountId) {
      const refusal = roleRefusal(manager);
      if (refusal) return refusal;
      const account = await findAccount(accounts, manager.workspace.id, accountId);
      if (!account) return refuseUnknown(accountId, 'id');
      const wasConnected = await accounts.disconnect(accountId, manager.actor);
      return { kind: 'done', account, wasConnected };
    },

    async check(manager, accountId) {
      const refusal = roleRefusal(manager);
      if (refusal) return refusal;
      const account = await findAccount(accounts, manager.workspace.id, accountId);
      if (!account) return refuseUnknown(accountId, 'id');
      const adapter = networks[account.network];
      const opened = account.sandbox || !adapter ? null : await credentials.open(accountId);
      if (opened === null)
        return refuseConnection('RULE_VIOLATION', 'The account is not connected.', ['id']);
      if (opened instanceof Error)
        return refuseConnection(
          'NOT_CONFIGURED',
          'The gateway cannot decrypt the credentials of the account. Its operator has to restore the key in CREDENTIALS_KEY.',
          ['id'],
        );
      const renewing = withRenewal(adapter!, (refused) => renewals.replace(accountId, refused));
      const answer = await withinTime(account.network, renewing.check(opened));
      await recordAnswer(manager, account, answer);
      return { kind: 'done', account: (await accounts.find({ id: accountId })) ?? account };
    },
  };
}
