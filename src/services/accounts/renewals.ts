import {
  isCheckDue,
  nextCareTime,
  renewalTime,
  renewedAccess,
  warningDue,
} from '../../domain/connections/connection-care.js';
import type { AppClient, OauthApp } from '../../domain/connections/oauth-rules.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import type { AccountStore } from '../../persistence/credentials/account-store.js';
import type { CredentialStore } from '../../persistence/credentials/credential-store.js';
import type {
  ConnectionInCare,
  LockedAccess,
  RenewalStore,
  RenewedAccess,
} from '../../persistence/credentials/renewal-store.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import type { JobHandler } from '../jobs/job-handler.js';
import type {
  ConnectedAccount,
  NetworkAdapter,
  NetworkFailure,
  Networks,
} from '../networks/network-ports.js';
import type { AccountStatusService } from './account-status.js';
import type { ConsentNetworks } from './consent-ports.js';

/** How a renewal ended. `current`: it was not due, or another process did it. */
export type RenewalOutcome = 'renewed' | 'rejected' | 'failed' | 'current';

/** Metrics of renewals. */
export interface RenewalMetrics {
  renewalEnded(outcome: RenewalOutcome): void;
}

/** The access to an account after an attempt to renew it. */
interface RenewalResult {
  readonly outcome: RenewalOutcome;
  readonly access: RenewedAccess | null;
  /** What the account is called with from now on. */
  readonly credentials: Credentials;
  /** Why it could not be renewed. */
  readonly failure: NetworkFailure | null;
}

/** Renews the access to accounts (D86): one renewal at a time for an account. */
export interface Renewals {
  /**
   * Renews an access that is due or, with the credentials that a network has refused, at once. Null
   * if the account is not connected.
   */
  renew(accountId: string, refused?: Credentials): Promise<RenewalResult | null>;
  /**
   * What becomes of an account whose network has refused these credentials. Null if there is
   * nothing newer, and only a person can renew them.
   */
  replace(accountId: string, refused: Credentials): Promise<Replacement | null>;
}

/** Newer credentials, or why the network could not give them now. */
export type Replacement =
  { readonly credentials: Credentials } | { readonly failure: NetworkFailure };

interface RenewalDependencies {
  readonly store: RenewalStore;
  readonly consents: ConsentNetworks;
  /** The client of an app of the operator; null if it is not configured. */
  readonly appClient: (app: OauthApp) => AppClient | null;
  readonly clock: Clock;
  readonly metrics: RenewalMetrics | undefined;
}

/** Creates the renewals over their store. */
export function createRenewals({
  store,
  consents,
  appClient,
  clock,
  metrics,
}: RenewalDependencies): Renewals {
  async function renewLocked(
    { network, credentials, renewAt, renewsItself }: LockedAccess,
    refused: Credentials | undefined,
  ): Promise<RenewalResult> {
    const unchanged = { access: null, credentials, failure: null };
    const isDue = refused
      ? refused['accessToken'] === credentials['accessToken']
      : renewAt !== null && renewAt <= clock.now();
    const renew = consents[network]?.renew;
    if (!isDue || !renewsItself || !renew) return { ...unchanged, outcome: 'current' };
    const answer = await renew(credentials, appClient);
    if (answer.kind === 'failed') {
      const isRejected = answer.code === 'NETWORK_REAUTHORIZATION_NEEDED';
      return { ...unchanged, outcome: isRejected ? 'rejected' : 'failed', failure: answer };
    }
    const now = clock.now();
    const { refreshToken, refreshExpiresAt, ...access } = renewedAccess(answer, credentials, now);
    const next = renewalTime(access, now);
    const renewed: Credentials = {
      ...credentials,
      accessToken: answer.accessToken,
      ...(refreshToken !== undefined && { refreshToken }),
      ...(refreshExpiresAt && { refreshExpiresAt: refreshExpiresAt.toISOString() }),
    };
    return {
      outcome: 'renewed',
      access: {
        ...access,
        credentials: renewed,
        renewAt: next,
        dueAt: nextCareTime(access, { renewAt: next, now }),
      },
      credentials: renewed,
      failure: null,
    };
  }

  async function renew(accountId: string, refused?: Credentials): Promise<RenewalResult | null> {
    const result = await store.renew(accountId, (locked) => renewLocked(locked, refused));
    if (result) metrics?.renewalEnded(result.outcome);
    return result;
  }
  return {
    renew,
    async replace(accountId, refused) {
      const result = await renew(accountId, refused);
      if (!result) return null;
      const { credentials, failure, outcome } = result;
      if (credentials['accessToken'] !== refused['accessToken']) return { credentials };
      return outcome === 'failed' && failure ? { failure: notRenewed(failure) } : null;
    },
  };
}

/** The refused call did nothing, and may succeed once the access can be renewed. */
const notRenewed = (failure: NetworkFailure): NetworkFailure => ({
  ...failure,
  code: 'NETWORK_UNAVAILABLE',
  message: `The access to the account could not be renewed: ${failure.message}`,
  isUnsent: true,
});

/**
 * An adapter whose calls are repeated once with a renewed access, after the network has refused the
 * one that they were made with. A refused call has done nothing.
 */
export function withRenewal(
  adapter: NetworkAdapter,
  renewNow: (refused: Credentials) => Promise<Replacement | null>,
): NetworkAdapter {
  const repeating =
    <
      Call extends { readonly credentials: Credentials },
      Rest extends readonly unknown[],
      Result extends { readonly kind: string },
    >(
      call: (given: Call, ...rest: Rest) => Promise<Result>,
    ) =>
    async (given: Call, ...rest: Rest): Promise<Result> => {
      const result = await call(given, ...rest);
      if (!isRefusal(result)) return result;
      const replacement = await renewNow(given.credentials);
      if (!replacement) return result;
      return 'credentials' in replacement
        ? call({ ...given, credentials: replacement.credentials }, ...rest)
        : // Each of these calls can fail in this way.
          (replacement.failure as unknown as Result);
    };
  const { publisher, numbers } = adapter;
  return {
    ...adapter,
    edit: repeating(adapter.edit),
    async check(credentials) {
      return repeating((given: { readonly credentials: Credentials }) =>
        adapter.check(given.credentials),
      )({ credentials });
    },
    ...(numbers && {
      numbers: {
        ...numbers,
        read: (account, credentials, posts) =>
          repeating((given: { readonly credentials: Credentials }) =>
            numbers.read(account, given.credentials, posts),
          )({ credentials }),
      },
    }),
    ...(publisher && {
      publisher: {
        ...publisher,
        prepare: repeating(publisher.prepare),
        publish: repeating(publisher.publish),
        look: repeating(publisher.look),
        remove: repeating(publisher.remove),
      },
    }),
  };
}

const isRefusal = (result: { readonly kind: string; readonly code?: string }): boolean =>
  result.kind === 'failed' && result.code === 'NETWORK_REAUTHORIZATION_NEEDED';

interface CareDependencies {
  readonly store: RenewalStore;
  readonly renewals: Renewals;
  readonly networks: Networks;
  readonly accounts: Pick<AccountStore, 'recordCheck'>;
  readonly credentials: Pick<CredentialStore, 'open'>;
  readonly accountStatus: Pick<AccountStatusService, 'markNeedsReauth'>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Logs an error that an operator has to look at. */
  readonly logError: (error: unknown, message: string) => void;
}

/** An attempt starts work for this long. */
const ATTEMPT_MS = 60_000;
/** After this, a renewal or a check that failed for a while is repeated. */
const RETRY_MS = 300_000;

/**
 * Looks after the connections that are due: renews the access, asks the network once a day, and
 * warns of an access that only a person can renew.
 */
export function createConnectionCare(dependencies: CareDependencies): JobHandler {
  const { store, renewals, networks, accounts, accountStatus, ids, clock } = dependencies;
  const newId = (): string => ids.prefixed('ntf');

  /** The network does not take the access any more: only a person can help. */
  async function lose(connection: ConnectionInCare, problem: string): Promise<void> {
    const { accountId, network, name } = connection;
    await accounts.recordCheck(accountId, { at: clock.now(), problem });
    await accountStatus.markNeedsReauth(accountId);
    await store.setDue(accountId, null);
    await store.tell(connection, {
      warnedDays: null,
      kind: 'account_reauthorization_needed',
      message: `${NETWORKS[network].name} no longer accepts ${name}. Connect the account again; its scheduled posts wait until then.`,
      at: clock.now(),
      newId,
    });
  }

  async function warn(connection: ConnectionInCare): Promise<void> {
    const { network, name, expiresAt } = connection;
    const warnedDays = warningDue(connection, clock.now());
    if (warnedDays === null || warnedDays === connection.warnedDays) return;
    await store.tell(connection, {
      warnedDays,
      kind: 'account_expiring',
      message: `The access to ${name} on ${NETWORKS[network].name} ends on ${expiresAt!.toISOString().slice(0, 10)}. Connect the account again before then.`,
      at: clock.now(),
      newId,
    });
  }

  /** Asks the network for the account. Returns why the access is lost; null if it is not. */
  async function check(connection: ConnectionInCare): Promise<string | null> {
    const { accountId, network, socialId } = connection;
    const opened = await dependencies.credentials.open(accountId);
    if (opened instanceof Error) throw opened;
    const adapter = networks[network];
    if (opened === null || !adapter) return null;
    const answer = await withRenewal(adapter, (refused) =>
      renewals.replace(accountId, refused),
    ).check(opened);
    if (isRefusal(answer)) return (answer as NetworkFailure).message;
    const problem =
      answer.kind === 'failed' ? answer.message : problemOf(answer as ConnectedAccount, socialId);
    await accounts.recordCheck(accountId, { at: clock.now(), problem });
    return null;
  }

  async function lookAfter(connection: ConnectionInCare): Promise<void> {
    const { accountId } = connection;
    const result = await renewals.renew(accountId);
    if (result?.outcome === 'rejected') return lose(connection, result.failure!.message);
    const now = clock.now();
    if (result?.outcome === 'failed') {
      const { expiresAt } = connection;
      if (expiresAt !== null && expiresAt <= now)
        await accounts.recordCheck(accountId, {
          at: now,
          problem: notRenewed(result.failure!).message,
        });
      return store.setDue(accountId, new Date(now.getTime() + RETRY_MS));
    }
    if (result?.outcome === 'renewed' && !isCheckDue(connection, now)) return;
    await warn(connection);
    const lost = await check(connection);
    if (lost !== null) return lose(connection, lost);
    await store.setDue(
      accountId,
      nextCareTime(result?.access ?? connection, { renewAt: null, now }),
    );
  }

  return async (run) => {
    const startedAt = performance.now();
    while (performance.now() - startedAt < ATTEMPT_MS && (await run.renew())) {
      const connection = await store.take();
      if (!connection) break;
      await lookAfter(connection).catch((error: unknown) =>
        dependencies.logError(error, `Failed to look after the account ${connection.accountId}`),
      );
    }
    return { kind: 'completed', failures: [] };
  };
}

const problemOf = ({ socialId, name }: ConnectedAccount, expected: string): string | null =>
  socialId === expected
    ? null
    : `The credentials now belong to another account, ${name}. Connect the account again.`;
