import type {
  AppClient,
  ConsentWay,
  OauthApp,
  OauthToken,
} from '../../domain/connections/oauth-rules.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Credentials } from '../../domain/networks/network-definition.js';
import type { Network } from '../../domain/networks/networks.js';
import type { ConnectedAccount, NetworkFailure } from '../networks/network-ports.js';

/** An account of the person who gave consent, with all that the gateway needs to use it. */
export interface GrantedIdentity {
  readonly identity: Omit<ConnectedAccount, 'kind'>;
  /** Those of the adapter, with the tokens. */
  readonly credentials: Credentials;
  readonly grantedScopes: readonly string[];
  /** When the access ends unless it is renewed; null if it has no end, or if that is not known. */
  readonly expiresAt: Date | null;
  readonly renewsItself: boolean;
}

/** Why a connection by consent cannot go on. */
export interface ConsentFailure {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  /** One sentence for the user, including the network's own message; contains no secret. */
  readonly message: string;
}

/** What a consent is asked with. */
export interface ConsentRequest {
  readonly way: ConsentWay;
  /** URL of the server of the account, as `readServer` returned it; null for other networks. */
  readonly server: string | null;
  /** Null for networks without apps. */
  readonly client: AppClient | null;
  /** Where the network sends the person back to, without the state. */
  readonly redirectUri: string;
}

/** A consent that a person is asked for. */
export interface AskedConsent {
  readonly kind: 'asked';
  /** Page of the network. */
  readonly authorizeUrl: string;
  /** What is needed when the person comes back, by name. */
  readonly secrets: Credentials;
}

/** How people of a network give consent (D83). Every call ends within 20 seconds. */
export interface ConsentNetwork {
  /** The app of each way; null: the network has no apps, or each server has its own clients. */
  readonly ways: Readonly<Partial<Record<ConsentWay, OauthApp | null>>>;
  /**
   * The server of an account, as typed by a user, in one form. Absent if the network has no servers.
   */
  readServer?(text: string): string | ConsentFailure;
  /** Registers the gateway as a client of a server. Absent unless servers have clients. */
  register?(server: string, redirectUri: string): Promise<AppClient | ConsentFailure>;
  /** Prepares the page that asks for consent. `state` comes back with the person. */
  ask(request: ConsentRequest & { readonly state: string }): Promise<AskedConsent | ConsentFailure>;
  /**
   * Finds the accounts of the person who came back with these parameters, at least one. Changes
   * nothing on the network but using up the code.
   */
  complete(
    request: ConsentRequest & {
      readonly secrets: Credentials;
      readonly parameters: Readonly<Record<string, string>>;
    },
  ): Promise<
    { readonly kind: 'granted'; readonly identities: readonly GrantedIdentity[] } | ConsentFailure
  >;
  /**
   * Renews an access without the person, with its stored credentials. Absent if the network has no
   * renewals. NETWORK_REAUTHORIZATION_NEEDED: the network no longer takes them, and only a person
   * can help. After any other failure, they may have been used up or not.
   */
  renew?(
    credentials: Credentials,
    app: (app: OauthApp) => AppClient | null,
  ): Promise<RenewedToken | NetworkFailure>;
}

/** What an access was renewed with. */
export type RenewedToken = Omit<OauthToken, 'scopes'> & { readonly kind: 'renewed' };

/** The networks whose people connect accounts by consent. */
export type ConsentNetworks = Readonly<Partial<Record<Network, ConsentNetwork>>>;
