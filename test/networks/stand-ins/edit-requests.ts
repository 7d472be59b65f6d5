import type { EditablePath } from '../../../src/domain/networks/network-definition.js';
import type { Post } from '../../../src/domain/posts/post.js';
import {
  createHttpClient,
  type HttpClient,
} from '../../../src/networks/http-client/http-client.js';
import type { EditResult } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { NOW, type NetworkCase } from './network-case.js';
import type { StandIn } from './stand-in.js';

/** HTTP client for tests: loopback is allowed, and the clock shows NOW. */
export const createTestHttpClient = (): HttpClient =>
  createHttpClient({ allowLoopback: true, clock: { now: () => NOW } });

/** Edits the post on a stand-in, with the credentials of its network case. */
export const editOn =
  (
    http: HttpClient,
    { network, remoteId, adapter, credentials }: NetworkCase,
    { url }: Pick<StandIn, 'url'>,
  ) =>
  (post: Partial<Post>, ...changed: EditablePath[]): Promise<EditResult> =>
    adapter(http, url).edit({
      account: aPost().account!,
      credentials: credentials(url),
      remoteId,
      post: aPost({ network, storedState: 'published_posted', ...post }),
      changed: new Set(changed),
    });

/** Code and message of a failure, or the kind of any other result. */
export const outcomeOf = (result: EditResult | { kind: string }): string[] =>
  'code' in result ? [result.code, result.message] : [result.kind];
