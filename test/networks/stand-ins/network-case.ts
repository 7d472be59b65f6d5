import type { EditablePath } from '../../../src/domain/rules/edit-rules.js';
import type { NetworkFailureCode } from '../../../src/domain/networks/network-failures.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { Web } from '../../../src/networks/http-client/web.js';
import type {
  ConnectedAccount,
  Credentials,
  NetworkAdapter,
} from '../../../src/services/networks/network-ports.js';
import type { StandIn } from './stand-in.js';

/** When every test of the networks takes place. */
export const NOW = new Date('2026-11-21T08:00:00Z');

/** A network's stand-in with what it shows of the post. */
export interface NetworkStandIn extends StandIn {
  shown(): unknown;
}

export interface EditCase {
  readonly name: string;
  readonly post: Partial<Post>;
  readonly changed: readonly EditablePath[];
  /** `METHOD path` of each request, in order. */
  readonly requests: readonly string[];
  /** The part of what the network shows that is new; all else stays. */
  readonly shown: object;
}

/** What the shared suite has to know of a network. */
export interface NetworkCase {
  readonly network: Network;
  /** As messages call it. */
  readonly name: string;
  readonly remoteId: string;
  /** What no message may hold. */
  readonly secrets: readonly string[];
  /** The first is the one that failures are played to. */
  readonly edits: readonly EditCase[];
  readonly account: Omit<ConnectedAccount, 'kind'>;
  /** What 404 means to requests that do not name the post in their path. */
  readonly unknownAddress?: NetworkFailureCode;
  /** A refusal's body as the network documents it. */
  refusal(status: number, words: string): unknown;
  open(): Promise<NetworkStandIn>;
  adapter(web: Web, url: string): NetworkAdapter;
  credentials(url: string): Credentials;
}
