import { editRefusal } from '../../domain/rules/edit-rules.js';
import { GatewayError } from '../../domain/errors.js';
import { withLiveFields } from '../../domain/networks/live-fields.js';
import type { Post } from '../../domain/posts/post.js';
import type { SandboxFaults } from '../../domain/networks/sandbox.js';
import { isPublished } from '../../domain/posts/states.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Standings } from '../accounts/account-status.js';
import type { Clock } from '../ports.js';
import type { Posts } from '../posts/post-outcomes.js';
import type { SandboxClock, SandboxStore } from './sandbox-ports.js';

/** A post as the sandbox network has it now, which need not be what the service has saved. */
export interface SandboxView {
  readonly post: Post;
  readonly edits: number;
  readonly editedAt: Date | null;
}

/**
 * The sandbox network, seen and directed by its users. Every call that names a post answers first as "Get post" does
 * (POST_NOT_FOUND, FORBIDDEN), then NOT_IN_SANDBOX where the post is on no sandbox account.
 */
export interface Sandbox {
  /** @throws GatewayError NOT_IN_SANDBOX, also for posts that are not published and those deleted there */
  get(viewer: Viewer, id: string): Promise<SandboxView>;
  /** Deletes it there, and there alone: the service learns of it from its next edit. Gives the post's document id. */
  remove(viewer: Viewer, id: string): Promise<string>;
  faults(viewer: Viewer, id: string): Promise<SandboxFaults>;
  /** Absent keeps, null and false end a fault. With a token that is good again the account counts as connected again. */
  setFaults(viewer: Viewer, id: string, faults: Partial<SandboxFaults>): Promise<SandboxFaults>;
  clock(viewer: Viewer): Promise<SandboxClock>;
  setClock(viewer: Viewer, aheadSeconds: number): Promise<SandboxClock>;
}

interface SandboxParts {
  readonly posts: Posts;
  readonly store: SandboxStore;
  readonly standings: Pick<Standings, 'restored'>;
  readonly clock: Clock;
}

/** What a network shows of a post; the rest is the service's own business. */
const SHOWN: ReadonlySet<keyof Post> = new Set([
  'network',
  'type',
  'account',
  'text',
  'title',
  'excerpt',
  'url',
  'link',
  'content',
  'featuredMedia',
  'categories',
  'tags',
  'question',
  'options',
  'duration',
  'details',
  'media',
]);

const notThere = (why: string): GatewayError =>
  new GatewayError('NOT_IN_SANDBOX', `The post is not on the sandbox network: ${why}.`);

export function createSandbox({ posts, store, standings, clock }: SandboxParts): Sandbox {
  /** A post of a sandbox account, as far as SHOWN has it. */
  async function postOf(viewer: Viewer, id: string): Promise<Post> {
    const post = (await posts.get(viewer, id, SHOWN)) as Post;
    if (!post.account?.sandbox) throw notThere('its account is no sandbox account');
    return post;
  }
  async function ownPostOf(viewer: Viewer, id: string): Promise<Post> {
    const post = await postOf(viewer, id);
    const refusal = editRefusal(post, viewer);
    if (refusal) throw new GatewayError(refusal.code, refusal.message);
    return post;
  }
  function assertPublished({ cell }: Post): void {
    if (!isPublished(cell)) throw notThere('it has not been published');
    if (cell === 'published_deleted') throw notThere('it was deleted there');
  }

  return {
    async get(viewer, id) {
      const post = await postOf(viewer, id);
      assertPublished(post);
      const { fields, edits, editedAt, isDeleted } = await store.find(post.id);
      if (isDeleted) throw notThere('it was deleted there');
      return { post: withLiveFields(post, fields), edits, editedAt };
    },
    async remove(viewer, id) {
      const post = await ownPostOf(viewer, id);
      assertPublished(post);
      if (!(await store.remove(post.id, clock.now()))) throw notThere('it was deleted there');
      return post.id;
    },
    faults: async (viewer, id) => store.faults((await postOf(viewer, id)).id, clock.now()),
    async setFaults(viewer, id, faults) {
      const post = await ownPostOf(viewer, id);
      await store.setFaults(post.id, faults, clock.now());
      if (faults.tokenExpired === false && post.account!.needsReauth)
        await standings.restored(post.account!.id);
      return store.faults(post.id, clock.now());
    },
    clock: (viewer) => store.clock(viewer.workspace.id, clock.now()),
    async setClock(viewer, aheadSeconds) {
      if (viewer.role === 'viewer')
        throw new GatewayError(
          'FORBIDDEN',
          'Your role in this workspace is viewer: viewers move no clock.',
        );
      await store.setClock(viewer.workspace.id, aheadSeconds, clock.now());
      return store.clock(viewer.workspace.id, clock.now());
    },
  };
}
