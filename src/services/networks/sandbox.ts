import { editRefusal } from '../../domain/rules/edit-rules.js';
import { GatewayError } from '../../domain/errors.js';
import { toActor, type Viewer } from '../../domain/access/viewer.js';
import { readPostId, type Post } from '../../domain/posts/post.js';
import type {
  SandboxFaults,
  SandboxClock,
  SandboxTimeline,
  SandboxView,
} from '../../domain/networks/sandbox.js';
import { isPublished } from '../../domain/posts/states.js';
import type { AccountStatusService } from '../accounts/account-status.js';
import type { Clock } from '../clock.js';
import type { Posts } from '../posts/posts.js';
import type { SandboxStore } from '../../persistence/networks/sandbox-store.js';
import type { SandboxTimelineStore } from '../../persistence/networks/sandbox-timelines.js';

/**
 * The sandbox network, as users inspect and control it. Calls with a post ID throw like "Get post"
 * (POST_NOT_FOUND, FORBIDDEN), and NOT_IN_SANDBOX if the post's account is not a sandbox account.
 * Only `get` also finds posts that are deleted in the service and still on the network.
 */
export interface Sandbox {
  /** The sandbox accounts of the workspace, at most 100, each with its 20 newest posts. */
  timelines(viewer: Viewer): Promise<SandboxTimeline[]>;
  /**
   * The post as the network has it, in any state that it has in the service.
   * @throws GatewayError NOT_IN_SANDBOX, also if the network does not have the post
   */
  get(viewer: Viewer, id: string): Promise<SandboxView>;
  /**
   * Deletes the post on the sandbox only: the service detects it when it next edits the post or
   * looks for it. Returns the post's document ID.
   * @throws GatewayError NOT_IN_SANDBOX, also if the network does not have the post
   */
  delete(viewer: Viewer, id: string): Promise<string>;
  faults(viewer: Viewer, id: string): Promise<SandboxFaults>;
  /**
   * An absent key keeps the fault; null or false ends it. Ending `tokenExpired` reconnects the
   * account.
   */
  setFaults(viewer: Viewer, id: string, faults: Partial<SandboxFaults>): Promise<SandboxFaults>;
  clock(viewer: Viewer): Promise<SandboxClock>;
  setClock(viewer: Viewer, aheadSeconds: number): Promise<SandboxClock>;
}

interface SandboxDependencies {
  readonly posts: Posts;
  readonly store: SandboxStore;
  readonly timelines: SandboxTimelineStore;
  readonly accountStatus: Pick<AccountStatusService, 'markReconnected'>;
  readonly clock: Clock;
}

/** What a page can show at once. */
const MAX_TIMELINES = { accounts: 100, posts: 20 } as const;

/** The fields of a post that the sandbox reads. */
const SELECTION: ReadonlySet<keyof Post> = new Set(['account']);

const notInSandbox = (reason: string): GatewayError =>
  new GatewayError('NOT_IN_SANDBOX', `The post is not on the sandbox network: ${reason}.`);

/** Creates the sandbox over its store and the posts. */
export function createSandbox({
  posts,
  store,
  timelines,
  accountStatus,
  clock,
}: SandboxDependencies): Sandbox {
  /** A post of a sandbox account, with SELECTION only. */
  async function postOf(viewer: Viewer, id: string): Promise<Post> {
    const post = (await posts.get(viewer, id, SELECTION)) as Post;
    if (!post.account?.sandbox) throw notInSandbox('its account is not a sandbox account');
    return post;
  }
  async function editablePostOf(viewer: Viewer, id: string): Promise<Post> {
    const post = await postOf(viewer, id);
    const refusal = editRefusal(post, viewer);
    if (refusal) throw new GatewayError(refusal.code, refusal.message);
    return post;
  }
  const notOnNetwork = ({ storedState }: Post): GatewayError =>
    notInSandbox(
      isPublished(storedState)
        ? 'it was deleted on the sandbox network'
        : 'the network does not have it',
    );

  return {
    timelines: ({ workspace }) => timelines.timelines(workspace.id, MAX_TIMELINES),
    async get(viewer, id) {
      const postId = readPostId(id);
      const view = postId && (await timelines.find(viewer.workspace.id, postId));
      if (view) return view;
      throw notOnNetwork(await postOf(viewer, id));
    },
    async delete(viewer, id) {
      const post = await editablePostOf(viewer, id);
      const remove = post.storedState === 'published_posted' ? store.delete : store.deleteTaken;
      if (!(await remove(post.id, clock.now()))) throw notOnNetwork(post);
      return post.id;
    },
    faults: async (viewer, id) => store.faults((await postOf(viewer, id)).id, clock.now()),
    async setFaults(viewer, id, faults) {
      const post = await editablePostOf(viewer, id);
      await store.setFaults(post.id, faults, clock.now());
      if (faults.tokenExpired === false && post.account!.needsReauth)
        await accountStatus.markReconnected(post.account!.id, toActor(viewer));
      return store.faults(post.id, clock.now());
    },
    clock: (viewer) => store.clock(viewer.workspace.id, clock.now()),
    async setClock(viewer, aheadSeconds) {
      if (viewer.role === 'viewer')
        throw new GatewayError(
          'FORBIDDEN',
          'Your role in this workspace is viewer. Viewers cannot set the clock.',
        );
      await store.setClock(viewer.workspace.id, aheadSeconds, clock.now());
      return store.clock(viewer.workspace.id, clock.now());
    },
  };
}
