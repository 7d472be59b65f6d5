import type { EditablePath } from '../../../src/domain/rules/edit-rules.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { openWeb, type Web } from '../../../src/networks/http-client/web.js';
import type { EditResult } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { NOW, type NetworkCase } from './network-case.js';
import type { StandIn } from './stand-in.js';

/** The way out as tests have it: to this machine, at their own time. */
export const openTestWeb = (): Web => openWeb({ allowLoopback: true, clock: { now: () => NOW } });

/** One edit of a network's stand-in, with its own credentials. */
export const editAt =
  (
    web: Web,
    { network, remoteId, adapter, credentials }: NetworkCase,
    { url }: Pick<StandIn, 'url'>,
  ) =>
  (post: Partial<Post>, ...changed: EditablePath[]): Promise<EditResult> =>
    adapter(web, url).edit({
      account: aPost().account!,
      credentials: credentials(url),
      remoteId,
      post: aPost({ network, cell: 'published_posted', ...post }),
      changed: new Set(changed),
    });

/** Code and words of a failure; what it is instead where it is none. */
export const told = (result: EditResult | { kind: string }): string[] =>
  'code' in result ? [result.code, result.message] : [result.kind];
