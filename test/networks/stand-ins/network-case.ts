import type { Credentials, EditablePath } from '../../../src/domain/networks/network-definition.js';
import type { NetworkFailureCode } from '../../../src/domain/networks/network-failures.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { HttpClient } from '../../../src/networks/http-client/http-client.js';
import type {
  ConnectedAccount,
  NetworkAdapter,
} from '../../../src/services/networks/network-ports.js';
import type { PublicationCase } from './publication-case.js';
import type { StandIn } from './stand-in.js';

/** The current time in all network tests. */
export const NOW = new Date('2026-11-21T08:00:00Z');

/** The clock of the stand-ins, which shows NOW. Tests with the database let it show the real time. */
export const standInClock = { now: (): Date => NOW };

/** Stand-in of a network, with the state of its post. */
export interface NetworkStandIn extends StandIn {
  state(): unknown;
}

export interface EditCase {
  readonly name: string;
  readonly post: Partial<Post>;
  readonly changed: readonly EditablePath[];
  /** The network's ID of the post, if this type has another form of it. */
  readonly remoteId?: string;
  /** `METHOD path` of each request, in order. */
  readonly requests: readonly string[];
  /** The part of the state that changes; everything else must stay the same. */
  readonly changedState: object;
}

/** Describes a network to the shared suite. */
export interface NetworkCase {
  readonly network: Network;
  /** Display name in messages. */
  readonly name: string;
  readonly remoteId: string;
  /** Values that must not appear in any message. */
  readonly secrets: readonly string[];
  /** Failures are tested with the first edit. Empty if published posts cannot be edited. */
  readonly edits: readonly EditCase[];
  readonly account: Omit<ConnectedAccount, 'kind'>;
  /** Absent if the service does not publish there. */
  readonly publication?: PublicationCase;
  /** The pause after a 429 that names none; default: none. */
  readonly limitPauseMs?: number;
  /** Failure code of a 404 whose path does not contain the post; default: NETWORK_UNAVAILABLE. */
  readonly unknownPathCode?: NetworkFailureCode;
  /** Body of an error response, as documented by the network. */
  errorBody(status: number, message: string): unknown;
  start(): Promise<NetworkStandIn>;
  adapter(http: HttpClient, url: string): NetworkAdapter;
  credentials(url: string): Credentials;
}
